// The tasks of threads in a run of HDBSCAN*. Chunks of a sort are ranges of edges: see sortEdges.ts. Those of a
// selection and of `uniteRange` are ranges of positions, or parts of the clusters: see growBasins.ts, condenseGrown.ts
// and boruvka.ts. While the tree is built, a chunk is a node, and nodes of a wave share no word. After that, a chunk is
// a range of leaves. It writes words of its own leaves only, and reads words of other leaves that no task of its wave
// writes: coordinates, core distances (after their wave) and components. The lightest weights of components are shared,
// too: see leafSearch.ts; and so are the chosen edges: see `chooseEdges`.
import {divideKdNode, KD_LEAF_POINTS, splitKdNode, type KdNode, type KdTree} from '@epsball/kd-tree';
import type {BoruvkaState} from '../tree/boruvkaState.ts';
import {findCores} from '../tree/leafSearch.ts';

export {describeRange} from '../hierarchy/describePoints.ts';
export {leavePart} from '../hierarchy/condenseGrown.ts';
export {growRange, placeRange} from '../hierarchy/growBasins.ts';
export {chooseEdges, uniteRange} from '../tree/boruvka.ts';
export {layLeafComponents, layNodeComponents} from '../tree/boruvkaState.ts';
export {searchInside, searchLeaves} from '../tree/leafSearch.ts';
export {countDigits, moveEdges, placeDigits, readEdges, writeSorted} from '../hierarchy/sortEdges.ts';

export interface CoreInput {
  readonly state: BoruvkaState;
  readonly rank: number;
}

export interface NodesInput {
  readonly tree: KdTree;
  readonly nodes: readonly KdNode[];
}

export function splitChunk({tree, nodes}: NodesInput, start: number): KdNode[] {
  return splitKdNode(tree, KD_LEAF_POINTS, nodes[start]);
}

export function divideChunk({tree, nodes}: NodesInput, start: number): void {
  divideKdNode(tree, KD_LEAF_POINTS, nodes[start]);
}

export function coresChunk({state, rank}: CoreInput, start: number, end: number): void {
  findCores(state, rank, start, end);
}
