import type {LeafOrder} from './leafOrder.ts';

/** The steps of a hierarchy, each behind the steps inside it; the last is around all of them. */
export interface Steps {
  /** The range of entries that each step joins; at least two of them. */
  readonly start: Int32Array;
  readonly end: Int32Array;
  readonly level: Float64Array;
  /** λ of the level. */
  readonly lambda: Float64Array;
  /** The smallest step around each step; −1 for the last. */
  readonly up: Int32Array;
  /** By entry: the smallest step around it. */
  readonly own: Int32Array;
  /** The smallest point in each step; `NO_POINT` of no points. */
  readonly least: Int32Array;
}

/** λ of a squared distance. */
export function lambdaOf(squared: number): number {
  return 1 / Math.sqrt(squared);
}

const NONE = -1;
/** Larger than any point. */
export const NO_POINT = 0x7fffffff;

/**
 * The steps of a list: all heights of one level in a range are one step. Of fewer than two entries there is one step.
 *
 * @param coreSquared  squared core distances by point
 * @returns            owned by the caller; 36 bytes an entry
 * @complexity         O(n)
 */
export function stepsOf({order, heights}: LeafOrder, coreSquared: Float64Array): Steps {
  const n = heights.length;
  if (n < 2) return stepOfOne(n, coreSquared);
  const most = n - 1;
  const steps = {start: new Int32Array(most), end: new Int32Array(most), level: new Float64Array(most)};
  /** Open steps of falling levels. */
  const levels = new Float64Array(n);
  const starts = new Int32Array(n);
  let open = 0;
  let count = 0;
  for (let k = 1; k <= n; k++) {
    // At the end all steps close: no level is at least NaN.
    const height = k === n ? NaN : heights[k];
    let start = k - 1;
    while (open > 0 && !(levels[open - 1] >= height)) {
      open--;
      start = starts[open];
      steps.start[count] = start;
      steps.end[count] = k;
      steps.level[count++] = levels[open];
    }
    if (k === n || (open > 0 && levels[open - 1] === height)) continue;
    levels[open] = height;
    starts[open++] = start;
  }
  const [start, end] = [steps.start.subarray(0, count), steps.end.subarray(0, count)];
  const level = steps.level.subarray(0, count);
  return {start, end, level, lambda: level.map(lambdaOf), ...nesting(start, end, order)};
}

/** An entry alone has an edge to itself, which goes at its core distance (Campello et al. 2013). */
function stepOfOne(n: number, [level = Infinity]: Float64Array): Steps {
  return {
    start: Int32Array.of(0),
    end: Int32Array.of(n),
    level: Float64Array.of(level),
    lambda: Float64Array.of(lambdaOf(level)),
    up: Int32Array.of(NONE),
    own: new Int32Array(n),
    least: Int32Array.of(n === 0 ? NO_POINT : 0),
  };
}

function nesting(start: Int32Array, end: Int32Array, order: Int32Array): Pick<Steps, 'up' | 'own' | 'least'> {
  const up = new Int32Array(start.length).fill(NONE);
  const own = new Int32Array(order.length);
  const least = new Int32Array(start.length).fill(NO_POINT);
  /** By first entry: the last step so far that begins there. */
  const from = new Int32Array(order.length).fill(NONE);
  for (let step = 0; step < start.length; step++) {
    for (let k = start[step]; k < end[step];) {
      const inside = from[k];
      if (inside === NONE) {
        own[k] = step;
        const point = order[k++];
        if (point < least[step]) least[step] = point;
      } else {
        up[inside] = step;
        if (least[inside] < least[step]) least[step] = least[inside];
        k = end[inside];
      }
    }
    from[start[step]] = step;
  }
  return {up, own, least};
}
