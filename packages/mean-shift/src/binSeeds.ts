import {
  checkInteger,
  DistinctPositions,
  InvalidParameterError,
  pointCount,
  validatePoints,
  type PointSet,
} from '@epsball/clustering';
import {pointBounds, type PointBounds} from '@epsball/spatial-grid';

/**
 * Seeds for `ShiftOptions.seeds`: the bins of a lattice of side `binSize` that hold points. Far fewer trajectories than
 * one for each point, and about the same clusters.
 *
 * @param binSize       finite, ≥ 0; usually the bandwidth. 0: the points themselves are the seeds, whatever
 *                      `minFrequency`
 * @param minFrequency  bins with fewer points give no seed; integer ≥ 1
 * @returns             float32 coordinates in the order of each bin's first point, as in scikit-learn; the points
 *                      themselves if every point has a bin of its own, or `binSize` is 0
 * @throws InvalidPointsError     if the coordinates are not whole, finite points
 * @throws InvalidParameterError  if a parameter is out of range
 * @complexity  O(n · dim) expected
 * @source      scikit-learn 1.2, `get_bin_seeds`
 */
export function binSeeds(points: PointSet, binSize: number, minFrequency = 1): PointSet {
  validatePoints(points);
  if (!Number.isFinite(binSize) || binSize < 0) {
    throw new InvalidParameterError('binSize', binSize, 'a finite number ≥ 0');
  }
  checkInteger('minFrequency', minFrequency, 1);
  if (binSize === 0) return points;
  const {coords, dim} = points;
  const {min, max} = pointBounds(points);
  const lattice = layBins(coords, {min, max}, binSize);
  const {firsts, sizes} = findBins(points, {min, max}, lattice);
  const frequent = firsts.filter((_, bin) => sizes[bin] >= minFrequency);
  if (frequent.length === pointCount(points)) return points;
  const seeds = new Float32Array(frequent.length * dim);
  frequent.forEach((first, k) => {
    // A product of float32 numbers is exact in float64, so it is rounded once.
    for (let d = 0; d < dim; d++) {
      seeds[k * dim + d] = Math.fround(binOf(coords[first * dim + d], lattice)) * Math.fround(binSize);
    }
  });
  return {coords: seeds, dim};
}

interface BinLattice {
  readonly side: number;
  /** Whether quotients are rounded to float32 before they are rounded to an integer. */
  readonly isSingle: boolean;
}

/** scikit-learn divides float32 points in float32, which moves some quotients across a half. */
function layBins(coords: PointSet['coords'], {min, max}: PointBounds, binSize: number): BinLattice {
  const largest = max.reduce((most, x, d) => Math.max(most, x, -min[d]), 0);
  const isSingle = coords instanceof Float32Array && largest / Math.fround(binSize) < SINGLE_MAX;
  return {side: isSingle ? Math.fround(binSize) : binSize, isSingle};
}

interface Bins {
  readonly firsts: number[];
  readonly sizes: ArrayLike<number>;
}

/** Uses a table of all bins in the box of the points if it is not much longer than the list of points, else hashes. */
function findBins(points: PointSet, {min, max}: PointBounds, lattice: BinLattice): Bins {
  const {coords, dim} = points;
  const {side, isSingle} = lattice;
  const n = pointCount(points);
  const lowest = min.map((x) => binOf(x, lattice));
  const widths = max.map((x, d) => binOf(x, lattice) - lowest[d] + 1);
  const length = widths.reduce((product, width) => product * width, 1);
  const isNear = [...lowest, ...lowest.map((low, d) => low + widths[d])].every((bin) => Math.abs(bin) < ROUNDS_BELOW);
  if (!isNear || !(length <= Math.max(TABLE_MIN, TABLE_PER_POINT * n))) return findHashedBins(points, lattice);
  // One short loop for each axis: these divisions take most of the time.
  const indices = new Int32Array(n);
  for (let d = 0, stride = 1; d < dim; stride *= widths[d++]) {
    const low = lowest[d];
    for (let i = 0, k = d; i < n; i++, k += dim) {
      const quotient = isSingle ? Math.fround(coords[k] / side) : coords[k] / side;
      indices[i] += (quotient + ROUNDER - ROUNDER - low) * stride;
    }
  }
  const firsts: number[] = [];
  const sizes: number[] = [];
  const table = new Int32Array(length).fill(-1);
  for (let i = 0; i < n; i++) {
    const bin = table[indices[i]];
    if (bin >= 0) {
      sizes[bin]++;
      continue;
    }
    table[indices[i]] = firsts.length;
    firsts.push(i);
    sizes.push(1);
  }
  return {firsts, sizes};
}

function findHashedBins({coords, dim}: PointSet, lattice: BinLattice): Bins {
  const bins = new Float64Array(coords.length);
  for (let k = 0; k < bins.length; k++) bins[k] = binOf(coords[k], lattice);
  const positions = new DistinctPositions(bins, dim);
  const sizes = new Int32Array(bins.length / dim);
  for (let i = 0; i < sizes.length; i++) sizes[positions.add(i)]++;
  return {firsts: Array.from({length: positions.count}, (_, bin) => positions.pointAt(bin)), sizes};
}

const TABLE_MIN = 2 ** 16;
const TABLE_PER_POINT = 4;

/**
 * Added to a number below `ROUNDS_BELOW` and subtracted again, it rounds to the nearest integer, ties to even: between
 * 2^52 and 2^53 float64 has only integers.
 */
const ROUNDER = 1.5 * 2 ** 52;
const ROUNDS_BELOW = 2 ** 50;

/** Below every number that float32 rounds to infinity. */
const SINGLE_MAX = 2 ** 127;

/** The nearest integer number of bins from the origin, ties to even, with the sign of the coordinate. */
function binOf(x: number, {side, isSingle}: BinLattice): number {
  const value = isSingle ? Math.fround(x / side) : x / side;
  return value - Math.floor(value) === 0.5 ? 2 * Math.round(value / 2) : Math.round(value);
}
