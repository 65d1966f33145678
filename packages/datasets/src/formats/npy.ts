import type {PointSet} from '@epsball/clustering';
import {DatasetFormatError} from './errors.ts';
import {readBytes, withOpenFile, type OpenFile} from './inputFile.ts';
import {bytesOf, writeAtomically, writeBytes} from './outputFile.ts';
import type {Precision} from '../coords.ts';
import {readNumbers, sourcePrecision, type NumberType, type ReadPrecision} from './numbers.ts';

/**
 * NumPy's array file: magic bytes, version, a Python dictionary as text, then the values. npyjs holds whole files in
 * one buffer; this reader puts 10M points straight into the result.
 *
 * @source NumPy Enhancement Proposal 1; numpy.lib.format (versions 1.0, 2.0, 3.0)
 */

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
/** In a written file the values start at a multiple of this. */
const ALIGNMENT = 64;
/** The longest header that is read. */
const HEADER_BYTES_MAX = 2 ** 20;

interface NpyHeader {
  readonly type: NumberType;
  readonly isFortranOrder: boolean;
  readonly shape: readonly number[];
  /** Byte offset of the first value. */
  readonly start: number;
}

/**
 * Reads an n × dim array, in C or Fortran order, or a vector of n · dim values when `dim` is given.
 *
 * @throws DatasetFormatError  if the file is not NPY, truncated, of another shape, or of a type that is not a number
 */
export function readNpy(path: string, dim: number | undefined, precision: ReadPrecision): Promise<PointSet> {
  return withOpenFile(path, async (file) => {
    const header = await readHeader(file);
    const {shape, type, start} = header;
    const found = pointShape(path, shape, dim);
    const length = checkedLength(file, header);
    const n = length / found;
    // In Fortran order value k is coordinate floor(k / n) of point k mod n.
    const isTransposed = header.isFortranOrder && n > 1 && found > 1;
    const place = isTransposed ? (k: number) => (k % n) * found + Math.floor(k / n) : undefined;
    return {coords: await readNumbers(file, type, length, start, precision, place), dim: found};
  });
}

/** An NPY file of points whose rows are read a range at a time. */
export interface NpyRows {
  readonly rowCount: number;
  readonly dim: number;
  /** Precision in which `readNpyRows` returns them. */
  readonly precision: Precision;
}

/**
 * Describes an n × dim array in C order.
 *
 * @throws DatasetFormatError  as `readNpy` does, and for an array in Fortran order
 */
export function describeNpy(path: string, dim: number | undefined, precision: ReadPrecision): Promise<NpyRows> {
  return withOpenFile(path, async (file) => {
    const header = await readHeader(file);
    const found = pointShape(path, header.shape, dim);
    const length = checkedLength(file, header);
    if (header.isFortranOrder && length > found && found > 1) {
      throw new DatasetFormatError(path, 'is in Fortran order; expected C order to read a range of rows');
    }
    return {
      rowCount: length / found,
      dim: found,
      precision: precision === 'source' ? sourcePrecision(header.type) : precision,
    };
  });
}

/** Reads the rows [start, end) of a file that `describeNpy` accepts. */
export function readNpyRows(path: string, rows: NpyRows, start: number, end: number): Promise<PointSet> {
  return withOpenFile(path, async (file) => {
    const header = await readHeader(file);
    const position = header.start + start * rows.dim * header.type.bytes;
    const coords = await readNumbers(file, header.type, (end - start) * rows.dim, position, rows.precision);
    return {coords, dim: rows.dim};
  });
}

/** Writes an n × dim array in the precision of the coordinates. */
export function writeNpy(path: string, {coords, dim}: PointSet, signal?: AbortSignal): Promise<void> {
  const descr = coords instanceof Float32Array ? '<f4' : '<f8';
  return writeArray(path, descr, `${coords.length / dim}, ${dim}`, coords, signal);
}

/** Writes an int32 vector. */
export function writeNpyLabels(path: string, labels: Int32Array, signal?: AbortSignal): Promise<void> {
  return writeArray(path, '<i4', `${labels.length},`, labels, signal);
}

/**
 * Reads a vector of integers as labels.
 *
 * @throws DatasetFormatError  if the file is not a vector of integers, or a value does not fit int32
 */
export function readNpyLabels(path: string): Promise<Int32Array> {
  return withOpenFile(path, async (file) => {
    const header = await readHeader(file);
    const {shape, type, start} = header;
    if (shape.length !== 1)
      throw new DatasetFormatError(path, `has shape (${shape.join(', ')}); expected labels, (n,)`);
    if (type.kind === 'float') throw new DatasetFormatError(path, 'holds floats; expected integer labels');
    const length = checkedLength(file, header);
    if (type.kind === 'int' && type.bytes === 4 && !type.isBigEndian) {
      const labels = new Int32Array(length);
      await readBytes(file, bytesOf(labels), start);
      return labels;
    }
    const values = await readNumbers(file, type, length, start, 'float64');
    const labels = Int32Array.from(values);
    const bad = labels.findIndex((label, i) => label !== values[i]);
    if (bad >= 0) throw new DatasetFormatError(path, `label ${bad} = ${values[bad]}; expected a 32-bit integer`);
    return labels;
  });
}

