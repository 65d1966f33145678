/**
 * Collects the positions in [start, end) within eps of a point.
 *
 * @param coords    point-major coordinates by position
 * @param position  the point
 * @param eps2      `limitOf` the radius: eps · eps, or eps in metrics other than Euclidean
 * @param found     receives the positions from index `count` on; the value after the last one is unspecified
 * @param count     number of positions already in `found`
 * @returns         number of positions now in `found`
 */
export type RangeSearch = (
  coords: Float32Array | Float64Array,
  position: number,
  start: number,
  end: number,
  eps2: number,
  found: Int32Array,
  count: number,
) => number;

/** Counts the positions in [start, end) within eps of a point; parameters as for `RangeSearch`. */
export type RangeCount = (
  coords: Float32Array | Float64Array,
  position: number,
  start: number,
  end: number,
  eps2: number,
) => number;
