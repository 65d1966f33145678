import {squaredEps} from '@epsball/clustering';
import type {HdbscanCaseParams, HdbscanFlaw} from './definition.ts';
import {lambdaOf, subtree, type OracleCluster} from './tree.ts';

/** The selected clusters. @param clusters  the condensed tree, parents before children */
export function selectClusters(
  clusters: readonly OracleCluster[],
  params: HdbscanCaseParams,
  flaw: HdbscanFlaw,
): OracleCluster[] {
  const {selection = 'eom', clusterSelectionEpsilon = 0, allowSingleCluster = false} = params;
  const isAllowed = (cluster: OracleCluster): boolean => allowSingleCluster || cluster.parent !== undefined;
  const chosen = selection === 'leaf' ? leaves(clusters) : excessOfMass(clusters, params, flaw);
  const eps2 = squaredEps(clusterSelectionEpsilon);
  return [
    ...new Set(
      chosen.filter(isAllowed).map((cluster) => {
        let top = cluster;
        while (top.birth < eps2 && top.parent !== undefined && isAllowed(top.parent)) top = top.parent;
        return top;
      }),
    ),
  ];
}

function leaves(clusters: readonly OracleCluster[]): OracleCluster[] {
  return clusters.filter((one) => !clusters.some(({parent}) => parent === one));
}

/** The sum of (λ − λ at birth) · size that leaves, from the birth down. */
export function stabilityOf({birth, levels}: OracleCluster, lambdaOfBirth: number = lambdaOf(birth)): number {
  return levels.reduce((sum, {squared, count}) => sum + (lambdaOf(squared) - lambdaOfBirth) * count, 0);
}

function excessOfMass(
  clusters: readonly OracleCluster[],
  {maxClusterSize = Infinity, allowSingleCluster = false}: HdbscanCaseParams,
  {roundsSum = (sum) => sum, childrenWinTies = false, forgetsBirth = false, rootOfChildren = false}: HdbscanFlaw,
): OracleCluster[] {
  const worth = new Map<OracleCluster, number>();
  let selected = new Set<OracleCluster>();
  for (const cluster of clusters.toReversed()) {
    const children = clusters.filter(({parent}) => parent === cluster);
    const below = children
      .map((child) => worth.get(child) ?? 0)
      .sort((a, b) => a - b)
      .reduce((sum, value) => roundsSum(sum + value), 0);
    const own = stabilityOf(cluster, forgetsBirth ? 0 : lambdaOf(cluster.birth));
    const isRoot = cluster.parent === undefined;
    const size = isRoot && rootOfChildren ? children.reduce((sum, child) => sum + child.size, 0) : cluster.size;
    const loses = below > own || (childrenWinTies && children.length > 0 && below === own);
    if (loses || size > maxClusterSize || (isRoot && !allowSingleCluster)) {
      worth.set(cluster, below);
    } else {
      worth.set(cluster, own);
      const inside = new Set(subtree(clusters, cluster));
      selected = new Set([...selected].filter((one) => !inside.has(one)));
      selected.add(cluster);
    }
  }
  return [...selected];
}
