import type {LeftColumn, PointSet} from '@epsball/clustering';
import {memoryBytes} from '#host';
import type {Precision} from '../coords.ts';
import {DatasetFormatError} from './errors.ts';
import type {PointGroups} from './groups.ts';
import {readBytes, type OpenFile} from './openFile.ts';

/** The precision of the result of `readPoints`: that of the file, or float32 or float64. */
export type ReadPrecision = Precision | 'source';

export type Coords = Float32Array | Float64Array;

/** Consecutive rows: [start, end). */
export type RowRange = readonly [start: number, end: number];

/** Points read from a file. */
export interface LoadedPoints extends PointSet {
  /** CSV, Parquet, GeoJSON: names of the columns read, axis by axis. Column numbers where a CSV file has no header. */
  readonly columns?: readonly string[];
  /** The columns that `columns: 'auto'` or `'place'` did not take, and why. */
  readonly left?: readonly LeftColumn[];
  /** NPY and Parquet, if `rows` were chosen: rows of the whole file. */
  readonly rowCount?: number;
  /** Weights of the points, if a column was chosen for them. */
  readonly weights?: Float64Array;
  /** Times of the points, if a column was chosen for them. */
  readonly times?: Float64Array;
  /** Groups of the points, if a column was chosen for them. */
  readonly groups?: PointGroups;
  /** GeoJSON: the properties of the feature around each point. */
  readonly properties?: readonly (Readonly<Record<string, unknown>> | null)[];
  /** GeoJSON: the `id` and other members of the feature around each point, if a feature has any. */
  readonly members?: readonly (Readonly<Record<string, unknown>> | null)[];
  /** GeoJSON: the third number of each position, if one has it. */
  readonly altitudes?: readonly (number | undefined)[];
}

/** Points as a reader of tables finds them: weights, times and groups, in this order, are the last axes. */
export interface LoadedColumns extends LoadedPoints {
  /** Names by number, which is what the axis of the groups holds. */
  readonly groupNames?: readonly string[];
}

export interface NumberType {
  readonly kind: 'float' | 'int' | 'uint';
  readonly bytes: 1 | 2 | 4 | 8;
  readonly isBigEndian: boolean;
}

const BLOCK_LENGTH = 2 ** 18;

/** The precision that holds every value of a type: float32 for float32 and integers of up to 16 bits, else float64. */
export function sourcePrecision(type: NumberType): Precision {
  return type.bytes <= (type.kind === 'float' ? 4 : 2) ? 'float32' : 'float64';
}

export function lengthOf(ranges: readonly RowRange[]): number {
  return ranges.reduce((sum, [start, end]) => sum + end - start, 0);
}

/** The bytes of a typed array, not copied. */
export function bytesOf(array: ArrayBufferView): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

export function allocate(path: string, length: number, precision: Precision): Coords {
  const bytes = length * (precision === 'float32' ? 4 : 8);
  const memory = memoryBytes();
  try {
    if (bytes <= memory) return precision === 'float32' ? new Float32Array(length) : new Float64Array(length);
  } catch {
    // A length that is not an integer ≥ 0, or exceeds the engine's limit.
  }
  const message = `has ${length} coordinates (${bytes} bytes as ${precision}); expected at most the memory, ${memory} bytes`;
  throw new DatasetFormatError(path, message);
}

/**
 * Reads consecutive numbers of a file into all of `coords`. A type that needs no conversion is read straight into it;
 * other types are converted block by block.
 *
 * @param position  byte of the first value
 * @param place     index in the result of the file's k-th value. Default: k
 */
export async function readNumbers(
  file: OpenFile,
  type: NumberType,
  coords: Coords,
  position: number,
  place?: (k: number) => number,
): Promise<void> {
  const {kind, bytes: size, isBigEndian} = type;
  const {length} = coords;
  if (kind === 'float' && size === coords.BYTES_PER_ELEMENT && !isBigEndian && place === undefined) {
    return readBytes(file, bytesOf(coords), position);
  }
  const bytes = new Uint8Array(Math.min(length, BLOCK_LENGTH) * size);
  const view = new DataView(bytes.buffer);
  const valueAt = VALUES[`${kind}${size}`];
  for (let start = 0; start < length; start += BLOCK_LENGTH) {
    const count = Math.min(BLOCK_LENGTH, length - start);
    await readBytes(file, bytes.subarray(0, count * size), position + start * size);
    convert(file.path, (k) => valueAt(view, k * size, !isBigEndian), count, coords, start, place);
  }
}

const VALUES: Readonly<Record<string, (view: DataView, at: number, isLittle: boolean) => number | bigint>> = {
  float2: (view, at, isLittle) => halfValue(view.getUint16(at, isLittle)),
  float4: (view, at, isLittle) => view.getFloat32(at, isLittle),
  float8: (view, at, isLittle) => view.getFloat64(at, isLittle),
  int1: (view, at) => view.getInt8(at),
  uint1: (view, at) => view.getUint8(at),
  int2: (view, at, isLittle) => view.getInt16(at, isLittle),
  uint2: (view, at, isLittle) => view.getUint16(at, isLittle),
  int4: (view, at, isLittle) => view.getInt32(at, isLittle),
  uint4: (view, at, isLittle) => view.getUint32(at, isLittle),
  int8: (view, at, isLittle) => view.getBigInt64(at, isLittle),
  uint8: (view, at, isLittle) => view.getBigUint64(at, isLittle),
};

/** The value of a float16 (IEEE 754 binary16) by its bits, exactly. Node 22 has no `getFloat16`. */
export function halfValue(bits: number): number {
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  const sign = bits >> 15 === 0 ? 1 : -1;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25));
}

/** Copies `count` values into `coords`: value k to index `start + k`, or to `place(start + k)`. */
export function convert(
  path: string,
  valueAt: (k: number) => number | bigint,
  count: number,
  coords: Coords,
  start: number,
  place?: (k: number) => number,
): void {
  for (let k = 0; k < count; k++) {
    const value = valueAt(k);
    const number = typeof value === 'bigint' ? exactNumber(path, `value ${start + k}`, value) : value;
    coords[place === undefined ? start + k : place(start + k)] = number;
  }
}

/** @throws DatasetFormatError  if the integer lies outside ±2^53 */
export function exactNumber(path: string, what: string, value: bigint): number {
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number;
  const expected = 'integers below 2^53 in magnitude, which float64 holds';
  throw new DatasetFormatError(path, `${what} = ${value}; expected ${expected}`);
}
