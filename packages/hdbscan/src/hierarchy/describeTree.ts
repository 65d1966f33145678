import type {HdbscanResult} from '../algorithm.ts';
import type {CheckedParams} from '../checkParams.ts';
import {condense} from './condense.ts';
import {cutTree} from './cutTree.ts';
import {buildDendrogram} from './dendrogram.ts';
import {labelPoints} from './labelPoints.ts';
import {numberTree} from './numberTree.ts';
import {selectClusters} from './selectClusters.ts';
import {sortEdges, type TreeEdges} from './sortEdges.ts';

/**
 * The result of a run, from a minimum spanning tree: any one, because all edges of equal weight are one step.
 *
 * @param coreSquared  by point, infinite if the points are fewer than `params.rank`; kept
 * @param tree         n − 1 edges between points, in any order; no edges if the points are fewer than `params.rank`
 * @complexity         O(n)
 */
export function describeTree(
  coreSquared: Float64Array,
  tree: TreeEdges,
  params: CheckedParams,
): Omit<HdbscanResult, 'stats'> {
  const n = coreSquared.length;
  const hasCores = params.rank <= n;
  const edges = sortEdges(tree);
  const condensed = condense(buildDendrogram(n, edges), params.minClusterSize);
  const isSelected = hasCores ? selectClusters(condensed, params) : new Uint8Array(condensed.parent.length);
  // A square of an eps may be infinite, as the core distances of too few points are.
  const cutSquared = hasCores ? coreSquared : new Float64Array(n).fill(NaN);
  return {
    ...labelPoints(condensed, isSelected),
    condensedTree: numberTree(condensed, isSelected),
    coreSquared,
    treeSquared: edges.squared,
    dbscanClustering: (eps) => cutTree(cutSquared, edges, eps),
  };
}
