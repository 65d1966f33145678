import type {HdbscanSelection} from '../algorithm.ts';
import type {CheckedSelection} from '../checkParams.ts';
import {condenseGrown, layLeaving, smallestOf, type RangeSteps} from './condenseGrown.ts';
import {joinGrown, layBasins, writeLevels} from './growBasins.ts';
import type {GrownHierarchy} from './hierarchy.ts';
import type {TreeEdges} from './treeEdges.ts';

/**
 * Selects clusters of a spanning tree, as `select` of its hierarchy does, where each position is one point.
 *
 * @param edges       ascending, between positions; at least `minClusterSize` − 1
 * @param pointOrder  the point at each position
 * @param choose      of the hierarchy
 * @complexity        O(n); 68 bytes a point beyond the result
 */
export async function selectGrown(
  {edges, pointOrder}: {readonly edges: TreeEdges; readonly pointOrder: Int32Array},
  steps: RangeSteps,
  params: CheckedSelection,
  choose: GrownHierarchy['choose'],
): Promise<HdbscanSelection> {
  const n = pointOrder.length;
  const {squared} = edges;
  const growing = layBasins(edges, params.minClusterSize, steps.integers);
  const grown = steps.growRange(growing);
  writeLevels(growing, squared);
  await grown;
  const clusters = joinGrown(growing);
  const placed = steps.integers(2 * n);
  await steps.placeRange({growing, clusters, pointOrder, placed});
  const leaving = layLeaving(clusters, growing, squared, steps);
  const left = steps.leavePart(leaving);
  const smallest = smallestOf(placed, clusters.parent.length);
  await left;
  const {chosen, selectionOf} = choose(condenseGrown(clusters, leaving), smallest, params);
  const details = {
    probabilities: steps.numbers(n),
    outlierScores: steps.numbers(n),
    clusterOf: steps.integers(n),
    leavesSquared: steps.numbers(n),
  };
  const described = {labels: steps.integers(n), ...details};
  await steps.describeRange({placed, table: chosen.table, squared, described});
  // Callers get memory of their own.
  return selectionOf({
    labels: described.labels.slice(),
    details: () => ({
      probabilities: details.probabilities.slice(),
      outlierScores: details.outlierScores.slice(),
      clusterOf: details.clusterOf.slice(),
      leavesSquared: details.leavesSquared.slice(),
    }),
  });
}
