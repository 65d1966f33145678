import type {PointSet} from '@epsball/clustering';
import {Dataset, File as Hdf5File, ready} from 'h5wasm/node';
import {DatasetFormatError} from './errors.ts';
import {withOpenFile} from './inputFile.ts';
import {writeFileAtomically} from './outputFile.ts';
import {allocate, convert, sourcePrecision, type NumberType, type ReadPrecision} from './numbers.ts';

/** Values that pass through the library's own memory at a time. */
const BLOCK_LENGTH = 2 ** 22;

/** HDF5's type classes (H5T_class_t). */
const H5T_INTEGER = 0;
const H5T_FLOAT = 1;

/** The name of the dataset in a written file. */
const WRITTEN_NAME = 'points';

/**
 * Reads an n × dim dataset, or a vector of n · dim values when `dim` is given.
 *
 * @param name  path inside the file; may be left out where the file holds one dataset
 * @throws DatasetFormatError  if the file is no HDF5, truncated, or the dataset missing (lists the datasets), of another
 *                             shape, or no numbers
 */
export async function readHdf5(
  path: string,
  name: string | undefined,
  dim: number | undefined,
  precision: ReadPrecision,
): Promise<PointSet> {
  // Missing, empty and unreadable files get the messages of every other format.
  await withOpenFile(path, async () => undefined);
  await openLibrary();
  const file = openFile(path);
  try {
    return readDataset(path, chooseDataset(path, file, name), dim, precision);
  } finally {
    file.close();
  }
}

/** Writes an n × dim dataset `points`. */
export async function writeHdf5(path: string, {coords, dim}: PointSet, signal?: AbortSignal): Promise<void> {
  await openLibrary();
  await writeFileAtomically(
    path,
    (temporaryPath) => {
      const file = new Hdf5File(temporaryPath, 'w');
      try {
        // The library's codes are those of Python's struct module: f is 4 bytes, d is 8.
        const dtype = coords instanceof Float32Array ? '<f' : '<d';
        file.create_dataset({name: WRITTEN_NAME, data: coords, shape: [coords.length / dim, dim], dtype});
      } catch (error) {
        throw systemError(error);
      } finally {
        file.close();
      }
    },
    signal,
  );
}

/** What the system said, from the library's trace of many lines. */
function systemError(error: unknown): unknown {
  const reason = error instanceof Error ? /error message = '([^']+)'/.exec(error.message)?.[1] : undefined;
  return reason === undefined ? error : new Error(reason, {cause: error});
}

async function openLibrary(): Promise<void> {
  const library = await ready;
  // Otherwise the library prints its errors to stderr and goes on.
  library.activate_throwing_error_handler();
}

function openFile(path: string): Hdf5File {
  try {
    return new Hdf5File(path, 'r');
  } catch (error) {
    const isTruncated = error instanceof Error && error.message.includes('truncated file');
    const what = isTruncated ? 'is truncated; expected a whole HDF5 file' : 'is no HDF5 file, or is damaged';
    throw new DatasetFormatError(path, what, {cause: error});
  }
}

function chooseDataset(path: string, file: Hdf5File, name: string | undefined): Dataset {
  const found = new Map<string, Dataset>();
  for (const inner of file.paths()) {
    const entity = file.get(inner);
    if (entity instanceof Dataset) found.set(inner, entity);
  }
  const list = [...found].map(([inner, dataset]) => `${inner} (${dataset.shape?.join(', ') ?? 'empty'})`).join('; ');
  if (found.size === 0) throw new DatasetFormatError(path, 'holds no dataset; expected one');
  if (name === undefined) {
    const [only] = found.values();
    if (found.size === 1) return only;
    throw new DatasetFormatError(path, `holds ${found.size} datasets; expected a name, one of: ${list}`);
  }
  const chosen = found.get(name.replace(/^\/+/, ''));
  if (chosen === undefined) throw new DatasetFormatError(path, `has no dataset ${name}; expected one of: ${list}`);
  return chosen;
}

function readDataset(path: string, dataset: Dataset, dim: number | undefined, precision: ReadPrecision): PointSet {
  const shape = dataset.shape ?? [];
  const inner = dataset.path.replace(/^\/+/, '');
  const what = `dataset ${inner} has shape (${shape.join(', ')})`;
  const isVector = shape.length === 1 && dim !== undefined && shape[0] % dim === 0;
  if (!isVector && (shape.length !== 2 || shape[1] === 0)) {
    throw new DatasetFormatError(path, `${what}; expected (n, dim), or (n · dim) with a given dim`);
  }
  const columns = isVector ? (dim ?? 1) : shape[1];
  if (dim !== undefined && dim !== columns) throw new DatasetFormatError(path, `${what}; expected (n, ${dim})`);
  const type = numberType(path, inner, dataset);
  const coords = allocate(
    path,
    shape.reduce((product, count) => product * count, 1),
    precision === 'source' ? sourcePrecision(type) : precision,
  );
  const rowLength = isVector ? 1 : columns;
  const rowsPerBlock = Math.max(1, Math.floor(BLOCK_LENGTH / rowLength));
  for (let start = 0; start < shape[0]; start += rowsPerBlock) {
    const range: [number, number] = [start, Math.min(shape[0], start + rowsPerBlock)];
    const values = dataset.slice(isVector ? [range] : [range, []]);
    if (!ArrayBuffer.isView(values))
      throw new DatasetFormatError(path, `dataset ${inner} cannot be read; expected numbers`);
    copyBlock(path, values, coords, start * rowLength);
  }
  return {coords, dim: columns};
}

function copyBlock(
  path: string,
  values: ArrayLike<number | bigint>,
  coords: Float32Array | Float64Array,
  start: number,
): void {
  if (values instanceof Float32Array || values instanceof Float64Array) coords.set(values, start);
  else convert(path, values, values.length, coords, start);
}

/** @throws DatasetFormatError  if the dataset holds neither floats of 4 or 8 bytes nor integers */
function numberType(path: string, inner: string, dataset: Dataset): NumberType {
  const {type, size, signed, littleEndian} = dataset.metadata;
  const isFloat = type === H5T_FLOAT && (size === 4 || size === 8);
  const isInteger = type === H5T_INTEGER && (size === 1 || size === 2 || size === 4 || size === 8);
  if (!isFloat && !isInteger) {
    throw new DatasetFormatError(path, `dataset ${inner} is of another type; expected float32, float64 or integers`);
  }
  return {kind: isFloat ? 'float' : signed ? 'int' : 'uint', bytes: size, isBigEndian: !littleEndian};
}
