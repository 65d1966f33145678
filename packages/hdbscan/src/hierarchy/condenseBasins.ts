import {lambdaOf, type Condensed} from './condense.ts';
import {NEVER, type JoinedBasins} from './joinBasins.ts';

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
  const size = new Float64Array(count);
  const stability = new Float64Array(count);
  const ownStart = new Int32Array(count + 1);
  for (let at = 1; at < leavings.length; at += 2) ownStart[leavings[at] + 1]++;
  for (let c = 0; c < count; c++) ownStart[c + 1] += ownStart[c];
  // Children come after their parents, so their sizes are known.
  for (let c = count - 1; c >= 0; c--) {
    // Points of children, which leave at the last level.
    let below = size[c];
    const end = ownStart[c + 1];
    size[c] += end - ownStart[c];
    if (c > 0) size[parent[c]] += size[c];
    const termOf = (level: number, points: number): number => (lambdaOf(squared[level]) - lambdaOfBirth[c]) * points;
    for (let k = ownStart[c], next = k; k < end; k = next) {
      while (next < end && leavings[2 * next] === leavings[2 * k]) next++;
      const level = ~leavings[2 * k] >>> 0;
      stability[c] += termOf(level, next - k + (level === death[c] ? below : 0));
      if (level === death[c]) below = 0;
    }
    if (below > 0) stability[c] += termOf(death[c], below);
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
