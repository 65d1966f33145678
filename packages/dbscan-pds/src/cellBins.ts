import type {CellIndex} from '@epsball/spatial-grid';
import {unite, type PointForest} from '@epsball/union-find';

/** Bins an axis: of side eps / 4. */
const SIDE = 4;

/** More axes have more bins than a cell has points. */
const DIM_MAX = 3;

/** A cell of so many points a bin is worth binning. */
const POINTS_PER_BIN = 2;

/** Extent of the points that are binned, in eps: a cell is hardly wider. The last bin takes what lies beyond. */
const EXTENT_MAX = 1.01;

/** Squares stay in the range of normal float64, so that roundings are relative. */
const EPS_MIN = 2 ** -500;
const EPS_MAX = 2 ** 500;

/** By dimension: see `nearBins`. */
const NEAR_BINS: readonly Uint8Array[] = Array.from({length: DIM_MAX + 1}, (_, dim) => nearBins(dim));

/**
 * Points of one crowded cell in bins, to spare tests: points whose bins are near are neighbours.
 *
 * Two points whose bins are a[d] steps apart on axis d differ by at most (a[d] + 1) · eps / 4 there, and the last bin adds
 * eps / 100. Bins with Σ (a[d] + 1)² ≤ 15 are taken to be near: in up to three dimensions their points are at most
 * (√15 / 4 + √3 / 100) · eps < 0.99 eps apart, and roundings are by far smaller than what is missing.
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
  /** By bin: the points in near bins. */
  readonly #near: Int32Array;
  readonly #low: Float64Array;
  /** Bin of each point, from the first one on; grows. */
  #bins = new Uint8Array(0);
  #start = 0;
  #end = 0;

  constructor({sortedCoords, dim}: CellIndex, eps: number) {
    this.#coords = sortedCoords;
    this.#dim = dim;
    const isMeant = dim <= DIM_MAX && eps > EPS_MIN && eps < EPS_MAX;
    this.#binCount = isMeant ? SIDE ** dim : 0;
    this.#inverse = SIDE / eps;
    this.#extentMax = EXTENT_MAX * eps;
    this.#isNear = NEAR_BINS[isMeant ? dim : 0];
    this.#counts = new Int32Array(this.#binCount);
    this.#near = new Int32Array(this.#binCount);
    this.#low = new Float64Array(dim);
  }

  /**
   * Bins the points [start, end), all of one cell.
   *
   * @returns  whether they are worth it; if not, nothing is known of them
   */
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

  /** No more than there are points within eps of one of those that are binned, itself included. */
  sureNeighbors(position: number): number {
    return this.#near[this.#bins[position - this.#start]];
  }

  /**
   * Unites core points among those that are binned, which are sets of their own: those of a bin, and those of near bins. Counts are
   * gone then.
   *
   * @returns  by bin, its first core point or −1: all others are in that one's set
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

  /** The corner of the points' box; returns whether the box is small enough. */
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

/** By bin · bins + bin: 1 where all points of the two are within eps of each other. */
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
