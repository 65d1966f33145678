import {chooseColumns} from '@epsball/clustering';
import {DatasetFormatError, READ_EXTENSIONS, readPoints, type LoadedPoints} from '@epsball/datasets';

/** HDF5 needs Node, and raw floats a number of dimensions. */
const NOT_HERE: readonly string[] = ['.h5', '.hdf5', '.f32', '.f64', '.bin'];

/** File extensions that the page reads. */
export const EXTENSIONS = [...READ_EXTENSIONS.filter((one) => !NOT_HERE.includes(one)), '.json'];

export interface FilePoints extends LoadedPoints {
  /** Names of the axes; empty if the file has none. */
  readonly columns: readonly string[];
  /** All columns of numbers, from which axes can be chosen; empty if the file has no names. */
  readonly available: readonly string[];
}

/**
 * Reads points from a file of the reader's machine. The file never leaves it.
 *
 * @param columns  names of the columns to take as axes. Default: a longitude and a latitude by name, or x, y and z,
 *                 else the columns of numbers whose names are no identifiers and no times
 * @returns        text in float32 if that holds every value
 */
export async function readPointsFile(file: File, columns?: readonly string[]): Promise<FilePoints> {
  const {name} = file;
  const extension = EXTENSIONS.find((known) => name.toLowerCase().endsWith(known));
  if (extension === undefined) {
    throw new DatasetFormatError(name, `has an unknown extension; expected one of ${EXTENSIONS.join(', ')}`);
  }
  let available: readonly string[] = [];
  const choose = (ofNumbers: readonly string[]): readonly string[] => {
    if (ofNumbers.length === 0) throw new DatasetFormatError(name, 'has no column of numbers; expected at least one');
    available = ofNumbers;
    return columns ?? knownAxes(ofNumbers);
  };
  const points = await read(file, extension, choose);
  const isText = /^\.(?:csv|tsv|txt|dat|xyz)/.test(extension);
  const coords = isText ? narrowed(points.coords) : points.coords;
  return {...points, coords, columns: points.columns ?? [], available};
}

function read(
  file: File,
  extension: string,
  choose: (ofNumbers: readonly string[]) => readonly string[],
): Promise<LoadedPoints> {
  if (extension === '.npy' || extension === '.npz') return readArray(file);
  if (extension.startsWith('.geojson')) return readPoints(file);
  // A page that writes GeoJSON often names it so.
  if (extension === '.json') return readPoints(new File([file], `${file.name.slice(0, -5)}.geojson`));
  return readPoints(file, {columns: choose});
}

/** A vector is points on a line. */
function readArray(file: File): Promise<LoadedPoints> {
  return readPoints(file).catch((error: unknown) => {
    if (error instanceof DatasetFormatError && error.reason.endsWith('or a given dim'))
      return readPoints(file, {dim: 1});
    throw error;
  });
}

/** As the command chooses them, but for a longitude before its latitude. Of several places the first one. */
function knownAxes(available: readonly string[]): readonly string[] {
  const found = chooseColumns(available);
  if ('choices' in found) return (found.choices[0] ?? [...available.keys()]).map((k) => available[k]);
  const taken = found.taken.map((k) => available[k]);
  return found.by === 'place' ? taken.toReversed() : taken;
}

function narrowed(coords: LoadedPoints['coords']): LoadedPoints['coords'] {
  const narrow = Float32Array.from(coords);
  return narrow.every((value, k) => value === coords[k]) ? narrow : coords;
}
