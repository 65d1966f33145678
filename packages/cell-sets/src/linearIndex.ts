import {pointCount, type PointSet} from '@epsball/clustering';
import type {CellIndex} from '@epsball/spatial-grid';

/** Points in a run of the input that serves as a cell. */
const CELL_POINTS = 64;

/** The arrays of a trivial index, for points of any dimension. */
export interface LinearArrays {
  readonly points: PointSet;
  readonly n: number;
  readonly pointOrder: Int32Array;
  readonly cellStart: Int32Array;
}

/** Length of `cellStart`. */
export function linearCellBounds(n: number): number {
  return Math.max(1, Math.ceil(n / CELL_POINTS)) + 1;
}

/**
 * Cuts the input into runs; positions are original indices.
 *
 * @param take  allocates words
 */
export function layLinear(
  points: PointSet,
  take: (length: number) => Int32Array = (length) => new Int32Array(length),
): LinearArrays {
  const n = pointCount(points);
  const [pointOrder, cellStart] = [take(n), take(linearCellBounds(n))];
  for (let i = 0; i < n; i++) pointOrder[i] = i;
  for (let cell = 0; cell < cellStart.length; cell++) cellStart[cell] = Math.min(n, cell * CELL_POINTS);
  return {points, n, pointOrder, cellStart};
}

/** Returns an index in which all cells are neighbours: a search tests all pairs, O(n²). */
export function openLinear({points, n, pointOrder, cellStart}: LinearArrays): CellIndex {
  const cellCount = cellStart.length - 1;
  const one = (ranges: Int32Array, end: number): number => {
    ranges[0] = 0;
    ranges[1] = end;
    return 1;
  };
  return {
    dim: points.dim,
    reach: 1,
    rangesLength: 2,
    n,
    cellCount,
    cellStart,
    pointOrder,
    sortedCoords: points.coords,
    neighborRanges: (_, ranges) => one(ranges, n),
    neighborCells: (_, cells) => one(cells, cellCount),
  };
}
