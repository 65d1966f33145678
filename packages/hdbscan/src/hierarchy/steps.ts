/** The steps of a hierarchy, each behind the steps inside it; the last is around all of them. */
export interface Steps {
  /** The range of entries that each step joins; at least two of them. */
  readonly start: Int32Array;
  readonly end: Int32Array;
  readonly level: Float64Array;
  /** The smallest step around each step; −1 for the last. */
  readonly up: Int32Array;
  /** By entry: the smallest step around it. */
  readonly own: Int32Array;
}

const NONE = -1;

/**
 * The steps of a list: all heights of one level in a range are one step.
 *
 * @param heights  of a `LeafOrder`
 * @returns        owned by the caller; 24 bytes an entry
 * @complexity     O(n)
 */
export function stepsOf(heights: Float64Array): Steps {
  const n = heights.length;
  const most = Math.max(0, n - 1);
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
  return {start, end, level: steps.level.subarray(0, count), ...nesting(start, end, n)};
}

function nesting(start: Int32Array, end: Int32Array, n: number): Pick<Steps, 'up' | 'own'> {
  const up = new Int32Array(start.length).fill(NONE);
  const own = new Int32Array(n).fill(NONE);
  /** By first entry: the last step so far that begins there. */
  const from = new Int32Array(n).fill(NONE);
  for (let step = 0; step < start.length; step++) {
    for (let k = start[step]; k < end[step];) {
      const inside = from[k];
      if (inside === NONE) own[k++] = step;
      else {
        up[inside] = step;
        k = end[inside];
      }
    }
    from[start[step]] = step;
  }
  return {up, own};
}
