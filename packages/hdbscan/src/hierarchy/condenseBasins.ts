import type {CondensedClusters} from './condense.ts';
import {lambdaOf} from './steps.ts';
import {NEVER, type JoinedBasins} from './joinBasins.ts';

/** Groups of points that leave one cluster at one level. Clusters ascend, and levels of a cluster descend. */
export interface LeavingGroups {
  /** By cluster: its first group, or `NEVER` if none leaves it last. */
  readonly first: Uint32Array;
  /** By group: its points. The highest bit is set where the cluster ends. */
  readonly points: Uint32Array;
  /** By group: λ of its level. */
  readonly lambda: Float64Array;
}

/**
 * What `condense` says of the same tree, from its basins.
 *
 * @param squared  of the edges, ascending
 * @complexity     O(groups + clusters)
 */
export function condenseBasins(
  {parent, death, birth}: JoinedBasins,
  {first, points, lambda}: LeavingGroups,
  squared: Float64Array,
): CondensedClusters {
  const squaredAt = (levels: Uint32Array): Float64Array => {
    const found = new Float64Array(levels.length);
    for (let c = 0; c < levels.length; c++) found[c] = levels[c] === NEVER ? Infinity : squared[levels[c]];
    return found;
  };
  const [birthSquared, deathSquared] = [squaredAt(birth), squaredAt(death)];
  const size = new Float64Array(parent.length);
  const stability = new Float64Array(parent.length);
  // Children come after their parents, so their sizes are known.
  for (let c = parent.length - 1, end = points.length; c >= 0; c--) {
    const lambdaOfBirth = lambdaOf(birthSquared[c]);
    const start = first[c] === NEVER ? end : first[c];
    // Points of children, which leave at the last level.
    let below = size[c];
    let all = below;
    let sum = 0;
    for (let k = start; k < end; k++) {
      const leaving = points[k] & 0x7fffffff;
      all += leaving;
      const isLast = points[k] !== leaving;
      sum += (lambda[k] - lambdaOfBirth) * (isLast ? leaving + below : leaving);
      if (isLast) below = 0;
    }
    if (below > 0) sum += (lambdaOf(deathSquared[c]) - lambdaOfBirth) * below;
    stability[c] = sum;
    size[c] = all;
    if (c > 0) size[parent[c]] += all;
    end = start;
  }
  return {parent, birthSquared, deathSquared, size, stability};
}
