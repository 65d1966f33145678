// The tasks of `validity`. A chunk is a range of clusters, or of positions for core distances. It writes words of its
// own clusters or positions only, and reads words of other positions of their clusters that earlier waves have written.
import {findAllPointsCores} from '../validity/allPointsCore.ts';
import {sortClusters, type ClusterState} from '../validity/clusterState.ts';
import {growTree} from '../validity/clusterTree.ts';

export function sortChunk(state: ClusterState, start: number, end: number): void {
  sortClusters(state, start, end);
}

export function coresChunk(state: ClusterState, start: number, end: number): void {
  findAllPointsCores(state, start, end);
}

export function treesChunk(state: ClusterState, start: number, end: number): void {
  for (let c = start; c < end; c++) growTree(state, c, state.pairs);
}
