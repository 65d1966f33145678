import {latticeTaps, type LatticeTaps} from '../src/gpu/lattice/latticeTaps.ts';

/** Within so many bandwidths on every axis the relative error of a weight is bounded; beyond, the absolute error. */
const INSIDE = 3;

/** Beyond so many bandwidths weights are 0 on every lattice of `latticeTaps`. */
const FARTHEST = 8;

/** Sampled positions of a point between two nodes, and sampled distances in a bandwidth. */
const PHASES = 16;
const PER_BANDWIDTH = 32;

/** Errors on one axis: of weights, and of weighted differences in bandwidths. */
interface AxisErrors {
  /** Of points inside, relative to the weight. */
  readonly weightInside: number;
  readonly differenceInside: number;
  /** Of points beyond, and of all points. */
  readonly weightBeyond: number;
  readonly differenceBeyond: number;
  readonly weight: number;
  readonly difference: number;
}

/**
 * Bounds the distance, in bandwidths, between one step over a lattice and the same step with the whole Gaussian.
 * Rounding is not included.
 *
 * On one axis the lattice's weight of a point at distance r differs from g = exp(−r²/2) by ε₀, and its weighted
 * difference from −r·g by ε₁. Both are sampled at a raster of distances and of positions between nodes. Weights in D
 * dimensions are products of D such weights. Inside, where |r| ≤ 3 on every axis, |ε₀| ≤ κ₀·g and |ε₁| ≤ κ₁·g, so the
 * relative error of a weight is at most A₀ = (1 + κ₀)^D − 1, and the error of a component of a weighted difference,
 * relative to the weight, at most A₁ = κ₁·(1 + κ₀)^(D−1) + 3·((1 + κ₀)^(D−1) − 1). Beyond, products of the largest
 * values and errors bound both errors by B₀ and B₁.
 *
 * Let m be the whole Gaussian's step, W its sum of weights and E₀, E₁ the errors of the sums. The error of the
 * lattice's step is (E₁ − m·E₀) / (W + E₀). By Jensen's inequality ‖m‖² ≤ Σ w·r² / W = −2·Σ w·ln w / W ≤ 2·ln(n / W) =
 * ℓ². Hence, in units of W + E₀, the bound is
 *
 *     (√D·A₁ + ℓ·A₀) · W + (√D·B₁ + ℓ·B₀) · |beyond|, and W ≤ (W + E₀ + B₀·|beyond|) / (1 − A₀).
 *
 * @param width   nodes in a bandwidth, ≥ 2
 * @param dim     D, 1 to 3
 * @param n       points; also taken for the number of points beyond
 * @param weight  W + E₀, the lattice's sum of weights, > 0
 * @complexity    O(width), and a raster of some 10^4 distances
 */
export function latticeBound(width: number, dim: number, n: number, weight: number): number {
  const {weightInside, differenceInside, weightBeyond, differenceBeyond, weight: most, difference} = axisErrors(width);
  const others = (1 + weightInside) ** (dim - 1);
  const a0 = (1 + weightInside) ** dim - 1;
  // Too coarse a lattice has no bound.
  if (a0 >= 1) return Infinity;
  const a1 = differenceInside * others + INSIDE * (others - 1);
  const edge = Math.exp(-0.5 * INSIDE * INSIDE);
  const any = (1 + most) ** (dim - 1);
  const b0 = (edge + weightBeyond) * any - edge;
  // The axis of the difference lies beyond, or another axis does; r·g is largest at 1.
  const steepest = Math.exp(-0.5);
  const b1 = Math.max(
    (INSIDE * edge + differenceBeyond) * any - INSIDE * edge,
    dim === 1 ? 0 : (steepest + difference) * (edge + weightBeyond) * (1 + most) ** (dim - 2) - steepest * edge,
  );
  const longest = Math.sqrt(2 * Math.log(Math.max(1, n / weight)));
  const whole = (1 + (b0 * n) / weight) / (1 - a0);
  const root = Math.sqrt(dim);
  return (root * a1 + longest * a0) * whole + ((root * b1 + longest * b0) * n) / weight;
}

/** The largest errors on the raster. */
function axisErrors(width: number): AxisErrors {
  const found = {weightInside: 0, differenceInside: 0, weightBeyond: 0, differenceBeyond: 0, weight: 0, difference: 0};
  const taps = latticeTaps(width);
  for (let phase = 0; phase < PHASES; phase++) {
    const sums = nodeSums(taps, width, splineShares(phase / PHASES));
    for (let k = -FARTHEST * PER_BANDWIDTH; k <= FARTHEST * PER_BANDWIDTH; k++) {
      const r = k / PER_BANDWIDTH;
      const gaussian = Math.exp(-0.5 * r * r);
      const {weight, difference} = sums(phase / PHASES + r * width);
      const weightError = Math.abs(weight - gaussian);
      const differenceError = Math.abs(difference + r * gaussian);
      found.weight = Math.max(found.weight, weightError);
      found.difference = Math.max(found.difference, differenceError);
      if (Math.abs(r) <= INSIDE) {
        found.weightInside = Math.max(found.weightInside, weightError / gaussian);
        found.differenceInside = Math.max(found.differenceInside, differenceError / gaussian);
      } else {
        found.weightBeyond = Math.max(found.weightBeyond, weightError);
        found.differenceBeyond = Math.max(found.differenceBeyond, differenceError);
      }
    }
  }
  return found;
}

/**
 * The sums of one point with the given shares of the nodes −1 to 2, at any position, in nodes, within `FARTHEST`
 * bandwidths of node 0.
 */
function nodeSums(
  {reach, pairs}: LatticeTaps,
  width: number,
  shares: readonly number[],
): (position: number) => {weight: number; difference: number} {
  const last = Math.ceil(FARTHEST * width) + 3;
  const weights = new Float64Array(2 * last + 1);
  const differences = new Float64Array(2 * last + 1);
  for (let node = -last; node <= last; node++) {
    for (let j = 0; j < 4; j++) {
      const k = j - 1 - node + reach;
      if (k < 0 || k > 2 * reach) continue;
      weights[node + last] += shares[j] * pairs[2 * k];
      differences[node + last] += (shares[j] * pairs[2 * k + 1]) / width;
    }
  }
  return (position) => {
    const node = Math.floor(position);
    const own = splineShares(position - node);
    let weight = 0;
    let difference = 0;
    for (let j = 0; j < 4; j++) {
      weight += own[j] * weights[node + j - 1 + last];
      difference += own[j] * differences[node + j - 1 + last];
    }
    return {weight, difference};
  };
}

/** Shares of the four nodes −1, 0, 1, 2 in a position at 0 ≤ f < 1: cubic B-splines, as in lattice.wgsl. */
function splineShares(f: number): readonly [number, number, number, number] {
  const g = 1 - f;
  return [g ** 3 / 6, (3 * f ** 3 - 6 * f * f + 4) / 6, (3 * g ** 3 - 6 * g * g + 4) / 6, f ** 3 / 6];
}
