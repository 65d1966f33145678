import type {KdTree} from '@epsball/kd-tree';
import {lowestWeights, searchRound, type RoundSteps} from '../tree/boruvka.ts';
import {createState, layCores, type BoruvkaState} from '../tree/boruvkaState.ts';
import type {ClusterState} from './clusterState.ts';

/** The internal nodes of all trees. */
export interface InternalNodes {
  readonly dim: number;
  readonly coords: Float64Array;
  /** Squared all-points core distances. */
  readonly core: Float64Array;
  readonly cluster: Int32Array;
}

/** The internal nodes, in the memory of the clusters, whose coordinates, core distances and edges are lost. */
export function internalNodes({dim, start, coords, core, from, degree}: ClusterState): InternalNodes {
  let count = 0;
  for (let c = 0; c + 1 < start.length; c++) {
    for (let p = start[c]; p < start[c + 1]; p++) {
      if (degree[p] < 2) continue;
      for (let d = 0; d < dim; d++) coords[count * dim + d] = coords[p * dim + d];
      core[count] = core[p];
      from[count++] = c;
    }
  }
  const nodes = {coords: coords.subarray(0, count * dim), core: core.subarray(0, count)};
  return {dim, ...nodes, cluster: from.subarray(0, count)};
}

/**
 * The smallest w² from the internal nodes of each of k ≥ 2 clusters to those of the others: the first round of Borůvka
 * with the clusters as components.
 *
 * @complexity  O(nodes · log nodes) for few dimensions
 * @source      Moulavi et al. 2014, definition 6
 */
export async function separationsSquared(
  {core, cluster}: InternalNodes,
  k: number,
  tree: KdTree,
  options: {readonly isShared: boolean; readonly steps: (state: BoruvkaState) => RoundSteps},
): Promise<Float64Array> {
  const state = createState(tree, options);
  for (let p = 0; p < tree.n; p++) {
    state.core[p] = core[tree.pointOrder[p]];
    state.component[p] = cluster[tree.pointOrder[p]];
  }
  layCores(state);
  const best = await searchRound(state, options.steps(state), k);
  lowestWeights(state, best);
  return best;
}
