import {gaussianCutBound} from './gaussianCut.ts';

/** Unit roundoff of float64 and of float32. */
export const UNIT_64: number = 2 ** -53;
export const UNIT_32: number = 2 ** -24;

/** Terms of a partial sum, on every backend; and most rows of cells around a position. */
const TERMS = 256;
const ROWS = 125;

/** Beyond so many bandwidths a weight is 0 in float64, and in float32 before. */
const VANISHED = 38.7;

/** Trajectories that have arrived, and how their steps were computed. */
interface ArrivedTrajectories {
  readonly n: number;
  readonly dim: number;
  /** In bandwidths; 0: no cut. */
  readonly cut: number;
  /** Least sum of weights of a last step, > 0. */
  readonly leastWeight: number;
  /** In bandwidths: the last step was shorter. */
  readonly tolerance: number;
  /** Unit roundoff of sums, and of coordinates: 2^−53, 2^−24, or between them. */
  readonly unit: number;
  readonly coordUnit: number;
  /** Largest coordinate that is computed with, in bandwidths. */
  readonly farthest: number;
  /** Whether sums are of coordinates, or of offsets from the position. */
  readonly sumsCoords: boolean;
}

/**
 * Bounds the length, in bandwidths, of one more step with the whole Gaussian from the end of a trajectory over points.
 *
 * Let the last step lead from x to the end y = x + s, let t(p) be the whole Gaussian's step from p, W(p) its sum of
 * weights, and ‖s‖ < τ.
 *
 * - At x the two steps differ by the cut, B (`gaussianCutBound`), and by rounding, ρ: ‖t(x)‖ ≤ τ + B + ρ.
 * - From x to y, t changes by ∇t = C / h² − 1, where C is the covariance of the weighted points: positive, with a trace
 *   of at most Σ w·r² / W = −2·Σ w·ln w / W ≤ 2·ln(n / W) = ℓ² by Jensen's inequality. ln W falls by at most ‖t‖ ≤ ℓ
 *   for each bandwidth, so ℓ grows by at most 1 for each bandwidth. Hence ‖t(y)‖ ≤ ‖t(x)‖ + τ · max(1, (ℓ + τ)² − 1).
 * - Rounding. An error of δ in the coordinates changes a step by at most (1 + ℓ²)·δ: a mean of displacements, and
 *   weights whose logarithms change by r·δ. The relative error of a weight is at most ((dim + 6)·r² + 6) · u, which
 *   counts with d − t: Σ w·r²·‖d − t‖ / W ≤ 2 · min(cut, 38.7) · ℓ². Sums of offsets, whose mean length is below ℓ,
 *   have an error of at most (256 + 125 + n / 256) · u of it; sums of coordinates of as much of the largest coordinate.
 *
 * @returns  Infinity if the cut has no bound
 */
export function endBound(trajectories: ArrivedTrajectories): number {
  const {n, dim, cut, leastWeight, tolerance, unit, coordUnit, farthest, sumsCoords} = trajectories;
  const ell = Math.sqrt(2 * Math.log(Math.max(1, n / leastWeight)));
  const ofCut = cut === 0 ? 0 : gaussianCutBound(cut, n, leastWeight);
  // A point's coordinate is rounded twice, a position once.
  const displaced = 4 * coordUnit * farthest * (1 + ell * ell);
  const reach = cut === 0 ? VANISHED : Math.min(cut, VANISHED);
  const weights = unit * (2 * (dim + 6) * reach * ell * ell + 12 * ell);
  const sums = unit * (TERMS + ROWS + n / TERMS) * (sumsCoords ? farthest + ell : ell);
  // Covers terms of higher order, and the rounding of the weight.
  const higher = 1 + 2 ** -10;
  return higher * (tolerance * Math.max(2, (ell + tolerance) ** 2) + ofCut + displaced + weights + sums);
}
