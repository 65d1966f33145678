import type {GridGeometry} from './geometry.ts';
import {cellsToRanges, RANGES_LENGTH} from './uniformGrid.ts';

export interface GridArrays {
  readonly cellStart: Int32Array;
  readonly pointOrder: Int32Array;
  readonly sortedCoords: Float32Array | Float64Array;
}

/** What dense and sparse grids have in common. */
export abstract class StoredGrid {
  readonly rangesLength: number = RANGES_LENGTH;
  readonly geometry: GridGeometry;
  readonly dim: number;
  readonly reach: number;
  readonly n: number;
  readonly cellCount: number;
  readonly cellStart: Int32Array;
  readonly pointOrder: Int32Array;
  readonly sortedCoords: Float32Array | Float64Array;
  #cellOf: Int32Array | undefined;
  #positionOf: Int32Array | undefined;

  constructor(geometry: GridGeometry, {cellStart, pointOrder, sortedCoords}: GridArrays) {
    this.geometry = geometry;
    this.dim = geometry.dim;
    this.reach = geometry.reach;
    this.n = pointOrder.length;
    this.cellCount = cellStart.length - 1;
    this.cellStart = cellStart;
    this.pointOrder = pointOrder;
    this.sortedCoords = sortedCoords;
  }

  get cellOf(): Int32Array {
    return (this.#cellOf ??= cellsOfPositions(this.cellStart, this.n));
  }

  get positionOf(): Int32Array {
    return (this.#positionOf ??= positionsOfPoints(this.pointOrder));
  }

  abstract neighborCells(cell: number, cells: Int32Array): number;

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
