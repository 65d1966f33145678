import {DatasetFormatError} from './errors.ts';
import {
  allocate,
  bytesOf,
  lengthOf,
  readNumbers,
  sourcePrecision,
  type Coords,
  type LoadedPoints,
  type NumberType,
  type ReadPrecision,
  type RowRange,
} from './numbers.ts';
import {readBytes, type OpenFile} from './openFile.ts';

/**
 * NumPy's array file: magic bytes, version, a Python dictionary as text, then the values. npyjs holds whole files in
 * one buffer; this reader puts 10M points straight into the result.
 *
 * @source NumPy Enhancement Proposal 1; numpy.lib.format (versions 1.0, 2.0, 3.0)
 */

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
/** In a written file the values start at a multiple of this. */
const ALIGNMENT = 64;
const HEADER_BYTES_MAX = 2 ** 20;

interface NpyHeader {
  readonly type: NumberType;
  readonly isFortranOrder: boolean;
  readonly shape: readonly number[];
  /** Byte offset of the first value. */
  readonly start: number;
}

/** Reads an n × dim array, in C or Fortran order, or a vector of n · dim values when `dim` is given. */
export async function readNpy(
  file: OpenFile,
  dim: number | undefined,
  precision: ReadPrecision,
  rows: readonly RowRange[] | undefined,
): Promise<LoadedPoints> {
  const header = await readHeader(file);
  const {type, start} = header;
  const found = pointShape(file.path, header.shape, dim);
  const length = checkedLength(file, header);
  const n = length / found;
  // In Fortran order value k is coordinate floor(k / n) of point k mod n.
  const isTransposed = header.isFortranOrder && n > 1 && found > 1;
  if (isTransposed && rows !== undefined) {
    throw new DatasetFormatError(file.path, 'is in Fortran order; expected C order to read a range of rows');
  }
  const ranges = rows ?? [[0, n] as const];
  const place = isTransposed ? (k: number) => (k % n) * found + Math.floor(k / n) : undefined;
  const wanted = precision === 'source' ? sourcePrecision(type) : precision;
  const coords = allocate(file.path, lengthOf(ranges) * found, wanted);
  let done = 0;
  for (const [first, end] of ranges) {
    if (end > n) throw new DatasetFormatError(file.path, `has ${n} rows; expected ${end}`);
    const part = coords.subarray(done, (done += (end - first) * found));
    await readNumbers(file, type, part, start + first * found * type.bytes, place);
  }
  return {coords, dim: found, ...(rows && {rowCount: n})};
}

export async function readNpyLabels(file: OpenFile): Promise<Int32Array> {
  const {path} = file;
  const header = await readHeader(file);
  const {shape, type, start} = header;
  if (shape.length !== 1) throw new DatasetFormatError(path, `has shape (${shape.join(', ')}); expected labels, (n,)`);
  if (type.kind === 'float') throw new DatasetFormatError(path, 'holds floats; expected integer labels');
  const length = checkedLength(file, header);
  if (type.kind === 'int' && type.bytes === 4 && !type.isBigEndian) {
    const labels = new Int32Array(length);
    await readBytes(file, bytesOf(labels), start);
    return labels;
  }
  const values = allocate(path, length, 'float64');
  await readNumbers(file, type, values, start);
  return toLabels(path, values);
}

/** Numbers as labels. */
export function toLabels(path: string, values: Coords): Int32Array {
  const labels = Int32Array.from(values);
  const bad = labels.findIndex((label, i) => label !== values[i]);
  if (bad >= 0) throw new DatasetFormatError(path, `label ${bad} = ${values[bad]}; expected a 32-bit integer`);
  return labels;
}

/** Coordinates per point in an array of this shape. */
function pointShape(path: string, shape: readonly number[], dim: number | undefined): number {
  const isVector = shape.length === 1;
  const refuse = (expected: string): never => {
    throw new DatasetFormatError(path, `has shape (${shape.join(', ')}${isVector ? ',' : ''}); expected ${expected}`);
  };
  if (isVector) {
    if (dim === undefined) return refuse('(n, dim), or a given dim');
    return shape[0] % dim === 0 ? dim : refuse(`a multiple of dim = ${dim}`);
  }
  if (shape.length !== 2 || shape[1] === 0) return refuse('(n, dim)');
  if (dim !== undefined && dim !== shape[1]) return refuse(`(n, ${dim}), as dim = ${dim}`);
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
  if (parts === null || !isNumber || (parts[2] === 'f' && bytes < 2)) {
    const expected = 'float32, float64 or an integer type, or float16';
    throw new DatasetFormatError(path, `has dtype ${descr ?? '[…] (structured)'}; expected ${expected}`);
  }
  const kind = parts[2] === 'f' ? 'float' : parts[2] === 'i' ? 'int' : 'uint';
  return {kind, bytes, isBigEndian: parts[1] === '>'};
}

/** The begin of a file of an array in C order, as `numpy.save` writes it. */
export function npyHeader(descr: '<f4' | '<f8' | '<i4' | '<i8', shape: readonly number[]): Uint8Array {
  const text = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
  const dictionary = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${text}), }`;
  const prefixBytes = MAGIC.length + 4;
  const total = Math.ceil((prefixBytes + dictionary.length + 1) / ALIGNMENT) * ALIGNMENT;
  const textBytes = total - prefixBytes;
  const bytes = new TextEncoder().encode(`${dictionary.padEnd(textBytes - 1)}\n`);
  return Uint8Array.of(...MAGIC, 1, 0, textBytes & 255, textBytes >> 8, ...bytes);
}
