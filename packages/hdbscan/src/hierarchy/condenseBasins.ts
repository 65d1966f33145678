import {lambdaOf, type Condensed} from './condense.ts';
import {NEVER, type JoinedBasins} from './joinBasins.ts';

/** The clusters of basins, and the points of each. */
export interface FilledClusters extends JoinedBasins {
  /** By point. */
  readonly clusterOf: Int32Array;
  /** By point: the squared weight of its level. */
  readonly leavesSquared: Float64Array;
  /** Two words a point, ascending by pairs: the complement of its level, and, as the higher word, its cluster. */
  readonly leavings: Uint32Array;
  /** Of the edges, ascending. */
  readonly squared: Float64Array;
}

/**
 * What `condense` says of the same tree, from its basins.
 *
 * @returns     by point; shares the arrays of `filled`
 * @complexity  O(n)
 */
export function condenseBasins(filled: FilledClusters): Condensed {
  const {parent, death, birth, clusterOf, leavesSquared, leavings, squared} = filled;
  const count = parent.length;
  const squaredAt = (level: number): number => (level === NEVER ? Infinity : squared[level]);
  const births = Float64Array.from(birth, squaredAt);
  const lambdaOfBirth = Float64Array.from(births, lambdaOf);
  const size = new Int32Array(count);
  const stability = new Float64Array(count);
  const ownStart = new Int32Array(count + 1);
  for (let at = 1; at < leavings.length; at += 2) ownStart[leavings[at] + 1]++;
  for (let c = 0; c < count; c++) ownStart[c + 1] += ownStart[c];
  // Children come after their parents, so their sizes are known.
  for (let c = count - 1; c >= 0; c--) {
    // Points of children, which leave at the last level.
    const below = size[c];
    size[c] += ownStart[c + 1] - ownStart[c];
    if (c > 0) size[parent[c]] += size[c];
    let sum = 0;
    let points = 0;
    let level = NEVER;
    for (let k = ownStart[c]; k < ownStart[c + 1]; k++) {
      const next = ~leavings[2 * k] >>> 0;
      if (next !== level && points > 0) {
        sum += (lambdaOf(squared[level]) - lambdaOfBirth[c]) * points;
        points = 0;
      }
      level = next;
      points++;
    }
    if (level !== death[c] && points > 0) {
      sum += (lambdaOf(squared[level]) - lambdaOfBirth[c]) * points;
      points = 0;
    }
    stability[c] = sum + (lambdaOf(squared[death[c]]) - lambdaOfBirth[c]) * (points + below);
  }
  return {
    parent,
    birthSquared: births,
    deathSquared: Float64Array.from(death, squaredAt),
    size,
    stability,
    clusterOf,
    leavesSquared,
  };
}
