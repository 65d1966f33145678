import {findCoordinates} from '@epsball/clustering';
import {DatasetFormatError, listed, quoted} from './errors.ts';
import type {LoadedPoints} from './numbers.ts';

/** Which columns of a table hold coordinates, and which one weights. */
export interface ColumnChoice {
  /**
   * Names or numbers of the columns, axis by axis; `place`: the latitude and the longitude, found by name; or a choice
   * among the columns of numbers, by their names. Default: all columns but the weights.
   */
  readonly columns?: NamedColumns | ((ofNumbers: readonly string[]) => readonly string[]) | undefined;
  /** Name or number of a column with weights of the points. */
  readonly weightColumn?: string | number | undefined;
}

type NamedColumns = readonly (string | number)[] | 'place';

/** A choice that needs no look at the values. */
export interface NamedChoice extends Pick<ColumnChoice, 'weightColumn'> {
  readonly columns?: NamedColumns | undefined;
}

/** The columns to read: coordinates axis by axis, then the weights. Undefined for all columns. */
export function columnsToRead(
  path: string,
  names: readonly string[],
  {columns, weightColumn}: NamedChoice,
): readonly (string | number)[] | undefined {
  const axes = columns === 'place' ? columnsOfPlace(path, names) : columns;
  if (weightColumn === undefined) return axes;
  const isWeight = (name: string, k: number): boolean => name === weightColumn || k === Number(weightColumn);
  return [...(axes ?? names.map((_, k) => k).filter((k) => !isWeight(names[k], k))), weightColumn];
}

function columnsOfPlace(path: string, names: readonly string[]): readonly string[] {
  const place = findCoordinates(names);
  if (place !== undefined) return place.map((k) => names[k]);
  throw new DatasetFormatError(
    path,
    `has the columns ${listed(names)}; expected one latitude and one longitude by name (the words lat or latitude, ` +
      'and lon, lng, long or longitude), or both chosen by columns',
  );
}

/** A column given by its number: 2, or '2'. */
export function columnNumber(column: string | number): number | undefined {
  if (typeof column === 'number') return column;
  return /^\d+$/.test(column) ? Number(column) : undefined;
}

/** The place of a column among the names of all. */
export function findColumn(
  path: string,
  names: readonly string[],
  column: string | number,
  expected = `one of ${listed(names)}`,
): number {
  const byName = names.findIndex((name) => name === column);
  const k = byName < 0 ? columnNumber(column) : byName;
  if (k !== undefined && k in names) return k;
  const shown = typeof column === 'number' ? String(column) : quoted(column);
  throw new DatasetFormatError(path, `has no column ${shown}; expected ${expected}`);
}

/** Takes the weights, which are the last axis, out of the coordinates. */
export function splitWeights({coords, dim, columns}: LoadedPoints): LoadedPoints {
  const n = coords.length / dim;
  const rest = coords instanceof Float32Array ? new Float32Array(n * (dim - 1)) : new Float64Array(n * (dim - 1));
  const weights = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    for (let d = 0; d < dim - 1; d++) rest[i * (dim - 1) + d] = coords[i * dim + d];
    weights[i] = coords[i * dim + dim - 1];
  }
  const points = {coords: rest, dim: dim - 1, weights};
  return columns === undefined ? points : {...points, columns: columns.slice(0, -1)};
}
