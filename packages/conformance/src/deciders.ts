import {squaredDistance, squaredEps} from '@epsball/clustering';

export type Decider = (coords: Float32Array | Float64Array, dim: number, i: number, j: number, eps: number) => boolean;

/** The contract: float64, axes in order, closed. */
export const contractDecider: Decider = (coords, dim, i, j, eps) =>
  squaredDistance(coords, dim, i, j) <= squaredEps(eps);

const {fround} = Math;

/** Sums over the axes, in order, and compares with the squared eps. */
function summed(
  difference: (a: number, b: number) => number,
  add = (sum: number, delta: number): number => sum + delta * delta,
  bound: (eps: number) => number = squaredEps,
): Decider {
  return (coords, dim, i, j, eps) => {
    let sum = 0;
    for (let d = 0; d < dim; d++) sum = add(sum, difference(coords[i * dim + d], coords[j * dim + d]));
    return sum <= bound(eps);
  };
}

export type WrongDecider =
  | 'exclusive'
  | 'root'
  | 'reciprocal'
  | 'float32'
  | 'float32Difference'
  | 'float32Eps'
  | 'float32Coordinates'
  | 'splitCoordinates'
  | 'fused'
  | 'backwards'
  | 'expanded'
  | 'exact';

/**
 * Distance tests that are correct, or nearly correct, in exact arithmetic, but differ from the contract's by rounding.
 * The `hard pairs` in the case list and the mutants are made from them.
 */
export const wrongDeciders: Readonly<Record<WrongDecider, Decider>> = {
  /** d < eps */
  exclusive: (coords, dim, i, j, eps) => squaredDistance(coords, dim, i, j) < squaredEps(eps),

  /** √d² ≤ eps: the root rounds d² one step above eps² down to eps */
  root: (coords, dim, i, j, eps) => Math.sqrt(squaredDistance(coords, dim, i, j)) <= eps,

  /** d²/eps² ≤ 1 by a reciprocal */
  reciprocal: (coords, dim, i, j, eps) => squaredDistance(coords, dim, i, j) * (1 / squaredEps(eps)) <= 1,

  /** every operation in float32, as in a simple GPU kernel */
  float32: summed(
    (a, b) => fround(fround(a) - fround(b)),
    (sum, delta) => fround(sum + fround(delta * delta)),
    (eps) => fround(fround(eps) * fround(eps)),
  ),

  /** the difference in float32, the rest in float64 */
  float32Difference: summed((a, b) => fround(fround(a) - fround(b))),

  /** eps rounded to float32, the rest in float64 */
  float32Eps: (coords, dim, i, j, eps) => squaredDistance(coords, dim, i, j) <= squaredEps(fround(eps)),

  /** coordinates rounded to float32, the rest in float64 */
  float32Coordinates: summed((a, b) => fround(a) - fround(b)),

  /** coordinates as a high and a low float32, which together have 48 of float64's 53 bits */
  splitCoordinates: summed((a, b) => fround(a) + fround(a - fround(a)) - (fround(b) + fround(b - fround(b)))),

  /** fused multiply and add, as compilers can emit for a·a + b */
  fused: summed(
    (a, b) => a - b,
    (sum, delta) => multiplyAdd(delta, delta, sum),
  ),

  /** the axes summed last to first */
  backwards: (coords, dim, i, j, eps) => {
    let sum = 0;
    for (let d = dim - 1; d >= 0; d--) {
      const delta = coords[i * dim + d] - coords[j * dim + d];
      sum += delta * delta;
    }
    return sum <= squaredEps(eps);
  },

  /** |a|² + |b|² − 2a·b */
  expanded: (coords, dim, i, j, eps) => {
    let norms = 0;
    let product = 0;
    for (let d = 0; d < dim; d++) {
      const a = coords[i * dim + d];
      const b = coords[j * dim + d];
      norms += a * a + b * b;
      product += a * b;
    }
    return norms - 2 * product <= squaredEps(eps);
  },

  /** no rounding: the exact distance compared with the exact eps */
  exact: (coords, dim, i, j, eps) => {
    const rounded = squaredDistance(coords, dim, i, j);
    const eps2 = squaredEps(eps);
    // Rounding matters only near eps² and where squares lose bits.
    const isPlain = Math.min(rounded, eps2) > 1e-290 && Math.max(rounded, eps2) < Infinity;
    if (isPlain && Math.abs(rounded - eps2) > 1e-12 * eps2) return rounded <= eps2;
    let sum = 0n;
    for (let d = 0; d < dim; d++) {
      const delta = toInteger(coords[i * dim + d]) - toInteger(coords[j * dim + d]);
      sum += delta * delta;
    }
    return sum <= toInteger(eps) ** 2n;
  },
};

/** x · 2^1074, an integer for every float64. */
function toInteger(x: number): bigint {
  const bits = new BigUint64Array(Float64Array.of(Math.abs(x)).buffer)[0];
  const exponent = bits >> 52n;
  const fraction = bits & 0xf_ffff_ffff_ffffn;
  const magnitude = exponent === 0n ? fraction : (fraction | 0x10_0000_0000_0000n) << (exponent - 1n);
  return x < 0 ? -magnitude : magnitude;
}

/** a·b + c with nearly one rounding: exact product and sum by Dekker and Knuth, then one addition. */
function multiplyAdd(a: number, b: number, c: number): number {
  const product = a * b;
  const aHigh = upperHalf(a);
  const bHigh = upperHalf(b);
  const aLow = a - aHigh;
  const bLow = b - bHigh;
  const productError = aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
  const sum = product + c;
  const shifted = sum - product;
  const sumError = product - (sum - shifted) + (c - shifted);
  return sum + (productError + sumError);
}

/** The upper 26 bits of x (Veltkamp). */
function upperHalf(x: number): number {
  const shifted = x * (2 ** 27 + 1);
  return shifted - (shifted - x);
}
