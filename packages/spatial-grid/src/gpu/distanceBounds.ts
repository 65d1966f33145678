/**
 * Where float32 may decide a neighbourhood, derived from what float32 can get wrong. Between the two bounds a kernel
 * asks software float64 (neighborhood.wgsl).
 */
export interface DistanceBounds {
  /** A computed d² below this means neighbours. */
  readonly sureBelow: number;
  /** A computed d² above this means no neighbours. */
  readonly sureAbove: number;
  /** 1 where float32 cannot hold the squares: every pair is decided by software float64. */
  readonly isExactOnly: 0 | 1;
}

/** Outside these, squares under- or overflow in float32, or flushed subnormals are not small beside eps. */
const MIN_EPS = 2 ** -50;
const MAX_EPS = 2 ** 50;
const MAX_MAGNITUDE = 2 ** 60;

/**
 * Bounds for kernels that compute d² in float32 in any order, fused or not.
 *
 * Rounding. Let u = 2^-24. Each difference carries a factor (1 + δ), |δ| ≤ u, squared in the sum; each product and each
 * of the dim − 1 additions another. All terms are ≥ 0, so the sum's relative error is below (1 + u)^(dim + 3) − 1 < (dim + 4) · u
 * in whatever order it is formed. We take (dim + 4) · 2^-22, four times that: the reference's own float64 roundings
 * ((dim + 3) · 2^-53), the rounding of the bounds to float32 and flushed subnormals (2^-126 on a difference of at least
 * eps · 2^-25 ≥ 2^-75) fit in what is left.
 *
 * Displacement. Where kernels see coordinates moved by at most e on each axis (float64 input rounded to float32 relative
 * to the corner of its box), distances move by at most 2 · e · √dim by the triangle inequality.
 *
 * @param displacement  e, in coordinate units; 0 for float32 input
 * @param magnitude     largest |coordinate| that kernels see
 */
export function distanceBounds(dim: number, eps: number, displacement: number, magnitude: number): DistanceBounds {
  const slack = (dim + 4) * 2 ** -22;
  const moved = 2 * displacement * Math.sqrt(dim) * (1 + 2 ** -40);
  // More than 4 squares add up to more: the longest diagonal counts.
  const reach = magnitude * Math.max(1, Math.sqrt(dim / 4));
  const isInRange = eps >= MIN_EPS && eps <= MAX_EPS && reach <= MAX_MAGNITUDE;
  if (!isInRange || moved > MAX_EPS) return {sureBelow: 0, sureAbove: 0, isExactOnly: 1};
  const inner = Math.max(0, eps - moved);
  const outer = eps + moved;
  return {sureBelow: inner * inner * (1 - slack), sureAbove: outer * outer * (1 + slack), isExactOnly: 0};
}

/** Largest displacement of float64 coordinates kept as float32 relative to the corner of a box of this extent. */
export function roundingDisplacement(extent: number, magnitude: number): number {
  // fl32(fl64(x − corner)): half a unit of float32 at the extent, and half one of float64 at the coordinate.
  return extent * 2 ** -24 * (1 + 2 ** -20) + magnitude * 2 ** -53;
}
