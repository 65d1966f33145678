/**
 * Cells whose points are all neighbours, in up to 4 dimensions, without a box:
 *
 *     cell[d] = floor(fl(x[d] · invSide))
 *
 * Coordinates are at most 2^40 sides from 0, so fl(x · invSide) is off by at most 2^-12. The side is
 * eps / √dim · (1 − 2^-10): coordinates of two points of a cell differ by less than side · (1 + 2^-11) on an axis, and
 * the squares add up to less than eps² · (1 − 2^-11)², which the roundings of d² and eps², below 2^-49, do not reach.
 */
export interface CellGeometry {
  readonly dim: number;
  readonly invSide: number;
  /** Largest absolute coordinate. */
  readonly reach: number;
  /** The bound of d² in sides, with room for roundings. */
  readonly limitInSides: number;
  /** Cells between those of neighbours on an axis, at most. */
  readonly reachInCells: number;
  /** Cells that may have neighbours of the points of a cell, without itself, at most. */
  readonly offsetCount: number;
}

/** Cells from 0, at most. */
const CELLS_MAX = 2 ** 40;

const SIDE_MARGIN = 1 - 2 ** -10;

/** By this much, in sides, the distance of a point and a cell is off at most. */
export const GAP_ERROR: number = 2 ** -11;

/**
 * Range of eps in which squares, and those of the largest coordinates, are normal float64 numbers: rounding errors are
 * relative.
 */
export const EPS_MIN: number = 2 ** -400;
export const EPS_MAX: number = 2 ** 400;

/** @param eps  from `EPS_MIN` to `EPS_MAX`, Euclidean */
export function cellGeometry(dim: number, eps: number): CellGeometry {
  const side = (eps / Math.sqrt(dim)) * SIDE_MARGIN;
  const invSide = 1 / side;
  const limitInSides = (dim / (SIDE_MARGIN * SIDE_MARGIN)) * (1 + 2 ** -20);
  // Two cells k apart leave a gap of k − 1 sides.
  const reachInCells = Math.floor(Math.sqrt(limitInSides) + GAP_ERROR) + 1;
  const offsetCount = countOffsets(dim, reachInCells, limitInSides);
  return {dim, invSide, reach: CELLS_MAX * side, limitInSides, reachInCells, offsetCount};
}

function countOffsets(dim: number, reach: number, limit: number): number {
  const width = 2 * reach + 1;
  let count = -1;
  for (let code = 0; code < width ** dim; code++) {
    let gap = 0;
    for (let d = 0; d < dim; d++) {
      const offset = Math.abs((Math.floor(code / width ** d) % width) - reach);
      gap += Math.max(0, offset - 1 - GAP_ERROR) ** 2;
    }
    if (gap <= limit) count++;
  }
  return count;
}
