import type {PointBounds} from '@epsball/spatial-grid';

/** Largest coordinate, relative to the centre: squares of differences are then finite in float32, in 16 dimensions. */
const FARTHEST = 2 ** 60;

/** Least half extent of the points: closer points have the same weights, up to rounding. */
const NEAREST = 2 ** -14;

/** Device units in a bandwidth: a point at distance r, in device units, has the weight 2^(−r²). */
export const UNITS_PER_BANDWIDTH: number = Math.sqrt(Math.LOG2E / 2);

/**
 * Coordinates for kernels: relative to the centre of the box, so that float32 spends its digits on differences, and
 * scaled so that exp(−d² / (2 · bandwidth²)) is exp2(−d²) and no kernel multiplies by the bandwidth.
 */
export interface PointScale {
  readonly center: Float64Array;
  /** Device units in a coordinate unit. */
  readonly factor: number;
}

/**
 * The scale of a run.
 *
 * Two ranges of bandwidths are out of float32's range and are replaced by bandwidths with the same effect. If the box
 * is wider than 2^60 bandwidths, the bandwidth is 2^−60 of the box: far below what float32 resolves. If the box is
 * narrower than 2^−14 bandwidths, all weights are at least 1 − 2^−24, as with a bandwidth of 2^14 boxes.
 *
 * @param box       of the points
 * @param startBox  of the first positions: the same, or that of the seeds
 */
export function boxScale(box: PointBounds, startBox: PointBounds, bandwidth: number): PointScale {
  // Halves first: their sum is finite.
  const center = box.min.map((x, d) => x / 2 + box.max[d] / 2);
  const extent = halfExtent(box, center);
  const farthest = Math.max(extent, halfExtent(startBox, center));
  let factor = UNITS_PER_BANDWIDTH / bandwidth;
  if (extent > 0) factor = Math.max(factor, NEAREST / extent);
  if (farthest > 0) factor = Math.min(factor, FARTHEST / farthest);
  // Neither 0 nor infinite for any bandwidth.
  return {center, factor: Math.min(Math.max(factor, Number.MIN_VALUE), 2 ** 1000)};
}

function halfExtent({min, max}: PointBounds, center: Float64Array): number {
  return center.reduce((extent, x, d) => Math.max(extent, max[d] - x, x - min[d]), 0);
}
