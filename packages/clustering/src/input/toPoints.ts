import {filled} from '../filled.ts';
import {InvalidParameterError, InvalidPointsError} from '../errors.ts';
import {KeptPoints} from '../keptPoints.ts';
import type {NamedPoints} from '../metric/metricPoints.ts';
import type {PointSet} from '../points.ts';
import {arrowTable, isNumber, namesOrCall, plainTable, pointsOfColumns} from './columns.ts';
import {isGeoJson, pointsOfGeoJson} from './geojson.ts';
import {
  coordinate,
  coordinateOrNaN,
  formatted,
  isArrayLike,
  isMissing,
  isObject,
  listed,
  type Numbers,
  type ReadCoordinate,
} from './values.ts';

/** A coordinate of an object: the name of a key, or a function that returns a number. */
export type Axis<Item> = string | ((item: Item, index: number) => number);

/** A geometry or feature of GeoJSON, as far as its type tells. */
export interface GeoJsonLike {
  readonly type: string;
  readonly id?: unknown;
  readonly bbox?: unknown;
  readonly properties?: unknown;
  readonly geometry?: unknown;
  readonly coordinates?: unknown;
  readonly features?: unknown;
  readonly geometries?: unknown;
}

/** A table of Apache Arrow, as far as its type tells. */
export interface ArrowLike {
  readonly schema: {readonly fields: readonly {readonly name: string}[]};
  // A table that knows its columns takes only their names.
  readonly getChild: (name: never) => unknown;
}

/** Columns by name. Those that are coordinates hold numbers. */
export type Columns = Readonly<Record<string, ArrayLike<unknown>>>;

/** What `toPoints` and the front doors take. */
export type PointsInput =
  | PointSet
  | readonly Numbers[]
  | readonly object[]
  | GeoJsonLike
  | ArrowLike
  | Columns
  | {readonly coords: ArrayLike<number>; readonly dim: number};

const RIGHT_CALL: string = [
  'an object with coords and dim',
  'rows [[x, y], …]',
  "objects with toPoints(objects, ['x', 'y'])",
  'columns {x: […], y: […]}',
  'an Arrow table',
  'GeoJSON points',
].join(', ');

/**
 * Converts points to a point set in float64.
 *
 * - a point set: returned as it is. `coords` in an array or another typed array becomes float64
 * - rows of numbers, all of one length: `[[x, y], …]`
 * - objects, with keys or functions for the axes: `toPoints(cities, ['lat', 'lon'])`. Without axes the keys must tell:
 *   x and y (and z) alone, or a latitude and a longitude
 * - columns by name, or a table of Apache Arrow: `toPoints(table, ['x', 'y'])`
 * - GeoJSON of points: the axes are longitude and latitude, in this order
 *
 * @param input  not modified
 * @param axes   the coordinates of objects, or names of columns
 * @param missing  `nan`: null, undefined and NaN become NaN, also a row or a GeoJSON geometry of null. Default: `error`
 * @returns      owned by the caller; `columns` has the names of the axes where the input has them
 * @throws InvalidParameterError  if the input is none of these, or the coordinates of objects or columns are not told;
 *                                the message shows the right call
 * @throws InvalidPointsError     if a coordinate is not a finite number, or rows differ in length; names the first
 * @complexity O(n · dim); allocates the result
 */
export function toPoints<Item = Readonly<Record<string, unknown>>>(
  input: PointsInput | readonly Item[],
  axes?: readonly Axis<Item>[],
  missing: 'error' | 'nan' = 'error',
): NamedPoints {
  const read = missing === 'nan' ? coordinateOrNaN : coordinate;
  const given: unknown = input;
  if (axes !== undefined && (!isArrayLike(axes) || axes.length === 0)) {
    throw new InvalidParameterError('axes', axes, "the names of at least one axis: ['x', 'y']");
  }
  if (isPointSet(given)) return pointsOfCoords(given, read);
  if (axes === undefined && isGeoJson(given)) return pointsOfGeoJson(given, read);
  if (isArrayLike(given)) {
    return pointsOfList(given, axes, read);
  }
  const table = arrowTable(given) ?? plainTable(given);
  if (table === undefined) throw new InvalidParameterError('points', given, RIGHT_CALL);
  return pointsOfColumns(table, axes?.map(nameOfColumn), read);
}

