import type {PointSet} from '@epsball/clustering';
import type {PointBounds} from '@epsball/spatial-grid';

/** Scales stay in the range of float64, also for boxes of subnormal or infinite extent. */
const SCALE_EXPONENT_MAX = 1000;

/** A float32 holds the scale and the scaled coordinates of float32 points up to this exponent. */
const FLOAT32_EXPONENT_MAX = 120;

/**
 * How the float32 filter sees points: (x − corner) · 2^−q, rounded to float32, where 2^q is at least the longest side
 * of the box of all points, so values are from 0 to 1.
 */
export interface RelativePoints {
  /** 2^−q. */
  readonly scale: number;
  /** The lowest coordinate of each axis, times `scale`. */
  readonly corner: Float64Array;
  /** n · dim, in the caller's order. Undefined: the device computes them from float32 coordinates. */
  readonly relative: Float32Array<ArrayBuffer> | undefined;
  /** 2^unit turns squared distances of the points into squared distances of `relative`. */
  readonly unit: number;
  /** At most this much does a difference on an axis exceed the true one. */
  readonly slack: number;
}

/**
 * @param points  finite, at least one; not modified
 * @param bounds  their box
 * @complexity    O(n · dim) on the host, or O(dim)
 */
export function relativePoints({coords}: PointSet, {min: low, max: high}: PointBounds): RelativePoints {
  // Halves do not overflow.
  const half = low.reduce((longest, least, d) => Math.max(longest, 0.5 * high[d] - 0.5 * least), 0);
  const exponent = half === 0 ? 0 : Math.ceil(Math.log2(half)) + 2;
  const q = Math.max(-SCALE_EXPONENT_MAX, Math.min(SCALE_EXPONENT_MAX + 26, exponent));
  const scale = 2 ** -q;
  const corner = low.map((least) => least * scale);
  const isOnDevice = coords instanceof Float32Array && Math.abs(q) <= FLOAT32_EXPONENT_MAX;
  // Rounding to float32 at values of at most 1, and of the two products and the difference in float64.
  const magnitude = low.reduce(
    (most, least, d) => Math.max(most, Math.abs(least * scale), Math.abs(high[d] * scale)),
    0,
  );
  const error = 2 ** -24 + magnitude * 2 ** -51;
  return {
    scale,
    corner,
    relative: isOnDevice ? undefined : relativeTo(corner, scale, coords),
    unit: -2 * q,
    slack: Math.fround(2 * error * (1 + 2 ** -20)),
  };
}

function relativeTo(corner: Float64Array, scale: number, coords: PointSet['coords']): Float32Array<ArrayBuffer> {
  const relative = new Float32Array(coords.length);
  for (let at = 0, d = 0; at < relative.length; at++) {
    relative[at] = coords[at] * scale - corner[d];
    d = d + 1 === corner.length ? 0 : d + 1;
  }
  return relative;
}