/** Coordinates per point in an array of this shape. */
function pointShape(path: string, shape: readonly number[], dim: number | undefined): number {
  const text = `(${shape.join(', ')}${shape.length === 1 ? ',' : ''})`;
  if (shape.length === 1) {
    if (dim === undefined) throw new DatasetFormatError(path, `has shape ${text}; expected (n, dim), or a given dim`);
    if (shape[0] % dim !== 0)
      throw new DatasetFormatError(path, `has shape ${text}; expected a multiple of dim = ${dim}`);
    return dim;
  }
  if (shape.length !== 2 || shape[1] === 0) {
    throw new DatasetFormatError(path, `has shape ${text}; expected (n, dim)`);
  }
  if (dim !== undefined && dim !== shape[1]) {
    throw new DatasetFormatError(path, `has shape ${text}; expected (n, ${dim}), as dim = ${dim}`);
  }
  return shape[1];
}

/** Number of values in the array. Checks that the file has exactly as many. */
function checkedLength(file: OpenFile, {shape, type, start}: NpyHeader): number {
  const length = shape.reduce((product, count) => product * count, 1);
  const expected = start + length * type.bytes;
  if (file.size < expected) {
    throw new DatasetFormatError(file.path, `is truncated: has ${file.size} bytes; expected ${expected}`);
  }
  if (file.size > expected) {
    throw new DatasetFormatError(
      file.path,
      `has ${file.size} bytes; expected ${expected}, with nothing after the array`,
    );
  }
  return length;
}

async function readHeader(file: OpenFile): Promise<NpyHeader> {
  const prefix = new Uint8Array(Math.min(12, file.size));
  await readBytes(file, prefix, 0);
  if (MAGIC.some((byte, k) => prefix[k] !== byte)) {
    throw new DatasetFormatError(file.path, 'is not an NPY file; expected the magic bytes of numpy.save');
  }
  const version = prefix[6];
  if (!(version >= 1 && version <= 3)) {
    throw new DatasetFormatError(file.path, `is NPY version ${version}; expected 1, 2 or 3`);
  }
  if (prefix.length < 12) throw new DatasetFormatError(file.path, 'is truncated: ends within the header');
  const view = new DataView(prefix.buffer);
  const [textStart, textBytes] = version === 1 ? [10, view.getUint16(8, true)] : [12, view.getUint32(8, true)];
  if (textBytes > HEADER_BYTES_MAX) {
    throw new DatasetFormatError(file.path, `has a header of ${textBytes} bytes; expected at most ${HEADER_BYTES_MAX}`);
  }
  const text = new Uint8Array(textBytes);
  await readBytes(file, text, textStart);
  return {...parseHeader(file.path, new TextDecoder().decode(text)), start: textStart + textBytes};
}

/** Reads `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }`. */
function parseHeader(path: string, text: string): Omit<NpyHeader, 'start'> {
  const descr = /['"]descr['"]\s*:\s*(\[|['"]([^'"]*)['"])/.exec(text);
  const order = /['"]fortran_order['"]\s*:\s*(True|False)/.exec(text);
  const shape = /['"]shape['"]\s*:\s*\(([\d,\sL]*)\)/.exec(text);
  if (descr === null || order === null || shape === null) {
    throw new DatasetFormatError(path, 'has a malformed NPY header; expected descr, fortran_order and shape');
  }
  const counts = (shape[1].match(/\d+/g) ?? []).map(Number);
  return {type: parseType(path, descr[2]), isFortranOrder: order[1] === 'True', shape: counts};
}

function parseType(path: string, descr: string | undefined): NumberType {
  const parts = descr === undefined ? null : /^([<>|=])([fiu])([1248])$/.exec(descr);
  const bytes = Number(parts?.[3]);
  const isNumber = bytes === 1 || bytes === 2 || bytes === 4 || bytes === 8;
  if (parts === null || !isNumber || (parts[2] === 'f' && bytes < 4)) {
    throw new DatasetFormatError(
      path,
      `has dtype ${descr ?? '[…] (structured)'}; expected float32, float64 or an integer type`,
    );
  }
  const kind = parts[2] === 'f' ? 'float' : parts[2] === 'i' ? 'int' : 'uint';
  return {kind, bytes, isBigEndian: parts[1] === '>'};
}

async function writeArray(
  path: string,
  descr: string,
  shape: string,
  values: ArrayBufferView,
  signal?: AbortSignal,
): Promise<void> {
  const dictionary = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${shape}), }`;
  const prefixBytes = MAGIC.length + 4;
  const total = Math.ceil((prefixBytes + dictionary.length + 1) / ALIGNMENT) * ALIGNMENT;
  const header = Buffer.alloc(total, ' ');
  header.set(MAGIC);
  header.set([1, 0], MAGIC.length);
  header.writeUInt16LE(total - prefixBytes, MAGIC.length + 2);
  header.write(dictionary, prefixBytes, 'latin1');
  header[total - 1] = 0x0a;
  await writeAtomically(
    path,
    async (handle) => {
      await writeBytes(handle, header);
      await writeBytes(handle, bytesOf(values));
    },
    signal,
  );
}
