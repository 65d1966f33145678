import {pointCount, type PointSet} from '@epsball/clustering';
import {emptyCoords, firstCells, sortIntoBuckets} from './buckets.ts';
import {DenseRows} from './denseRows.ts';
import {sortDenseBucket} from './denseBucket.ts';
import {cellsOfPositions, positionsOfPoints} from './positions.ts';
import type {GridGeometry} from './geometry.ts';
import {RANGES_LENGTH, type DenseUniformGrid} from './uniformGrid.ts';

/**
 * Stores every cell of the box.
 *
 * @param points    points inside the geometry's box, dim ≤ 4; not modified
 * @param geometry  fewer than 2^31 − 1 cells
 * @complexity      O(n + cells): a counting sort
 */
export function buildDenseGrid(points: PointSet, geometry: GridGeometry): DenseUniformGrid {
  const n = pointCount(points);
  const {bands, buckets, bucketed} = sortIntoBuckets(points, geometry);
  const cells = firstCells(geometry, bands, buckets);
  const cellStart = new Int32Array(geometry.cellTotal + 1);
  const pointOrder = new Int32Array(n);
  const sortedCoords = emptyCoords(points);
  for (let k = 0; k < buckets.count; k++) {
    const range = [buckets.start[k], buckets.start[k + 1], cells[k], cells[k + 1]] as const;
    sortDenseBucket(bucketed, geometry, range, {cellStart, pointOrder, sortedCoords});
  }
  cellStart[geometry.cellTotal] = n;
  return new DenseGrid(geometry, {cellStart, pointOrder}, sortedCoords);
}

interface GridArrays {
  readonly cellStart: Int32Array;
  readonly pointOrder: Int32Array;
}

class DenseGrid extends DenseRows implements DenseUniformGrid {
  readonly layout = 'dense';
  readonly rangesLength = RANGES_LENGTH;
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

  constructor(geometry: GridGeometry, arrays: GridArrays, sortedCoords: Float32Array | Float64Array) {
    super(geometry, arrays.cellStart);
    this.geometry = geometry;
    this.dim = geometry.dim;
    this.reach = geometry.reach;
    this.n = arrays.pointOrder.length;
    this.cellCount = geometry.cellTotal;
    this.cellStart = arrays.cellStart;
    this.pointOrder = arrays.pointOrder;
    this.sortedCoords = sortedCoords;
  }

  get cellOf(): Int32Array {
    return (this.#cellOf ??= cellsOfPositions(this.cellStart, this.n));
  }

  get positionOf(): Int32Array {
    return (this.#positionOf ??= positionsOfPoints(this.pointOrder));
  }
}
