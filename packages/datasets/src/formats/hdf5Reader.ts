import {realpathSync} from 'node:fs';
import {basename} from 'node:path';
import {File as Hdf5File, ready, type Dataset} from 'h5wasm/node';
import type {DecodeOptions} from './containers.ts';
import {because, DatasetFormatError, quoted} from './errors.ts';
import {findDataset, type Library} from './hdf5Tree.ts';
import {allocate, convert, sourcePrecision, type Coords, type LoadedPoints, type NumberType} from './numbers.ts';

/** Values that pass through the library's memory at a time. */
const BLOCK_LENGTH = 2 ** 22;

/** Bytes of one chunk that any file may have; a larger file may have larger chunks. */
const CHUNK_BYTES = 2 ** 26;

/** The most that deflate, the strongest filter here, shrinks its input (zlib: 1032 to 1). */
const COMPRESSION_MAX = 1032;

/** Filters of HDF5 itself, by their numbers (H5Zpublic.h). Others are plugins. */
const FILTERS: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, 6]);
const FILTER_NAMES = 'deflate, shuffle, fletcher32, szip, nbit or scaleoffset';

/** HDF5's type classes (H5T_class_t). */
const H5T_INTEGER = 0;
const H5T_FLOAT = 1;

/** `errno` of a missing file, in WASI's numbers. */
const ENOENT = 44;
/** Flags of Emscripten's `tmpfile`: O_CREAT and O_EXCL, which never open an existing file. */
const NEW_FILE = 0o300;
const TEMPORARY = /^\/tmp\/tmpfile_\w+$/;

/**
 * Decodes a dataset of an HDF5 file. Runs on a thread of its own: on a damaged file the library leaks its descriptor,
 * keeps the shape of the file for the next one at the same path, and may not return.
 */
export async function decodeHdf5(
  path: string,
  size: number,
  {dataset: name, dim, precision}: DecodeOptions,
  tick: () => void,
): Promise<LoadedPoints> {
  const library = await ready;
  // Otherwise the library prints its errors to stderr and continues.
  library.activate_throwing_error_handler();
  const realPath = realpathSync(path);
  const refused = allowOnly(library, realPath);
  let file: Hdf5File;
  try {
    file = new Hdf5File(realPath, 'r');
  } catch (error) {
    const isTruncated = error instanceof Error && error.message.includes('truncated file');
    const what = isTruncated ? 'is truncated; expected a whole HDF5 file' : 'is not an HDF5 file, or is damaged';
    throw new DatasetFormatError(path, what, {cause: error});
  }
  try {
    const dataset = findDataset(path, library, file, name);
    const {shape, type, columns} = checkDataset(path, dataset, dim);
    checkStorage(path, size, library, file, dataset);
    const length = shape.reduce((product, count) => product * count, 1);
    const coords = allocate(path, length, precision === 'source' ? sourcePrecision(type) : precision);
    readBlocks(path, dataset, coords, columns, tick);
    return {coords, dim: columns};
  } catch (error) {
    if (error instanceof DatasetFormatError) throw error;
    const other = refused.at(-1);
    const what =
      other === undefined
        ? `is damaged${because(error, reasonOf(error))}`
        : `needs another file, ${quoted(basename(other))}`;
    throw new DatasetFormatError(path, `${what}; expected a whole HDF5 file`, {cause: error});
  }
}

/**
 * Lets the library open one file, so that links, virtual datasets and external storage cannot reach another, and print
 * nothing.
 *
 * @returns  the paths that it could not open, which grows
 */
function allowOnly({FS: files}: Library, realPath: string): readonly string[] {
  const refused: string[] = [];
  // Every system call of the library goes through these properties (Emscripten's NODERAWFS).
  const open = files.open.bind(files);
  const write = files.write.bind(files);
  files.open = (path, flags, ...rest) => {
    // The library collects its messages in a new temporary file.
    const isNew = (Number(flags) & NEW_FILE) === NEW_FILE && TEMPORARY.test(path);
    if (path === realPath || isNew) return open(path, flags, ...rest);
    refused.push(path);
    // A system call returns the `errno` of an error with this name.
    throw Object.assign(new Error(`${path} is not opened`), {name: 'ErrnoError', errno: ENOENT});
  };
  files.write = (stream, bytes, offset, length, ...rest) => {
    const isStandard = 'fd' in stream && (stream.fd === 1 || stream.fd === 2);
    return isStandard ? length : write(stream, bytes, offset, length, ...rest);
  };
  return refused;
}

