import type {CellIndex} from '@epsball/spatial-grid';
import {unite, type PointForest} from '@epsball/union-find';
import {EPS_MAX, EPS_MIN} from './boxes.ts';

/** Bins along an axis, of side eps / 4. */
const SIDE = 4;

/** With more axes there are more bins than points in a cell. */
const DIM_MAX = 3;

/** Minimum of points per bin for which binning pays. */
const POINTS_PER_BIN = 2;

/** Maximum extent of the points, in eps: a cell is hardly wider. The last bin takes the points beyond its side. */
const EXTENT_MAX = 1.01;

const NEAR_BINS: readonly Uint8Array[] = Array.from({length: DIM_MAX + 1}, (_, dim) => nearBins(dim));

/**
 * Bins of the points of one crowded cell. They save tests: points in near bins are neighbours.
 *
 * Two points whose bins are a[d] steps apart on axis d differ by at most (a[d] + 1) · eps / 4 there; the last bin adds
 * eps / 100. Bins with Σ (a[d] + 1)² ≤ 15 count as near: in up to three dimensions their points are at most
 * (√15 / 4 + √3 / 100) · eps < 0.99 eps apart, and rounding errors are far smaller than the remaining 0.01 eps.
 */
export class CellBins {
  readonly #coords: Float32Array | Float64Array;
  readonly #dim: number;
  readonly #inverse: number;
  readonly #extentMax: number;
  readonly #binCount: number;
  /** By bin · bins + bin: 1 = near. */
  readonly #isNear: Uint8Array;
  readonly #counts: Int32Array;
  /** By bin: number of points in near bins. */
  readonly #near: Int32Array;
  readonly #low: Float64Array;
  /** Bin of each point, counted from `#start`; grows. */
  #bins = new Uint8Array(0);
  #start = 0;
  #end = 0;

  constructor({sortedCoords, dim}: CellIndex, eps: number) {
    this.#coords = sortedCoords;
    this.#dim = dim;
    const isSupported = dim <= DIM_MAX && eps > EPS_MIN && eps < EPS_MAX;
    this.#binCount = isSupported ? SIDE ** dim : 0;
    this.#inverse = SIDE / eps;
    this.#extentMax = EXTENT_MAX * eps;
    this.#isNear = NEAR_BINS[isSupported ? dim : 0];
    this.#counts = new Int32Array(this.#binCount);
    this.#near = new Int32Array(this.#binCount);
    this.#low = new Float64Array(dim);
  }

  /** Bins the points [start, end), all of one cell. Returns whether binning pays; if not, the bins are empty. */
  fill(start: number, end: number): boolean {
    this.#start = start;
    this.#end = start;
    if (!this.#isWorthIt(start, end)) return false;
    this.#end = end;
    if (this.#bins.length < end - start) this.#bins = new Uint8Array(2 * (end - start));
    const bins = this.#bins;
    const binCount = this.#binCount;
    const counts = this.#counts;
    counts.fill(0);
    for (let position = start; position < end; position++) {
      const bin = this.#binOf(position);
      bins[position - start] = bin;
      counts[bin]++;
    }
    const near = this.#near;
    near.fill(0);
    for (let bin = 0, at = 0; bin < binCount; bin++, at += binCount) {
      const count = counts[bin];
      if (count === 0) continue;
      for (let other = 0; other < binCount; other++) if (this.#isNear[at + other] === 1) near[other] += count;
    }
    return true;
  }

  /** A lower bound for the number of points within eps of a binned point, itself included. */
  sureNeighbors(position: number): number {
    return this.#near[this.#bins[position - this.#start]];
  }

  /**
   * Unites the binned core points of near bins, each a set of its own before. Overwrites the counts. Returns by bin its
   * first core point, whose set holds the bin's other core points; or −1.
   */
  uniteNear({isCore, parent}: PointForest): Int32Array {
    const binCount = this.#binCount;
    const bins = this.#bins;
    const start = this.#start;
    const firsts = this.#counts;
    firsts.fill(-1);
    for (let position = start; position < this.#end; position++) {
      if (isCore[position] === 0) continue;
      const bin = bins[position - start];
      if (firsts[bin] < 0) firsts[bin] = position;
      else parent[position] = firsts[bin];
    }
    for (let bin = 0; bin < binCount; bin++) {
      if (firsts[bin] < 0) continue;
      for (let other = 0; other < bin; other++) {
        if (firsts[other] >= 0 && this.#isNear[bin * binCount + other] === 1) unite(parent, firsts[other], firsts[bin]);
      }
    }
    return firsts;
  }

  #isWorthIt(start: number, end: number): boolean {
    const binCount = this.#binCount;
    return binCount > 0 && end - start >= POINTS_PER_BIN * binCount && this.#findLow(start, end);
  }

  /** Finds the lower corner of the points' bounding box. Returns whether the box is small enough. */
  #findLow(start: number, end: number): boolean {
    const coords = this.#coords;
    const dim = this.#dim;
    for (let d = 0; d < dim; d++) {
      let low = coords[start * dim + d];
      let high = low;
      for (let at = start * dim + d; at < end * dim; at += dim) {
        const x = coords[at];
        if (x < low) low = x;
        if (x > high) high = x;
      }
      if (high - low > this.#extentMax) return false;
      this.#low[d] = low;
    }
    return true;
  }

  #binOf(position: number): number {
    const dim = this.#dim;
    let bin = 0;
    for (let d = dim - 1; d >= 0; d--) {
      const step = Math.floor((this.#coords[position * dim + d] - this.#low[d]) * this.#inverse);
      bin = bin * SIDE + (step < SIDE ? step : SIDE - 1);
    }
    return bin;
  }
}

/** By bin · bins + bin: 1 if all points of the two bins are within eps of each other. */
function nearBins(dim: number): Uint8Array {
  const binCount = SIDE ** dim;
  const isNear = new Uint8Array(binCount * binCount);
  for (let bin = 0; bin < binCount; bin++) {
    for (let other = 0; other < binCount; other++) {
      let sum = 0;
      for (let d = 0, stride = 1; d < dim; d++, stride *= SIDE) {
        const steps = (Math.floor(bin / stride) % SIDE) - (Math.floor(other / stride) % SIDE);
        sum += (Math.abs(steps) + 1) ** 2;
      }
      if (sum < SIDE * SIDE) isNear[bin * binCount + other] = 1;
    }
  }
  return isNear;
}
