import {DatasetFormatError, readPoints, type LoadedPoints} from '@epsball/datasets';

/** File extensions that the page reads. */
export const EXTENSIONS = ['.csv', '.tsv', '.txt', '.npy', '.parquet'] as const;

export interface FilePoints extends LoadedPoints {
  /** Names of the axes; empty if the file has none. */
  readonly columns: readonly string[];
  /** All columns of numbers, from which axes can be chosen; empty if the file has no names. */
  readonly available: readonly string[];
}

/** Pairs of names that are coordinates, in the order of preference. */
const KNOWN_AXES = [
  ['x', 'y', 'z'],
  ['x', 'y'],
  ['lon', 'lat'],
  ['lng', 'lat'],
  ['long', 'lat'],
  ['longitude', 'latitude'],
];

/**
 * Reads points from a file of the reader's machine. The file never leaves it.
 *
 * @param columns  names of the columns to take as axes. Default: well-known names such as x, y or lon, lat, else all
 *                 columns of numbers
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
  const points = await (extension === '.npy' ? readArray(file) : readPoints(file, {columns: choose}));
  const coords = extension === '.npy' || extension === '.parquet' ? points.coords : narrowed(points.coords);
  return {...points, coords, columns: points.columns ?? [], available};
}

/** A vector is points on a line. */
function readArray(file: File): Promise<LoadedPoints> {
  return readPoints(file).catch((error: unknown) => {
    if (error instanceof DatasetFormatError && error.reason.endsWith('or a given dim'))
      return readPoints(file, {dim: 1});
    throw error;
  });
}

function knownAxes(available: readonly string[]): readonly string[] {
  const lower = available.map((name) => name.toLowerCase());
  const known = KNOWN_AXES.find((names) => names.every((name) => lower.includes(name)));
  return known ? known.map((name) => available[lower.indexOf(name)]) : available;
}

function narrowed(coords: LoadedPoints['coords']): LoadedPoints['coords'] {
  const narrow = Float32Array.from(coords);
  return narrow.every((value, k) => value === coords[k]) ? narrow : coords;
}
