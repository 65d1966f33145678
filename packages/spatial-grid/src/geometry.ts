import {squaredEps} from '@epsball/clustering';

/**
 * Layout of a uniform grid's cells. CPU and GPU compute a point's cell with the same float64 operations, so both
 * indexes hold the same cells:
 *
 *     cell[d] = floor((x[d] − origin[d]) · invSide[d])
 *
 * With `epsTime` the last axis is of time, and its cells follow from `epsTime` as those of the others from eps.
 *
 * Guarantee: cells of two neighbours (fl(d²) ≤ fl(eps²), see docs/numerics.md) are at most `reach` apart on every
 * axis, so the (2 · reach + 1)^dim cells around a point contain its whole neighbourhood.
 */
export interface GridGeometry {
  readonly dim: number;
  readonly eps: number;
  /** Cells between neighbours on an axis, at most: 1 where the side exceeds eps. */
  readonly reach: number;
  /** Smallest coordinate on each axis. */
  readonly origin: Float64Array;
  /** 1 / cell side on each axis; 0 if the axis has one cell. */
  readonly invSide: Float64Array;
  /** Cells on each axis, 1 … 2^31 − 1. */
  readonly cellCounts: Float64Array;
  /** Product of `cellCounts`; may exceed n and the maximum length of an array by far. */
  readonly cellTotal: number;
}

/**
 * The side exceeds eps by this factor. With t = fl(fl(x − origin) · invSide) ≤ 2^31, two roundings leave t with
 * an absolute error of at most 2^31 · 2^-52 = 2^-21 cells. Neighbours satisfy |x − y| ≤ eps · (1 + 2^-50), so
 * t(y) − t(x) ≤ (1 + 2^-50) / (1 + 2^-19) + 2 · 2^-21 < 1, and floors of numbers less than 1 apart differ by at most 1.
 */
const SIDE_MARGIN = 1 + 2 ** -19;

/**
 * If eps² is subnormal or 0, fl(d²) ≤ fl(eps²) admits |x − y| up to sqrt(eps² + 2^-1074) ≤ eps + 2^-537. Times are not
 * squared: there it only keeps the side above 0.
 */
const UNDERFLOW_REACH = 2 ** -536;

/** Maximum cells per axis: an index fits in 31 bits, and the margin above holds. */
const MAX_CELLS_PER_AXIS = 2 ** 31 - 1;

/**
 * Divides a bounding box into cells with a side slightly larger than eps.
 *
 * An axis that would have more than 2^31 cells gets wider cells. Then points that crowd in 2^-31 of the box cost more
 * time; the memory does not grow.
 *
 * @param min  smallest coordinate on each axis; `dim` values, finite; copied
 * @param max  largest coordinate on each axis
 * @param eps  finite, > 0
 * @param epsTime  finite, ≥ 0: the last axis is of time, where neighbours satisfy fl(|s − t|) ≤ epsTime, so |s − t| ≤
 *                 epsTime · (1 + 2^-53). Default: all axes are of space
 */
export function gridGeometry(
  min: ArrayLike<number>,
  max: ArrayLike<number>,
  eps: number,
  epsTime?: number,
): GridGeometry {
  return cellsOfSide(min, max, {eps, reach: 1}, eps, epsTime);
}

/** The side of a cell whose diagonal is shorter than eps, in eps / √dim. */
const DIAGONAL_MARGIN = 1 - 2 ** -17;

/** Range of eps in which squares are normal float64 numbers, so that rounding errors are relative. */
const MIN_DIAGONAL_EPS = 2 ** -500;

