/**
 * Bounds between which float32 cannot decide whether two points are neighbours, derived from its rounding errors.
 * Between them a kernel uses software float64 (neighborhood.wgsl).
 */
export interface DistanceBounds {
  /** A computed d² below this means neighbours. */
  readonly sureBelow: number;
  /** A computed d² above this means no neighbours. */
  readonly sureAbove: number;
  /** 1 if float32 cannot hold the squares: software float64 decides every pair. */
  readonly isExactOnly: 0 | 1;
}

/** Outside these, float32 squares under- or overflow, or flushed subnormals are not small compared to eps. */
const MIN_EPS = 2 ** -50;
const MAX_EPS = 2 ** 50;
const MAX_MAGNITUDE = 2 ** 60;

/**
 * Bounds for kernels that compute d² in float32, in any order of summation, fused or not.
 *
 * Rounding. Let u = 2^-24. Each difference carries a factor (1 + δ), |δ| ≤ u, which the square doubles; each product
 * and each of the dim − 1 additions carries another. All terms are ≥ 0, so the relative error of the sum is below
 * (1 + u)^(dim + 3) − 1 < (dim + 4) · u in any order. The bounds use (dim + 4) · 2^-22, four times that. The rest
 * covers the float64 roundings of the reference ((dim + 3) · 2^-53), the rounding of the bounds to float32, and flushed
 * subnormals (2^-126 on a difference of at least eps · 2^-25 ≥ 2^-75).
 *
 * Displacement. If kernels see coordinates moved by at most e on each axis (float64 input rounded to float32 relative
 * to the corner of its box), distances change by at most 2 · e · √dim by the triangle inequality.
 *
 * @param displacement  e, in coordinate units; 0 for float32 input
 * @param magnitude     largest |coordinate| that kernels see
 */
export function distanceBounds(dim: number, eps: number, displacement: number, magnitude: number): DistanceBounds {
  const slack = (dim + 4) * 2 ** -22;
  const moved = 2 * displacement * Math.sqrt(dim) * (1 + 2 ** -40);
  // A sum of more than 4 squares is larger than one square by up to dim / 4: use the longest diagonal.
  const reach = magnitude * Math.max(1, Math.sqrt(dim / 4));
  const isInRange = eps >= MIN_EPS && eps <= MAX_EPS && reach <= MAX_MAGNITUDE;
  if (!isInRange || moved > MAX_EPS) return {sureBelow: 0, sureAbove: 0, isExactOnly: 1};
  const inner = Math.max(0, eps - moved);
  const outer = eps + moved;
  return {sureBelow: inner * inner * (1 - slack), sureAbove: outer * outer * (1 + slack), isExactOnly: 0};
}

/** Maximum displacement of float64 coordinates stored as float32 relative to the corner of a box of this extent. */
export function roundingDisplacement(extent: number, magnitude: number): number {
  // fl32(fl64(x − corner)): half a unit of float32 at the extent, and half a unit of float64 at the coordinate.
  return extent * 2 ** -24 * (1 + 2 ** -20) + magnitude * 2 ** -53;
}
