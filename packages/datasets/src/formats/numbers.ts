import {totalmem} from 'node:os';
import type {PointSet} from '@epsball/clustering';
import type {Precision} from '../coords.ts';
import {DatasetFormatError} from './errors.ts';
import {readBytes, type OpenFile} from './inputFile.ts';
import {bytesOf} from './outputFile.ts';

/** The precision of the result of `readPoints`: that of the file, or float32 or float64. */
export type ReadPrecision = Precision | 'source';

export type Coords = Float32Array | Float64Array;

/** Points read from a file. */
export interface LoadedPoints extends PointSet {
  /** CSV, Parquet, GeoJSON: names of the columns read, axis by axis. Column numbers where a CSV file has no header. */
  readonly columns?: readonly string[];
  /** Weights of the points, if a column was chosen for them. */
  readonly weights?: Float64Array;
  /** GeoJSON: the properties of the feature around each point. */
  readonly properties?: readonly (Readonly<Record<string, unknown>> | null)[];
  /** GeoJSON: the `id` and other members of the feature around each point, if a feature has any. */
  readonly members?: readonly (Readonly<Record<string, unknown>> | null)[];
  /** GeoJSON: the third number of each position, if one has it. */
  readonly altitudes?: readonly (number | undefined)[];
}

/** A number type in a file. */
export interface NumberType {
  readonly kind: 'float' | 'int' | 'uint';
  readonly bytes: 1 | 2 | 4 | 8;
  readonly isBigEndian: boolean;
}

type NumberArray =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | Float32Array
  | Float64Array;

/** Values of one block of a conversion. */
const BLOCK_LENGTH = 2 ** 18;

/** The precision that holds every value of a type: float32 for float32 and integers of up to 16 bits, else float64. */
export function sourcePrecision(type: NumberType): Precision {
  return type.bytes <= (type.kind === 'float' ? 4 : 2) ? 'float32' : 'float64';
}

/**
 * Allocates coordinates for a file.
 *
 * @throws DatasetFormatError  if they need more memory than the machine has, or than an array can hold
 */
export function allocate(path: string, length: number, precision: Precision): Coords {
  const bytes = length * (precision === 'float32' ? 4 : 8);
  const memory = totalmem();
  try {
    if (bytes <= memory) return precision === 'float32' ? new Float32Array(length) : new Float64Array(length);
  } catch {
    // A length that is not an integer ≥ 0, or exceeds the engine's limit.
  }
  const message = `has ${length} coordinates (${bytes} bytes as ${precision}); expected at most the memory, ${memory} bytes`;
  throw new DatasetFormatError(path, message);
}

/**
 * Reads consecutive numbers of a file.
 *
 * A type that needs no conversion is read straight into the result. Other types are converted block by block.
 *
 * @param length    number of values
 * @param position  byte of the first value
 * @param place     index in the result of the file's k-th value. Default: k
 * @throws DatasetFormatError  if the file is truncated, or a 64-bit integer has no exact float64
 */
export async function readNumbers(
  file: OpenFile,
  type: NumberType,
  length: number,
  position: number,
  precision: ReadPrecision,
  place?: (k: number) => number,
): Promise<Coords> {
  const wanted = precision === 'source' ? sourcePrecision(type) : precision;
  const coords = allocate(file.path, length, wanted);
  const isSameType = type.kind === 'float' && type.bytes === coords.BYTES_PER_ELEMENT && !type.isBigEndian;
  if (isSameType && place === undefined) {
    await readBytes(file, bytesOf(coords), position);
    return coords;
  }
  const block = viewOfType(type, new ArrayBuffer(BLOCK_LENGTH * type.bytes));
  for (let start = 0; start < length; start += BLOCK_LENGTH) {
    const count = Math.min(BLOCK_LENGTH, length - start);
    const bytes = bytesOf(block).subarray(0, count * type.bytes);
    await readBytes(file, bytes, position + start * type.bytes);
    if (type.isBigEndian) swapBytes(bytes, type.bytes);
    convert(file.path, block, count, coords, start, place);
  }
  return coords;
}

/** Copies `count` values into `coords`: value k to index `start + k`, or to `place(start + k)`. */
export function convert(
  path: string,
  values: ArrayLike<number | bigint>,
  count: number,
  coords: Coords,
  start: number,
  place?: (k: number) => number,
): void {
  for (let k = 0; k < count; k++) {
    const value = values[k];
    const number = typeof value === 'bigint' ? exactNumber(path, value, start + k) : value;
    coords[place === undefined ? start + k : place(start + k)] = number;
  }
}

/** @throws DatasetFormatError  if the integer lies outside ±2^53 */
function exactNumber(path: string, value: bigint, k: number): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) {
    throw new DatasetFormatError(
      path,
      `value ${k} = ${value}; expected integers below 2^53 in magnitude, which float64 holds`,
    );
  }
  return number;
}

function viewOfType(type: NumberType, buffer: ArrayBuffer): NumberArray {
  switch (`${type.kind}${type.bytes}`) {
    case 'float4':
      return new Float32Array(buffer);
    case 'float8':
      return new Float64Array(buffer);
    case 'int1':
      return new Int8Array(buffer);
    case 'uint1':
      return new Uint8Array(buffer);
    case 'int2':
      return new Int16Array(buffer);
    case 'uint2':
      return new Uint16Array(buffer);
    case 'int4':
      return new Int32Array(buffer);
    case 'uint4':
      return new Uint32Array(buffer);
    case 'int8':
      return new BigInt64Array(buffer);
    case 'uint8':
      return new BigUint64Array(buffer);
    default:
      throw new Error(`no array of ${type.kind}${type.bytes}`);
  }
}

/** Reverses the bytes of each value, in place. */
function swapBytes(bytes: Uint8Array, size: number): void {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (size === 2) buffer.swap16();
  else if (size === 4) buffer.swap32();
  else if (size === 8) buffer.swap64();
}
