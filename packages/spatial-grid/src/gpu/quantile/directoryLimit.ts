import type {Projection} from '../../quantile/projection.ts';
import {neighborReach} from '../../quantile/reach.ts';

/** Beyond these, squares underflow or overflow in float32, or flushed subnormals are not small relative to eps. */
const MIN_EPS = 2 ** -50;
const MAX_REACH = 2 ** 50;

/**
 * Exceeds every gap2: keys and intervals are at most 2^61 in magnitude (directory.wgsl), so the sum of four squared
 * gaps is at most 4 · (2^62)² = 2^126.
 */
const NO_LIMIT = 2 ** 127;

/** Error bounds of the keys that kernels read. */
export interface KeyErrors {
  /** Upper bound of the ratio of the distance of two exact keys to the distance of their points. */
  readonly stretch: number;
  /** Upper bound of the error of a key, in coordinate units. */
  readonly displacement: number;
}

/** Adds the rounding to float32, half a unit in the last place of the largest projection, and flushing. */
export function projectionErrors({stretch, displacement, magnitude}: Projection): KeyErrors {
  return {stretch, displacement: displacement + magnitude * 2 ** -24 * (1 + 2 ** -20) + 2 ** -125};
}

/**
 * The `limit2` of directory.wgsl. If a gap2 that a kernel computes in float32 exceeds it, no point of the node is a
 * neighbour of the query.
 *
 * Let K(x) be the exact keys of x and k(x) the keys that a kernel reads. |K(x) − K(y)| ≤ stretch · |x − y|, and the
 * error of each component of k is at most `displacement`. So the keys of neighbours are at most L = stretch · reach + 2
 * · displacement · √levels apart. Clamping does not increase distances. On each axis the gap to the interval of a node
 * that contains y is at most |k(x) − k(y)|. So without rounding gap2 ≤ L².
 *
 * Rounding. Let u = 2^-24. A gap has a factor (1 + δ), |δ| ≤ u, squared in the sum. Each product and each of at most
 * levels − 1 additions has another, fused or not, and all terms are ≥ 0. Together the relative error is less than
 * (levels + 3) · u. The limit allows (levels + 4) · 2^-22, four times as much. The rest covers the rounding of the
 * limit to float32, the rounding of its formula, and flushed subnormals (2^-126 on a gap, against an eps of at least
 * 2^-50).
 *
 * @returns  a limit above every gap2 if float32 cannot represent the squares: then all points are candidates
 */
export function directoryLimit2(eps: number, levels: number, {stretch, displacement}: KeyErrors): number {
  const reach = stretch * neighborReach(eps) + 2 * displacement * Math.sqrt(levels) * (1 + 2 ** -40);
  // Also true for NaN.
  if (!(eps >= MIN_EPS && reach <= MAX_REACH)) return NO_LIMIT;
  // With a stretch below 1 the reach could be smaller than the error of flushing.
  return Math.max(reach, MIN_EPS) ** 2 * (1 + (levels + 4) * 2 ** -22);
}
