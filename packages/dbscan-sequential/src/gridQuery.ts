import {squaredEps} from '@epsball/clustering';
import {RANGES_LENGTH, type UniformGrid} from '@epsball/spatial-grid';
import type {RegionQuery} from './regionQuery.ts';

/** The loop over one range of positions, written out for each dimension: the sums must not loop over axes. */
type RangeTest = (
  coords: Float32Array | Float64Array,
  position: number,
  start: number,
  end: number,
  eps2: number,
  found: Int32Array,
  count: number,
) => number;

/** Region queries on a uniform grid: the 3^dim cells around a point are tested. */
export class GridQuery implements RegionQuery {
  neighborTests = 0;
  readonly #grid: UniformGrid;
  readonly #eps2: number;
  readonly #testRange: RangeTest;
  readonly #ranges = new Int32Array(RANGES_LENGTH);
  // Seeds of one cell come in runs: its ranges are looked up once a run.
  #cell = -1;
  #rangeCount = 0;

  /** @param eps  that of the grid */
  constructor(grid: UniformGrid, eps: number) {
    this.#grid = grid;
    this.#eps2 = squaredEps(eps);
    this.#testRange = [testRange1, testRange2, testRange3, testRange4][grid.dim - 1];
  }

  neighbors(position: number, found: Int32Array): number {
    const grid = this.#grid;
    const ranges = this.#ranges;
    const coords = grid.sortedCoords;
    const eps2 = this.#eps2;
    const testRange = this.#testRange;
    const cell = grid.cellOf[position];
    if (cell !== this.#cell) {
      this.#cell = cell;
      this.#rangeCount = grid.neighborRanges(cell, ranges);
    }
    const last = 2 * this.#rangeCount;
    let count = 0;
    let tests = 0;
    for (let r = 0; r < last; r += 2) {
      const start = ranges[r];
      const end = ranges[r + 1];
      tests += end - start;
      count = testRange(coords, position, start, end, eps2, found, count);
    }
    this.neighborTests += tests;
    return count;
  }
}

const testRange1: RangeTest = (coords, position, start, end, eps2, found, count) => {
  const x = coords[position];
  for (let k = start; k < end; k++) {
    const dx = x - coords[k];
    if (dx * dx <= eps2) found[count++] = k;
  }
  return count;
};

const testRange2: RangeTest = (coords, position, start, end, eps2, found, count) => {
  const x = coords[2 * position];
  const y = coords[2 * position + 1];
  for (let k = start; k < end; k++) {
    const dx = x - coords[2 * k];
    const dy = y - coords[2 * k + 1];
    if (dx * dx + dy * dy <= eps2) found[count++] = k;
  }
  return count;
};

const testRange3: RangeTest = (coords, position, start, end, eps2, found, count) => {
  const x = coords[3 * position];
  const y = coords[3 * position + 1];
  const z = coords[3 * position + 2];
  for (let k = start; k < end; k++) {
    const dx = x - coords[3 * k];
    const dy = y - coords[3 * k + 1];
    const dz = z - coords[3 * k + 2];
    if (dx * dx + dy * dy + dz * dz <= eps2) found[count++] = k;
  }
  return count;
};

const testRange4: RangeTest = (coords, position, start, end, eps2, found, count) => {
  const x = coords[4 * position];
  const y = coords[4 * position + 1];
  const z = coords[4 * position + 2];
  const w = coords[4 * position + 3];
  for (let k = start; k < end; k++) {
    const dx = x - coords[4 * k];
    const dy = y - coords[4 * k + 1];
    const dz = z - coords[4 * k + 2];
    const dw = w - coords[4 * k + 3];
    if (dx * dx + dy * dy + dz * dz + dw * dw <= eps2) found[count++] = k;
  }
  return count;
};
