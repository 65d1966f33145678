import type {PartListener} from '@epsball/clustering';
import {searchRound} from '../tree/boruvka.ts';
import {createState, layCores, NONE} from '../tree/boruvkaState.ts';
import type {ClusterState} from './clusterState.ts';
import type {ValidityEngine} from './engine.ts';

/** The part of the time that the k-d tree takes. */
const TREE_PART = 0.35;

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
  nodes: InternalNodes,
  k: number,
  engine: ValidityEngine,
  onPart: PartListener | undefined,
): Promise<Float64Array> {
  const {core, cluster} = nodes;
  const tree = await engine.buildTree(nodes, (part) => onPart?.(TREE_PART * part));
  const state = createState(tree, engine);
  for (let p = 0; p < tree.n; p++) {
    state.core[p] = core[tree.pointOrder[p]];
    state.component[p] = cluster[tree.pointOrder[p]];
  }
  layCores(state);
  const steps = engine.steps(state, ({done, total}) => onPart?.(TREE_PART + (1 - TREE_PART) * (done / total)));
  const chosen = new Int32Array(steps.buffer(4 * k));
  await searchRound(state, steps, {count: k, chosen, renamed: undefined}, [0, 1]);
  return Float64Array.from(chosen, (p) => (p === NONE ? Infinity : state.foundSquared[p]));
}
