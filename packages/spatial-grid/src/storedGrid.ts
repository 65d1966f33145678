import {buildCellRows} from './cellRows.ts';
import type {GridGeometry} from './geometry.ts';
import {cellsOfGrid, type SharedGrid} from './openSharedGrid.ts';
import {cellsToRanges, RANGES_LENGTH, type NeighborRanges, type UniformGrid} from './uniformGrid.ts';

/** A grid that one thread has built. It computes what callers may not need at the first access. */
export class StoredGrid implements UniformGrid {
  readonly rangesLength: number = RANGES_LENGTH;
  readonly geometry: GridGeometry;
  readonly layout: 'dense' | 'sparse';
  readonly dim: number;
  readonly reach: number;
  readonly n: number;
  readonly cellCount: number;
  readonly cellStart: Int32Array;
  readonly cellCoords: Int32Array;
  readonly rowStart: Int32Array;
  readonly pointOrder: Int32Array;
  readonly sortedCoords: Float32Array | Float64Array;
  #neighborCells: NeighborRanges['neighborCells'] | undefined;
  #cellOf: Int32Array | undefined;
  #positionOf: Int32Array | undefined;

  constructor(grid: Omit<SharedGrid, 'n' | 'cellCount' | 'cellRows'>) {
    this.geometry = grid.geometry;
    this.layout = grid.layout;
    this.dim = grid.geometry.dim;
    this.reach = grid.geometry.reach;
    this.n = grid.pointOrder.length;
    this.cellCount = grid.cellStart.length - 1;
    this.cellStart = grid.cellStart;
    this.cellCoords = grid.cellCoords;
    this.rowStart = grid.rowStart;
    this.pointOrder = grid.pointOrder;
    this.sortedCoords = grid.sortedCoords;
  }

  get cellOf(): Int32Array {
    return (this.#cellOf ??= cellsOfPositions(this.cellStart, this.n));
  }

  get positionOf(): Int32Array {
    return (this.#positionOf ??= positionsOfPoints(this.pointOrder));
  }

  neighborCells(cell: number, cells: Int32Array): number {
    this.#neighborCells ??= cellsOfGrid(this, this.layout === 'sparse' ? buildCellRows(this) : undefined);
    return this.#neighborCells(cell, cells);
  }

  neighborRanges(cell: number, ranges: Int32Array): number {
    return cellsToRanges(ranges, this.neighborCells(cell, ranges), this.cellStart);
  }
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
