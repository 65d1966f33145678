import type {PointBounds} from '@epsball/spatial-grid';

/** Coordinates at most so far from the centre: squares of their differences are finite in float32, in 16 dimensions. */
const FARTHEST = 2 ** 60;

/** Half the extent of the points, at least: closer together they weigh the same as if they were so far apart, to a rounding. */
const NEAREST = 2 ** -14;

/** Half the bandwidth's exponent in base 2: a point at scaled distance r weighs 2^(−r²). */
export const UNITS_PER_BANDWIDTH: number = Math.sqrt(Math.LOG2E / 2);

/**
 * Coordinates as kernels take them: relative to the centre of the points' box, so that float32 spends its digits on differences, and
 * scaled so that exp(−d² / (2 · bandwidth²)) is exp2(−d²): no kernel multiplies by the bandwidth.
 */
export interface PointScale {
  readonly center: Float64Array;
  /** Device units in a coordinate unit. */
  readonly factor: number;
}

/**
 * The scale of a run.
 *
 * Two bandwidths are beyond float32 and become what has the same effect. Where the box is over 2^60 bandwidths wide, the bandwidth is
 * 2^−60 of it: still far below what float32 tells apart in it. Where it is under 2^−14 bandwidths, the weights are all 1 − 2^−24 or more, and so they
 * are with a bandwidth of 2^14 boxes.
 *
 * @param box       of the points
 * @param startBox  of what moves: the same, or that of the seeds
 */
export function boxScale(box: PointBounds, startBox: PointBounds, bandwidth: number): PointScale {
  // Halves first: their sum is finite.
  const center = box.min.map((x, d) => x / 2 + box.max[d] / 2);
  const extent = halfExtent(box, center);
  const farthest = Math.max(extent, halfExtent(startBox, center));
  let factor = UNITS_PER_BANDWIDTH / bandwidth;
  if (extent > 0) factor = Math.max(factor, NEAREST / extent);
  if (farthest > 0) factor = Math.min(factor, FARTHEST / farthest);
  // Neither 0 nor infinite, whatever the bandwidth.
  return {center, factor: Math.min(Math.max(factor, Number.MIN_VALUE), 2 ** 1000)};
}

function halfExtent({min, max}: PointBounds, center: Float64Array): number {
  return center.reduce((extent, x, d) => Math.max(extent, max[d] - x, x - min[d]), 0);
}
