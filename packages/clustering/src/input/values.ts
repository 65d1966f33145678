import {InvalidPointsError} from '../errors.ts';

/** A column of a table, or a row of coordinates. */
export type Numbers = ArrayLike<number> | ArrayLike<bigint>;

/** Whether a value is an array or a typed array. */
export function isArrayLike(value: unknown): value is ArrayLike<unknown> {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/**
 * A coordinate in float64. Only numbers and bigints below 2^53 count: text is not parsed, and null is not 0.
 *
 * @throws InvalidPointsError  names the point, the axis and the value
 */
export function coordinate(value: unknown, index: number, axis: string): number {
  const x = typeof value === 'bigint' ? Number(value) : value;
  const isExact = typeof value !== 'bigint' || Number.isSafeInteger(x);
  if (typeof x === 'number' && Number.isFinite(x) && isExact) return x;
  const expected = isExact ? 'a finite number' : 'integers below 2^53 in magnitude, which float64 holds';
  throw new InvalidPointsError(`point ${index}, ${axis} = ${formatted(value)}; expected ${expected}`, index);
}

/** Reads a coordinate: `coordinate`, or `coordinateOrNaN`. */
export type ReadCoordinate = typeof coordinate;

/** The same, with NaN for a missing value: null, undefined or NaN. */
export function coordinateOrNaN(value: unknown, index: number, axis: string): number {
  return isMissing(value) ? NaN : coordinate(value, index, axis);
}

export function isMissing(value: unknown): boolean {
  return value === null || value === undefined || Number.isNaN(value);
}

export function formatted(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (isArrayLike(value)) return `an array of ${value.length}`;
  if (isObject(value)) return `an object with ${listed(Object.keys(value))}`;
  return String(value);
}

export function listed(names: readonly string[]): string {
  if (names.length === 0) return 'no keys';
  return names.length > 6 ? `${names.slice(0, 6).join(', ')} …` : names.join(', ');
}
