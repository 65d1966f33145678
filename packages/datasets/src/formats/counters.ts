import {chooseColumns, type LeftColumn, type PointSet} from '@epsball/clustering';
import type {ColumnChoice} from './columnChoice.ts';
import type {LoadedPoints} from './numbers.ts';

/** Fewer rows are numbered by chance. */
const ROWS_MIN = 6;

/** Time stamps from 1990 to 2100 in seconds; other units are 10³, 10⁶ and 10⁹ times as many. */
const EPOCH_MIN = Date.UTC(1990) / 1000;
const EPOCH_MAX = Date.UTC(2100) / 1000;
const EPOCH_UNITS = [1, 1e3, 1e6, 1e9];

/**
 * Leaves times and numbers of rows out of columns whose names do not tell. Of the columns at least one stays, and two
 * where rows are numbered: x of a series is numbered, too.
 *
 * @param chosen  the caller's choice of columns; only `auto` leaves columns out
 */
export function withoutCounters<Points extends LoadedPoints>(points: Points, chosen: ColumnChoice['columns']): Points {
  if (chosen !== 'auto') return points;
  const {coords, dim, columns = [], left = []} = points;
  const told = chooseColumns(columns);
  if (!('by' in told) || told.by !== 'numbers') return points;
  const times = columns.map((_, axis) => isTime(points, axis));
  const isLeft = times.every(Boolean) ? times.map(() => false) : times;
  const whys = columns.map((_, axis): string | undefined => (isLeft[axis] ? 'time by its values' : undefined));
  for (let axis = 0; axis < dim; axis++) {
    const others = whys.filter((why, k) => k !== axis && why === undefined).length;
    if (whys[axis] === undefined && others > 1 && isRowNumber(points, axis)) whys[axis] = 'numbers of rows';
  }
  const axes = [...whys.keys()].filter((axis) => whys[axis] === undefined);
  if (axes.length === dim) return points;
  const n = coords.length / dim;
  const kept = coords instanceof Float32Array ? new Float32Array(n * axes.length) : new Float64Array(n * axes.length);
  for (let i = 0, to = 0; i < n; i++) for (const axis of axes) kept[to++] = coords[i * dim + axis];
  const more = columns.flatMap((name, axis): LeftColumn[] => {
    const why = whys[axis];
    return why === undefined ? [] : [{name, why}];
  });
  return {
    ...points,
    coords: kept,
    dim: axes.length,
    columns: axes.map((axis) => columns[axis]),
    left: [...left, ...more],
  };
}

/** Whether all values are time stamps, or dates such as 20261124. */
export function isTime({coords, dim}: PointSet, axis: number): boolean {
  let [least, most, dates, n] = [Infinity, -Infinity, 0, 0];
  for (let at = axis; at < coords.length; at += dim) {
    if (Number.isNaN(coords[at])) continue;
    n++;
    least = Math.min(least, coords[at]);
    most = Math.max(most, coords[at]);
    if (isDate(coords[at])) dates++;
  }
  const isEpoch = EPOCH_UNITS.some((unit) => least >= EPOCH_MIN * unit && most <= EPOCH_MAX * unit);
  return n > 0 && (isEpoch || dates === n);
}

/** Whether each value is one more than the one before. */
function isRowNumber({coords, dim}: PointSet, axis: number): boolean {
  if (coords.length / dim < ROWS_MIN || !Number.isInteger(coords[axis])) return false;
  for (let at = axis + dim; at < coords.length; at += dim) if (coords[at] !== coords[at - dim] + 1) return false;
  return true;
}

/** Whether a number reads as a date of the years 1900 to 2100. */
function isDate(value: number): boolean {
  if (!Number.isInteger(value) || value < 19_000_101 || value > 21_001_231) return false;
  const month = Math.floor(value / 100) % 100;
  const day = value % 100;
  return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}