/**
 * Divides a bounding box into cells whose diagonal is slightly shorter than eps, so that all points of a cell are
 * neighbours: fl(d²) ≤ fl(eps²) for any two of them.
 *
 * Let w = eps / √dim · (1 − 2^-17). `gridGeometry` makes the side w · (1 + 2^-19), and computed cell numbers are off by
 * at most 2^-21 (see SIDE_MARGIN), so coordinates of two points of a cell differ by at most w · (1 + 2^-19) · (1 +
 * 2^-20). The squares add up to at most eps² · (1 − 2^-17)² · (1 + 2^-18.4)² < eps² · (1 − 2^-17), and the roundings of
 * fl(d²) and fl(eps²), relative errors below 2^-50, do not close the gap.
 *
 * Neighbours differ by at most eps · (1 + 2^-50) on an axis, which are √dim · (1 + 2^-16) cells at most: numbers of
 * cells differ by at most 2 in up to 3 dimensions, and by at most 3 in 4.
 *
 * The axis of time is no part of dim. Its side is epsTime · (1 − 2^-17), and numbers of cells differ by at most 2.
 *
 * @param min  as for `gridGeometry`, and so on
 * @returns    undefined where no such cells can be made: an axis of more than 2^31 cells, or eps or epsTime below
 *             2^-500
 */
export function diagonalGeometry(
  min: ArrayLike<number>,
  max: ArrayLike<number>,
  eps: number,
  epsTime?: number,
): GridGeometry | undefined {
  const dim = epsTime === undefined ? min.length : min.length - 1;
  const side = (eps / Math.sqrt(dim)) * DIAGONAL_MARGIN;
  const sideTime = epsTime === undefined ? undefined : epsTime * DIAGONAL_MARGIN;
  const isWide = (low: number, d: number): boolean => {
    const least = (max[d] - low) / (MAX_CELLS_PER_AXIS - 1);
    return d === dim ? least >= Number(sideTime) : least >= side && !areAllNeighbors(eps);
  };
  if (Math.min(eps, epsTime ?? eps) < MIN_DIAGONAL_EPS || Array.from(min).some(isWide)) return undefined;
  return cellsOfSide(min, max, {eps, reach: dim < 4 ? 2 : 3}, side, sideTime);
}

/**
 * Cells of sides slightly larger than `width`, and `widthTime` on the last axis if it is of time; one cell on every
 * axis of space if all points are neighbours within eps.
 */
function cellsOfSide(
  min: ArrayLike<number>,
  max: ArrayLike<number>,
  {eps, reach}: Pick<GridGeometry, 'eps' | 'reach'>,
  width: number,
  widthTime: number | undefined,
): GridGeometry {
  const dim = min.length;
  const origin = Float64Array.from(min);
  const invSide = new Float64Array(dim);
  const cellCounts = new Float64Array(dim);
  let cellTotal = 1;
  for (let d = 0; d < dim; d++) {
    const isTime = widthTime !== undefined && d === dim - 1;
    const extent = max[d] - min[d];
    if (isTime) invSide[d] = inverseSide(extent, widthTime);
    else invSide[d] = areAllNeighbors(eps) ? 0 : inverseSide(extent, width);
    cellCounts[d] = invSide[d] === 0 ? 1 : Math.floor(extent * invSide[d]) + 1;
    cellTotal *= cellCounts[d];
  }
  return {dim, eps, reach, origin, invSide, cellCounts, cellTotal};
}

/** eps² = ∞ exceeds no d². The square of a side shorter than eps may be finite all the same. */
function areAllNeighbors(eps: number): boolean {
  return squaredEps(eps) === Number.POSITIVE_INFINITY;
}

/** 1 / side for an axis of this extent and cells of this width, or 0 for one cell. */
function inverseSide(extent: number, width: number): number {
  const side = Math.max((width + UNDERFLOW_REACH) * SIDE_MARGIN, extent / (MAX_CELLS_PER_AXIS - 1));
  // An infinite extent (> 1.8e308) cannot be divided.
  return extent === Number.POSITIVE_INFINITY || extent < side ? 0 : 1 / side;
}

/** Cell of coordinate `x` on axis `d`. */
export function cellOnAxis(geometry: GridGeometry, d: number, x: number): number {
  const inv = geometry.invSide[d];
  return inv === 0 ? 0 : Math.floor((x - geometry.origin[d]) * inv);
}