/**
 * Points for many runs with other eps, minPts, weights or metrics: converted, checked and copied once. A kept instance
 * does not send them again, and builds its index again only where eps or the metric changes.
 *
 * @param input  as for `toPoints`; not modified
 * @param axes   as for `toPoints`
 * @returns      points for every front door and variant. Devices and threads keep what they made of them until they are
 *               destroyed or run with other points
 * @throws InvalidParameterError, InvalidPointsError  as `toPoints`
 * @complexity   O(n · dim); allocates a copy
 */
export function keepPoints<Item = Readonly<Record<string, unknown>>>(
  input: PointsInput | readonly Item[],
  axes?: readonly Axis<Item>[],
): KeptPoints {
  return new KeptPoints(toPoints(input, axes));
}

function isPointSet(value: unknown): value is {coords: unknown; dim: unknown; columns?: readonly string[]} {
  return isObject(value) && ('coords' in value || 'dim' in value);
}

function pointsOfCoords(points: {coords: unknown; dim: unknown}, read: ReadCoordinate): NamedPoints {
  const {coords} = points;
  const isFloat = coords instanceof Float32Array || coords instanceof Float64Array;
  if (isFloat || !isArrayLike(coords)) {
    // The front door checks the types.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked by `validatePoints`
    return points as NamedPoints;
  }
  const dim = Number(points.dim);
  const values = filled(new Float64Array(coords.length), (k) =>
    read(coords[k], Math.floor(k / dim), `axis ${k % dim}`),
  );
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked by `validatePoints`
  return {...points, coords: values} as NamedPoints;
}

function pointsOfList<Item>(
  list: ArrayLike<unknown>,
  axes: readonly Axis<Item>[] | undefined,
  read: ReadCoordinate,
): NamedPoints {
  const first: unknown = list[0];
  if (list.length === 0) return {coords: new Float64Array(0), dim: axes?.length ?? 1};
  if (isNumber(first)) {
    throw new InvalidParameterError(
      'points',
      list,
      'the number of coordinates of a point: {coords: Float64Array.from(numbers), dim: 2}',
    );
  }
  if (axes === undefined && isArrayLike(first)) return pointsOfRows(list, first.length, read);
  if (!isObject(first)) throw new InvalidParameterError('points', list, RIGHT_CALL);
  const chosen = axes ?? namesOrCall(Object.keys(first), 'objects', (name) => isNumber(first[name]));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the caller's functions take the caller's items
  return pointsOfObjects(list as ArrayLike<Item>, chosen, read);
}

function pointsOfRows(rows: ArrayLike<unknown>, dim: number, read: ReadCoordinate): NamedPoints {
  if (dim === 0) throw new InvalidPointsError('point 0 has no coordinates; expected at least one', 0);
  const coords = new Float64Array(rows.length * dim);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    if (read === coordinateOrNaN && isMissing(row)) {
      coords.fill(NaN, i * dim, (i + 1) * dim);
      continue;
    }
    if (!isArrayLike(row) || row.length !== dim) {
      throw new InvalidPointsError(`point ${i} = ${formatted(row)}; expected ${dim} numbers, as point 0 has`, i);
    }
    for (let d = 0; d < dim; d++) coords[i * dim + d] = read(row[d], i, `axis ${d}`);
  }
  return {coords, dim};
}

function pointsOfObjects<Item>(items: ArrayLike<Item>, axes: readonly Axis<Item>[], read: ReadCoordinate): NamedPoints {
  const dim = axes.length;
  const columns = axes.map((axis, d) => (typeof axis === 'string' ? axis : `axis ${d}`));
  const coords = new Float64Array(items.length * dim);
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    for (const [d, axis] of axes.entries()) {
      const isAbsent = read === coordinateOrNaN && (!isObject(item) || (typeof axis === 'string' && !(axis in item)));
      coords[i * dim + d] = isAbsent ? NaN : read(valueOf(item, axis, i), i, columns[d]);
    }
  }
  return axes.every((axis) => typeof axis === 'string') ? {coords, dim, columns} : {coords, dim};
}

function valueOf<Item>(item: Item, axis: Axis<Item>, index: number): unknown {
  if (typeof axis === 'function') return axis(item, index);
  if (!isObject(item)) throw new InvalidPointsError(`point ${index} = ${formatted(item)}; expected an object`, index);
  if (axis in item) return item[axis];
  throw new InvalidPointsError(`point ${index} has no ${axis}; its keys are ${listed(Object.keys(item))}`, index);
}

function nameOfColumn(axis: unknown): string {
  if (typeof axis === 'string') return axis;
  throw new InvalidParameterError('axes', axis, 'names of columns');
}
