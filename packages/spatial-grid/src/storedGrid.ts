import {buildCellRows} from './cellRows.ts';
import {cellsOfGrid, type SharedGrid} from './openSharedGrid.ts';
import {cellsToRanges, RANGES_LENGTH, type NeighborRanges, type UniformGrid} from './uniformGrid.ts';

/** A grid that one thread has built. It computes what callers may not need at the first access. */
export function storeGrid(grid: Omit<SharedGrid, 'n' | 'cellCount' | 'cellRows'>): UniformGrid {
  const {geometry, layout, cellStart, pointOrder} = grid;
  const stored = {...grid, n: pointOrder.length, cellCount: cellStart.length - 1};
  let cellsAround: NeighborRanges['neighborCells'] | undefined;
  let cellOf: Int32Array | undefined;
  let positionOf: Int32Array | undefined;
  const neighborCells = (cell: number, cells: Int32Array): number => {
    cellsAround ??= cellsOfGrid(stored, layout === 'sparse' ? buildCellRows(stored) : undefined);
    return cellsAround(cell, cells);
  };
  return {
    ...stored,
    dim: geometry.dim,
    reach: geometry.reach,
    rangesLength: RANGES_LENGTH,
    neighborCells,
    neighborRanges: (cell, ranges) => cellsToRanges(ranges, neighborCells(cell, ranges), cellStart),
    get cellOf() {
      return (cellOf ??= cellsOfPositions(cellStart, stored.n));
    },
    get positionOf() {
      return (positionOf ??= positionsOfPoints(pointOrder));
    },
  };
}

function cellsOfPositions(cellStart: Int32Array, n: number): Int32Array {
  const cellOf = new Int32Array(n);
  for (let c = 0; c < cellStart.length - 1; c++) cellOf.fill(c, cellStart[c], cellStart[c + 1]);
  return cellOf;
}

/** The position of each original index: the inverse of `pointOrder`. */
export function positionsOfPoints(pointOrder: Int32Array): Int32Array {
  const positionOf = new Int32Array(pointOrder.length);
  for (let k = 0; k < pointOrder.length; k++) positionOf[pointOrder[k]] = k;
  return positionOf;
}
