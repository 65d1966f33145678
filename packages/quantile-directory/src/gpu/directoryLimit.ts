import type {Projection} from '../projection.ts';
import {neighborReach} from '../reach.ts';

/** Outside these, squares under- or overflow in float32, or flushed subnormals are not small beside eps. */
const MIN_EPS = 2 ** -50;
const MAX_REACH = 2 ** 50;

/**
 * Above every gap2: keys and intervals are at most 2^61 in magnitude (directory.wgsl), so four squared gaps sum up to at
 * most 4 · (2^62)² = 2^126.
 */
const NO_LIMIT = 2 ** 127;

/** What kernels see instead of exact keys. */
export interface KeyErrors {
  /** Keys of two points are at most this factor farther apart than the points. */
  readonly stretch: number;
  /** A key may be off by so much, in coordinate units. */
  readonly displacement: number;
}

/** Keys that are coordinates: exact for float32 points, `displacement` off for float64 ones. */
export function coordinateErrors(displacement: number): KeyErrors {
  return {stretch: 1, displacement};
}

/**
 * Keys that are projections, rounded to float32: half a unit more at the largest, and 2^-125 for what a device may flush.
 */
export function projectionErrors({stretch, displacement, magnitude}: Projection): KeyErrors {
  return {stretch, displacement: displacement + magnitude * 2 ** -24 * (1 + 2 ** -20) + 2 ** -125};
}

/**
 * The `limit2` of directory.wgsl: a gap2 above it, as a kernel computes it in float32, means that no point of the node is a
 * neighbour of the query.
 *
 * Let K(x) be the keys of x without rounding, k(x) what a kernel sees. |K(x) − K(y)| ≤ stretch · |x − y|, and each
 * component of k is off by at most `displacement`, so the keys of neighbours are at most
 * L = stretch · reach + 2 · displacement · √levels apart. Clamping brings nothing farther apart. On each axis the gap to
 * the interval of a node that holds y is at most |k(x) − k(y)|. So without rounding gap2 ≤ L².
 *
 * Rounding. Let u = 2^-24. A gap carries a factor (1 + δ), |δ| ≤ u, squared in the sum; each product and each of at most
 * levels − 1 additions another, fused or not, and all terms are ≥ 0: together less than (levels + 3) · u, relative. We allow
 * (levels + 4) · 2^-22, four times that: the rounding of the limit itself to float32, of its formula, and flushed
 * subnormals (2^-126 on a gap, beside an eps of at least 2^-50) fit in what is left.
 *
 * @returns  a limit that leaves out no node where float32 cannot hold the squares: then all points are candidates
 */
export function directoryLimit2(eps: number, levels: number, {stretch, displacement}: KeyErrors): number {
  const reach = stretch * neighborReach(eps) + 2 * displacement * Math.sqrt(levels) * (1 + 2 ** -40);
  // Also true for NaN.
  if (!(eps >= MIN_EPS && reach <= MAX_REACH)) return NO_LIMIT;
  // A stretch below 1 could bring the reach under what flushing costs.
  return Math.max(reach, MIN_EPS) ** 2 * (1 + (levels + 4) * 2 ** -22);
}
