import {gaussianCutBound} from './gaussianCut.ts';

/** The unit of rounding of float64, and of float32. */
export const UNIT_64: number = 2 ** -53;
export const UNIT_32: number = 2 ** -24;

/** Terms that are added up one after another before their sum is added to the rest, on every backend; and rows of cells around a place, at most. */
const TERMS = 256;
const ROWS = 125;

/** Beyond so many bandwidths a weight is 0 in float64; float32's are 0 before. */
const VANISHED = 38.7;

/** Trajectories that have arrived, and how their steps were computed. */
interface ArrivedTrajectories {
  readonly n: number;
  readonly dim: number;
  /** In bandwidths; 0: none. */
  readonly cut: number;
  /** The least sum of weights of a climb's last step, > 0. */
  readonly leastWeight: number;
  /** In bandwidths: the last step was shorter. */
  readonly tolerance: number;
  /** Of sums, and of coordinates: 2^−53 or 2^−24, or between them. */
  readonly unit: number;
  readonly coordUnit: number;
  /** In bandwidths: the largest coordinate that is computed with. */
  readonly farthest: number;
  /** Whether what is summed are coordinates; else offsets from the climb's place. */
  readonly sumsCoords: boolean;
}

/**
 * How far one more step with the whole Gaussian may lead from where a climb over points has ended, in bandwidths, at most.
 *
 * Let the last step lead from x to the end y = x + s, and t(p) be the whole Gaussian's step from p, W(p) its sum of weights, ‖s‖ < τ.
 *
 * - At x the two steps differ by the cut, B (`gaussianCutBound`), and by rounding, ρ: ‖t(x)‖ ≤ τ + B + ρ.
 * - From x to y, t changes by ∇t = C / h² − 1, where C is the covariance of the weighted points: positive, with a trace of at most Σ w·r² / W = −2·Σ w·ln w / W
 *   ≤ 2·ln(n / W) = ℓ² by Jensen's inequality. And ln W falls by ‖t‖ ≤ ℓ a bandwidth at most, so that ℓ grows by 1 a bandwidth at most. Hence
 *   ‖t(y)‖ ≤ ‖t(x)‖ + τ · max(1, (ℓ + τ)² − 1).
 * - Rounding. Coordinates that are off by δ change a step by (1 + ℓ²)·δ: a mean of displacements, and weights whose logarithms change by r·δ. A weight
 *   is off by ((dim + 6)·r² + 6) · u of itself, which counts with d − t: Σ w·r²·‖d − t‖ / W ≤ 2 · min(cut, 38.7) · ℓ². Sums of offsets, whose mean
 *   length is below ℓ, are off by (256 + 125 + n / 256) · u of it; sums of coordinates by as much of the largest.
 *
 * @returns  Infinity where the cut promises nothing
 */
export function endBound(trajectories: ArrivedTrajectories): number {
  const {n, dim, cut, leastWeight, tolerance, unit, coordUnit, farthest, sumsCoords} = trajectories;
  const ell = Math.sqrt(2 * Math.log(Math.max(1, n / leastWeight)));
  const ofCut = cut === 0 ? 0 : gaussianCutBound(cut, n, leastWeight);
  // A point's coordinate is rounded twice, and a place once.
  const displaced = 4 * coordUnit * farthest * (1 + ell * ell);
  const reach = cut === 0 ? VANISHED : Math.min(cut, VANISHED);
  const weights = unit * (2 * (dim + 6) * reach * ell * ell + 12 * ell);
  const sums = unit * (TERMS + ROWS + n / TERMS) * (sumsCoords ? farthest + ell : ell);
  // What is not of the first order, and the rounding of the weight.
  const higher = 1 + 2 ** -10;
  return higher * (tolerance * Math.max(2, (ell + tolerance) ** 2) + ofCut + displaced + weights + sums);
}