/** Columns of a dataset of numbers of the right shape. */
function checkDataset(
  path: string,
  dataset: Dataset,
  dim: number | undefined,
): {shape: readonly number[]; type: NumberType; columns: number} {
  const shape = dataset.shape ?? [];
  const inner = nameOf(dataset);
  const what = `dataset ${inner} has shape (${shape.join(', ')})`;
  const isVector = shape.length === 1 && dim !== undefined && shape[0] % dim === 0;
  if (!isVector && (shape.length !== 2 || shape[1] === 0)) {
    throw new DatasetFormatError(path, `${what}; expected (n, dim), or (n · dim) with a given dim`);
  }
  const columns = isVector ? dim : shape[1];
  if (dim !== undefined && dim !== columns) throw new DatasetFormatError(path, `${what}; expected (n, ${dim})`);
  const {type, size, signed, littleEndian} = dataset.metadata;
  const isFloat = type === H5T_FLOAT && (size === 4 || size === 8);
  const isInteger = type === H5T_INTEGER && (size === 1 || size === 2 || size === 4 || size === 8);
  if (!isFloat && !isInteger) {
    throw new DatasetFormatError(path, `dataset ${inner} is of another type; expected float32, float64 or integers`);
  }
  const kind = isFloat ? 'float' : signed ? 'int' : 'uint';
  return {shape, type: {kind, bytes: size, isBigEndian: !littleEndian}, columns};
}

/** The values must lie in this file behind filters of HDF5 itself, and the file must be long enough to hold them. */
function checkStorage(path: string, size: number, library: Library, file: Hdf5File, dataset: Dataset): void {
  const inner = nameOf(dataset);
  const {chunks, size: valueBytes, total_size: valueCount, virtual_sources: sources} = dataset.metadata;
  if (sources?.some((source) => source.file_name !== '.') === true) {
    throw new DatasetFormatError(path, `dataset ${inner} takes its values from other files; expected this file`);
  }
  const filters = library.get_dataset_filters(file.file_id, dataset.path);
  const other = filters.find(({id}) => !FILTERS.has(id));
  if (other !== undefined) {
    const name = other.name === '' ? `number ${other.id}` : `${other.name} (number ${other.id})`;
    throw new DatasetFormatError(path, `dataset ${inner} needs the filter ${name}; expected ${FILTER_NAMES}`);
  }
  const bytesMax = size * (filters.length === 0 ? 1 : COMPRESSION_MAX);
  const bytes = valueCount * valueBytes;
  const chunkBytes = (chunks ?? []).reduce((product, count) => product * count, valueBytes);
  if (bytes > bytesMax || (chunks !== null && chunkBytes > Math.max(bytesMax, CHUNK_BYTES))) {
    const claimed = Math.max(bytes, chunks === null ? 0 : chunkBytes);
    const held = filters.length === 0 ? `${size} bytes` : `${size} bytes, which hold at most ${bytesMax} compressed`;
    throw new DatasetFormatError(
      path,
      `dataset ${inner} claims ${claimed} bytes in a file of ${held}; expected its values`,
    );
  }
}

function readBlocks(path: string, dataset: Dataset, coords: Coords, columns: number, tick: () => void): void {
  const shape = dataset.shape ?? [];
  const isVector = shape.length === 1;
  const rowLength = isVector ? 1 : columns;
  const rowsPerBlock = Math.max(1, Math.floor(BLOCK_LENGTH / rowLength));
  for (let start = 0; start < shape[0]; start += rowsPerBlock) {
    const range: [number, number] = [start, Math.min(shape[0], start + rowsPerBlock)];
    const values = dataset.slice(isVector ? [range] : [range, []]);
    if (!ArrayBuffer.isView(values)) {
      throw new DatasetFormatError(path, `dataset ${nameOf(dataset)} cannot be read; expected numbers`);
    }
    if (values instanceof Float32Array || values instanceof Float64Array) coords.set(values, start * rowLength);
    else convert(path, (k) => values[k], values.length, coords, start * rowLength);
    tick();
  }
}

function nameOf(dataset: Dataset): string {
  return dataset.path.replace(/^\/+/, '');
}

/** The innermost message of the library's trace of many lines. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const frames = [...message.matchAll(/ in \w+\(\): (.+)/g)];
  return frames.at(-1)?.[1] ?? message.split('\n', 1)[0];
}
