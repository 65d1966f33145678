import {pointCount, type PointSet} from '@epsball/clustering';
import type {GridGeometry} from './geometry.ts';
import type {DenseUniformGrid} from './uniformGrid.ts';

/**
 * Stores every cell of the box.
 *
 * @param points    points inside the geometry's box, dim ≤ 4; not modified
 * @param geometry  fewer than 2^31 − 1 cells
 * @complexity      O(n + cells): a counting sort
 */
export function buildDenseGrid(points: PointSet, geometry: GridGeometry): DenseUniformGrid {
  const n = pointCount(points);
  // One array, two lives: the cell of each point, then its position.
  const cells = linearCells(points, geometry);
  const cellStart = countCells(cells, geometry.cellTotal);
  const pointOrder = new Int32Array(n);
  const cellOf = new Int32Array(n);
  for (let i = 0; i < n; i++) {
    const cell = cells[i];
    const position = cellStart[cell]++;
    pointOrder[position] = i;
    cellOf[position] = cell;
    cells[i] = position;
  }
  // Each start has moved up to its cell's end, which is the next cell's start.
  cellStart.copyWithin(1, 0, geometry.cellTotal);
  cellStart[0] = 0;
  return new DenseGrid(geometry, {cellStart, cellOf, pointOrder, positionOf: cells}, gatherCoords(points, pointOrder));
}

/** Coordinates in the order of `pointOrder`. */
export function gatherCoords({coords, dim}: PointSet, pointOrder: Int32Array): Float32Array | Float64Array {
  const sorted = coords instanceof Float32Array ? new Float32Array(coords.length) : new Float64Array(coords.length);
  let to = 0;
  for (let k = 0; k < pointOrder.length; k++) {
    const from = pointOrder[k] * dim;
    for (let d = 0; d < dim; d++) sorted[to++] = coords[from + d];
  }
  return sorted;
}

/** Linear cell of each point, axis 0 fastest. */
function linearCells(points: PointSet, geometry: GridGeometry): Int32Array {
  const {coords, dim} = points;
  const cells = new Int32Array(pointCount(points));
  let stride = 1;
  for (let d = 0; d < dim; d++) {
    const origin = geometry.origin[d];
    const inv = geometry.invSide[d];
    // As cellOnAxis. An axis of one cell has inv = 0 and an offset that may be infinite: NaN counts as cell 0.
    if (inv !== 0) {
      for (let i = 0, k = d; i < cells.length; i++, k += dim) {
        cells[i] += Math.imul(Math.floor((coords[k] - origin) * inv), stride);
      }
    }
    stride *= geometry.cellCounts[d];
  }
  return cells;
}

/** Exclusive scan of the cell sizes, with room for one more value. */
function countCells(cells: Int32Array, cellTotal: number): Int32Array {
  const cellStart = new Int32Array(cellTotal + 1);
  for (let i = 0; i < cells.length; i++) cellStart[cells[i]]++;
  let sum = 0;
  for (let c = 0; c <= cellTotal; c++) {
    const size = cellStart[c];
    cellStart[c] = sum;
    sum += size;
  }
  return cellStart;
}

interface GridArrays {
  readonly cellStart: Int32Array;
  readonly cellOf: Int32Array;
  readonly pointOrder: Int32Array;
  readonly positionOf: Int32Array;
}

class DenseGrid implements DenseUniformGrid {
  readonly layout = 'dense';
  readonly geometry: GridGeometry;
  readonly dim: number;
  readonly n: number;
  readonly cellCount: number;
  readonly cellStart: Int32Array;
  readonly cellOf: Int32Array;
  readonly pointOrder: Int32Array;
  readonly positionOf: Int32Array;
  readonly sortedCoords: Float32Array | Float64Array;
  // Cells on each axis; 1 beyond dim, so that every grid is walked as one of 4 axes.
  readonly #n0: number;
  readonly #n1: number;
  readonly #n2: number;
  readonly #n3: number;

  constructor(geometry: GridGeometry, arrays: GridArrays, sortedCoords: Float32Array | Float64Array) {
    this.geometry = geometry;
    this.dim = geometry.dim;
    this.n = arrays.pointOrder.length;
    this.cellCount = geometry.cellTotal;
    this.cellStart = arrays.cellStart;
    this.cellOf = arrays.cellOf;
    this.pointOrder = arrays.pointOrder;
    this.positionOf = arrays.positionOf;
    this.sortedCoords = sortedCoords;
    const counts = geometry.cellCounts;
    this.#n0 = counts[0];
    this.#n1 = counts.length > 1 ? counts[1] : 1;
    this.#n2 = counts.length > 2 ? counts[2] : 1;
    this.#n3 = counts.length > 3 ? counts[3] : 1;
  }

  neighborRanges(cell: number, ranges: Int32Array): number {
    const {cellStart} = this;
    const n0 = this.#n0;
    const n1 = this.#n1;
    const n2 = this.#n2;
    const n3 = this.#n3;
    const row = Math.trunc(cell / n0);
    const c0 = cell - row * n0;
    const first = c0 > 0 ? c0 - 1 : 0;
    const last = c0 + 1 < n0 ? c0 + 2 : n0;
    const plane = Math.trunc(row / n1);
    const c1 = row - plane * n1;
    const c3 = Math.trunc(plane / n2);
    const c2 = plane - c3 * n2;
    let count = 0;
    for (let w = c3 > 0 ? c3 - 1 : 0; w <= c3 + 1 && w < n3; w++) {
      for (let z = c2 > 0 ? c2 - 1 : 0; z <= c2 + 1 && z < n2; z++) {
        for (let y = c1 > 0 ? c1 - 1 : 0; y <= c1 + 1 && y < n1; y++) {
          const base = ((w * n2 + z) * n1 + y) * n0;
          const start = cellStart[base + first];
          const end = cellStart[base + last];
          if (start === end) continue;
          ranges[count++] = start;
          ranges[count++] = end;
        }
      }
    }
    return count >> 1;
  }
}
