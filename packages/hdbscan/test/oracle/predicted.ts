import {pointCount, squaredDistance, squaredEps, type PointSet} from '@epsball/clustering';
import type {HdbscanSelection} from '@epsball/hdbscan';
import type {HdbscanCaseParams} from './definition.ts';
import {distinctPlaces, everyPoint} from './places.ts';

/** A departure from the definition, for mutants. */
export interface PredictFlaw {
  /** Whether the new point counts as one of the training points. */
  readonly countsItself?: boolean;
  /** Whether a new point follows the nearest training point, whatever the core distances. */
  readonly ignoresCores?: boolean;
  /** Whether the birth of the cluster belongs to it. */
  readonly joinsAtBirth?: boolean;
  /** Whether the level at which the followed point leaves counts, too. */
  readonly ignoresLeaves?: boolean;
}

export interface Predicted {
  readonly labels: number[];
  readonly probabilities: number[];
}

/** Labels and probabilities of new points by the definition in docs/contract.md, over all pairs. */
export function predictOracle(
  points: PointSet,
  added: PointSet,
  params: HdbscanCaseParams,
  {labels, condensedTree: tree}: Pick<HdbscanSelection, 'labels' | 'condensedTree'>,
  flaw: PredictFlaw = {},
): Predicted {
  const {dim} = points;
  const {minClusterSize, minSamples = minClusterSize, countSelf = true, duplicates = 'count'} = params;
  const rank = minSamples + (countSelf ? 0 : 1);
  const training = {coords: new Float64Array(points.coords), dim};
  const places = duplicates === 'once' ? distinctPlaces(training) : everyPoint(training);
  const n = places.copies.length;
  const both = {coords: Float64Array.of(...places.points.coords, ...added.coords), dim};
  const squared = (i: number, j: number): number => squaredDistance(both.coords, dim, i, j);
  const places0 = Array.from({length: n}, (_, i) => i);
  const coreOf = (i: number, k: number): number =>
    places0.map((j) => squared(i, j)).sort((a, b) => a - b)[k - 1] ?? Infinity;
  const core = places0.map((i) => coreOf(i, rank));
  const answer: Predicted = {labels: [], probabilities: []};
  for (let p = n; p < n + pointCount(added); p++) {
    const own = flaw.countsItself === true && rank > 1 ? coreOf(p, rank - 1) : coreOf(p, rank);
    const weights = places0.map((x) =>
      flaw.ignoresCores === true ? squared(p, x) : Math.max(own, core[x], squared(p, x)),
    );
    const least = Math.min(...weights);
    const x = weights.indexOf(least);
    const w = Math.max(own, core[x], squared(p, x));
    const point = places.copies[x]?.[0] ?? -1;
    const found = point < 0 ? null : member(w, point, labels[point], tree, params, flaw);
    answer.labels.push(found === null ? -1 : labels[point]);
    answer.probabilities.push(found ?? 0);
  }
  return answer;
}

/** The probability in the cluster of a training point; null if the new point is none of its members. */
function member(
  w: number,
  point: number,
  label: number,
  tree: HdbscanSelection['condensedTree'],
  {clusterSelectionEpsilon = 0}: HdbscanCaseParams,
  flaw: PredictFlaw,
): number | null {
  if (label < 0) return null;
  let cluster = tree.clusterOf[point];
  while (tree.isSelected[cluster] === 0) cluster = tree.parent[cluster];
  const level = flaw.ignoresLeaves === true ? w : Math.max(w, tree.leavesSquared[point]);
  if (cluster === 0) {
    if (clusterSelectionEpsilon > 0 && level > squaredEps(clusterSelectionEpsilon)) return null;
  } else if (flaw.joinsAtBirth === true ? w > tree.birthSquared[cluster] : w >= tree.birthSquared[cluster]) {
    return null;
  }
  const largest = 1 / Math.sqrt(tree.deathSquared[cluster]);
  const lambda = 1 / Math.sqrt(level);
  return lambda === Infinity || largest === 0 ? 1 : Math.min(lambda, largest) / largest;
}
