import {squaredDistance, squaredEps, type Radius} from '@epsball/clustering';
import {boxOf, EPS_MAX, EPS_MIN, type CorePair} from './boxes.ts';

/** The search takes discs of this radius, in eps, so that roundings cannot hide a pair (`#search`). */
const INFLATION = 1 + 2 ** -30;

/** Bounds of relative rounding errors: of a square, and of a height. Both are far below `INFLATION − 1`. */
const SQUARE_ERROR = 2 ** -48;
const HEIGHT_ERROR = 2 ** -46;

/**
 * Finds neighbours among two lists of points in a plane that a line parallel to an axis separates: list a below the
 * line, list b above.
 *
 * The disc around a point a has the upper edge a.y + √(r² − (x − a.x)²) at x. A point b has a neighbour if it lies
 * below an edge. Two edges of equal radius cross at most once, and the edge of the left disc is the higher one to the
 * left of the crossing. So the disc with the highest edge moves right with x, and the middle point of b splits both
 * lists: points to its left need no disc right of its highest one, and the reverse.
 *
 * @source  the monotone matrix search of Aggarwal et al. 1987 by halving; the envelope is Gunawan 2013, Section 3.3
 */
export class SeparatedPair {
  readonly #coords: Float32Array | Float64Array;
  readonly #eps2: number;
  readonly #radius: number;
  /** The axis along the line; the other one is across. */
  #axis = 0;
  /** 1 if list a has the lower coordinates across the line, −1 if it has the higher ones. */
  #sign = 1;

  constructor(coords: Float32Array | Float64Array, {eps, eps2 = squaredEps(eps)}: Pick<Radius, 'eps' | 'eps2'>) {
    this.#coords = coords;
    this.#eps2 = eps2;
    this.#radius = eps > EPS_MIN && eps < EPS_MAX ? eps * INFLATION : 0;
  }

  /**
   * A pair of neighbours, one of each list; undefined if there is none; 'overlap' if no axis separates the lists.
   *
   * @complexity  O(m log m) for m points; more if many points are within eps · 2^-30 of the rim of a disc
   */
  find(a: Int32Array, b: Int32Array): CorePair | 'overlap' | undefined {
    if (this.#radius === 0 || !this.#separate(a, b)) return 'overlap';
    const discs = this.#sortAlong(a);
    const points = this.#sortAlong(b);
    return this.#search(points, 0, points.length, discs, 0, discs.length);
  }

  /** Finds the axis across which the lists are apart. */
  #separate(a: Int32Array, b: Int32Array): boolean {
    const one = boxOf(this.#coords, 2, a);
    const other = boxOf(this.#coords, 2, b);
    for (const across of [0, 1]) {
      this.#axis = 1 - across;
      this.#sign = one[2 + across] <= other[across] ? 1 : -1;
      if (this.#sign === 1 || other[2 + across] <= one[across]) return true;
    }
    return false;
  }

  #sortAlong(list: Int32Array): Int32Array {
    const coords = this.#coords;
    const axis = this.#axis;
    return list.slice().sort((p, q) => coords[2 * p + axis] - coords[2 * q + axis]);
  }

  /**
   * Searches the points [first, end) and the discs [low, high).
   *
   * The discs are slightly too large. A point without a neighbour that is inside such a disc is tested against all
   * discs. So a pair is missed only if the highest edge over its point is not among the discs [low, high): but then
   * another edge there is higher than the one of its disc, which is above the point by eps · 2^-31 at least, far more
   * than the roundings of heights, and the point is inside that disc.
   */
  #search(
    points: Int32Array,
    first: number,
    end: number,
    discs: Int32Array,
    low: number,
    high: number,
  ): CorePair | undefined {
    if (first >= end || low >= high) return undefined;
    const middle = (first + end) >>> 1;
    const b = points[middle];
    const near = this.#discsOver(b, discs, low, high);
    if (near.pair !== undefined) return near.pair;
    if (near.isInside) {
      const pair = this.#testAll(b, discs);
      if (pair !== undefined) return pair;
    }
    return (
      this.#search(points, first, middle, discs, low, near.leftEnd) ??
      this.#search(points, middle + 1, end, discs, near.rightStart, high)
    );
  }

  /**
   * The discs that may have the highest edge over a point, [rightStart, leftEnd); if there is none, both are `right`.
   */
  #discsOver(
    b: number,
    discs: Int32Array,
    low: number,
    high: number,
  ): {pair?: CorePair; isInside: boolean; leftEnd: number; rightStart: number} {
    const coords = this.#coords;
    const axis = this.#axis;
    const along = coords[2 * b + axis];
    const across = coords[2 * b + 1 - axis];
    const radius2 = this.#radius * this.#radius;
    const error = radius2 * SQUARE_ERROR;
    let best = Number.NEGATIVE_INFINITY;
    let isInside = false;
    let right = high;
    for (let k = low; k < high; k++) {
      const dx = coords[2 * discs[k] + axis] - along;
      if (dx > 0 && right === high) right = k;
      const dy = this.#sign * (coords[2 * discs[k] + 1 - axis] - across);
      const left = radius2 - dx * dx;
      if (left + error < 0) continue;
      if (dy * dy <= left + error) {
        if (squaredDistance(coords, 2, discs[k], b) <= this.#eps2)
          return {pair: {a: discs[k], b}, isInside, leftEnd: 0, rightStart: 0};
        isInside = true;
      }
      best = Math.max(best, dy + Math.sqrt(Math.max(0, left - error)));
    }
    if (best === Number.NEGATIVE_INFINITY) return {isInside, leftEnd: right, rightStart: right};
    const bound = best - this.#radius * HEIGHT_ERROR;
    let rightStart = high;
    let leftEnd = low;
    for (let k = low; k < high; k++) {
      const dx = coords[2 * discs[k] + axis] - along;
      const left = radius2 - dx * dx + error;
      if (left < 0) continue;
      const dy = this.#sign * (coords[2 * discs[k] + 1 - axis] - across);
      if (dy + Math.sqrt(left) < bound) continue;
      if (rightStart === high) rightStart = k;
      leftEnd = k + 1;
    }
    return {isInside, leftEnd, rightStart};
  }

  #testAll(b: number, discs: Int32Array): CorePair | undefined {
    for (const a of discs) if (squaredDistance(this.#coords, 2, a, b) <= this.#eps2) return {a, b};
    return undefined;
  }
}
