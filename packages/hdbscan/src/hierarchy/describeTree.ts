import type {HdbscanResult} from '../algorithm.ts';
import type {CheckedParams} from '../checkParams.ts';
import {condense} from './condense.ts';
import {cutTree} from './cutTree.ts';
import {labelPoints} from './labelPoints.ts';
import {numberTree} from './numberTree.ts';
import {selectClusters} from './selectClusters.ts';
import {sortEdges, type TreeEdges} from './sortEdges.ts';

/** A minimum spanning tree by position: neighbours in space are neighbours in memory. */
export interface PositionedTree {
  /** Squared core distances, infinite if the points are fewer than the rank. */
  readonly core: Float64Array;
  /** n − 1 edges between positions, in any order; none if the points are fewer than the rank. */
  readonly edges: TreeEdges;
  /** Whether the edges ascend. */
  readonly isSorted: boolean;
  /** The index of the point at each position. */
  readonly pointOrder: Int32Array;
}

/**
 * The result of a run, from a minimum spanning tree: any one, because all edges of equal weight are one step.
 *
 * @complexity  O(n)
 */
export function describeTree(
  {core, edges: found, isSorted, pointOrder}: PositionedTree,
  params: CheckedParams,
): Omit<HdbscanResult, 'stats'> {
  const n = core.length;
  const hasCores = params.rank <= n;
  const edges = isSorted ? found : sortEdges(found);
  const byPosition = condense(n, edges, params.minClusterSize);
  const condensed = {...byPosition, clusterOf: new Int32Array(n), leaves: new Float64Array(n)};
  const coreSquared = new Float64Array(n);
  for (let p = 0; p < n; p++) {
    const i = pointOrder[p];
    coreSquared[i] = core[p];
    condensed.clusterOf[i] = byPosition.clusterOf[p];
    condensed.leaves[i] = byPosition.leaves[p];
  }
  const isSelected = hasCores ? selectClusters(condensed, params) : new Uint8Array(condensed.parent.length);
  // A square of an eps may be infinite, as the core distances of too few points are.
  const cutSquared = hasCores ? coreSquared : new Float64Array(n).fill(NaN);
  return {
    ...labelPoints(condensed, isSelected),
    condensedTree: numberTree(condensed, isSelected),
    coreSquared,
    treeSquared: edges.squared,
    dbscanClustering: (eps, eps2) => cutTree({coreSquared: cutSquared, edges, pointOrder}, eps, eps2),
  };
}
