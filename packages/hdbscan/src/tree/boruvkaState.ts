import type {KdTree} from '@epsball/kd-tree';
import type {SortMemory} from '../hierarchy/sortEdges.ts';
import type {TreeEdges} from '../hierarchy/treeEdges.ts';

/** No point or node; not one component. */
export const NONE = -1;

/**
 * A minimum spanning tree of mutual reachability under construction, by position in a k-d tree. The weight of an edge
 * is w² = max(core²ᵢ, core²ⱼ, d²ᵢⱼ), in float64.
 *
 * A plain object of arrays: with `isShared` all of them are in shared memory. In a wave, a thread writes words of its
 * own leaves or positions only, and reads words that earlier waves have written; the weights of components are others.
 */
export interface BoruvkaState {
  readonly tree: KdTree;
  readonly core: Float64Array;
  readonly leaves: Int32Array;
  /** The parent of each node; −1 for the root. */
  readonly parent: Int32Array;
  /** The smallest squared core distance below each node. */
  readonly lowestCore: Float64Array;
  /** The component of each position, 0 … componentCount − 1. */
  readonly component: Int32Array;
  /** The component of each node, if all of its points are in one; else −1. */
  readonly nodeComponent: Int32Array;
  /**
   * No edge from the position to another component is lighter than this. It holds in later rounds, too, because
   * components only grow.
   */
  readonly bound: Float64Array;
  /** The lightest edge to another component that this round has found from each position: weight and other end. */
  readonly foundSquared: Float64Array;
  readonly foundTo: Int32Array;
  /** The memory of `bound` and `foundSquared`, and that of `edges`. */
  readonly sortMemory: SortMemory;
  /** The edges of the tree, one fewer than positions, in the order in which they are found. */
  readonly edges: TreeEdges;
  /** Whether the edge of the smallest indices is the lightest among equal weights; else any of them. */
  readonly isUnique: boolean;
}

/** A round: numbers by component, which threads share. */
export interface Round {
  readonly state: BoruvkaState;
  /** Weights of edges that lead to other components, or infinite: see leafSearch.ts. */
  readonly best: Float64Array;
  /** The position with the lightest edge; −1 without an edge. Absent in the first round, where it is the component. */
  readonly chosen: Int32Array | undefined;
  /** By component of the round before: that of this round. Undefined: the state has those of this round. */
  readonly renamed: Int32Array | undefined;
}

/** What a weight must be below to count as well as `weight`. */
export function weightLimit({isUnique}: BoruvkaState, weight: number): number {
  // The next float64, or the one behind it.
  return isUnique ? weight * (1 + 2 ** -52) + 2 ** -1074 : weight;
}

/** A new state: every position is a component of its own. */
export function createState(
  tree: KdTree,
  {isShared = false, isUnique = false}: {readonly isShared?: boolean; readonly isUnique?: boolean},
): BoruvkaState {
  const {n, right} = tree;
  const nodes = right.length;
  const edges = Math.max(0, n - 1);
  const buffer = (bytes: number): ArrayBufferLike => (isShared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes));
  const sortMemory = [buffer(16 * n), buffer(16 * edges)] as const;
  const state = {
    tree,
    core: new Float64Array(buffer(8 * n)),
    leaves: new Int32Array(buffer(4 * ((nodes + 1) >> 1))),
    parent: new Int32Array(buffer(4 * nodes)),
    lowestCore: new Float64Array(buffer(8 * nodes)),
    component: new Int32Array(buffer(4 * n)),
    nodeComponent: new Int32Array(buffer(4 * nodes)),
    bound: new Float64Array(sortMemory[0], 0, n),
    foundSquared: new Float64Array(sortMemory[0], 8 * n, n),
    foundTo: new Int32Array(buffer(4 * n)),
    edges: {
      squared: new Float64Array(sortMemory[1], 0, edges),
      from: new Int32Array(sortMemory[1], 8 * edges, edges),
      to: new Int32Array(sortMemory[1], 12 * edges, edges),
    },
    sortMemory,
    isUnique,
  };
  let leaves = 0;
  if (nodes > 0) state.parent[0] = NONE;
  for (let node = 0; node < nodes; node++) {
    if (right[node] === 0) {
      state.leaves[leaves++] = node;
    } else {
      state.parent[node + 1] = node;
      state.parent[right[node]] = node;
    }
  }
  for (let p = 0; p < n; p++) state.component[p] = p;
  state.foundTo.fill(NONE);
  return state;
}

/** Fills `lowestCore` from `core`, and starts the bounds: no edge of a position is lighter than its core distance. */
export function layCores({tree, core, lowestCore, bound}: BoruvkaState): void {
  const {start, end, right} = tree;
  bound.set(core);
  for (let node = right.length - 1; node >= 0; node--) {
    if (right[node] !== 0) {
      lowestCore[node] = Math.min(lowestCore[node + 1], lowestCore[right[node]]);
      continue;
    }
    let lowest = Infinity;
    for (let p = start[node]; p < end[node]; p++) lowest = Math.min(lowest, core[p]);
    lowestCore[node] = lowest;
  }
}

/** Writes the components of a range of leaves. */
export function layLeafComponents({state, renamed}: Round, firstLeaf: number, endLeaf: number): void {
  const {tree, leaves, component, nodeComponent} = state;
  const {start, end} = tree;
  for (let k = firstLeaf; k < endLeaf; k++) {
    const leaf = leaves[k];
    const last = end[leaf];
    if (renamed !== undefined) for (let p = start[leaf]; p < last; p++) component[p] = renamed[component[p]];
    const first = component[start[leaf]];
    let p = start[leaf] + 1;
    while (p < last && component[p] === first) p++;
    nodeComponent[leaf] = p === last ? first : NONE;
  }
}

/** Writes the components of the other nodes. */
export function layNodeComponents({state}: Round): void {
  const {nodeComponent} = state;
  const {right} = state.tree;
  for (let node = right.length - 1; node >= 0; node--) {
    if (right[node] === 0) continue;
    const one = nodeComponent[node + 1];
    nodeComponent[node] = one === nodeComponent[right[node]] ? one : NONE;
  }
}
