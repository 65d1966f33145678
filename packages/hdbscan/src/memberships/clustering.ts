import {InvalidParameterError, pointCount, validatePoints, type PointSet, type PointsInput} from '@epsball/clustering';
import type {CondensedTree, HdbscanResult} from '../algorithm.ts';
import {CLUSTERS, prepareRun, type HdbscanRequest} from '../request.ts';
import {exemplarsOf, selectedOf, type Exemplars, type Selected} from './exemplars.ts';

/** What memberships follow from. */
export interface Clustering {
  /** In the space of the metric. */
  readonly points: PointSet;
  readonly tree: CondensedTree;
  readonly selected: Selected;
  readonly exemplars: Exemplars;
}

/** @throws InvalidParameterError, InvalidPointsError  as `hdbscan`; if the result does not fit */
export function clusteringOf(
  input: PointsInput,
  params: HdbscanRequest,
  {labels, condensedTree: tree}: Pick<HdbscanResult, 'labels' | 'condensedTree'>,
): Clustering {
  const {points} = prepareRun(input, params, {}, CLUSTERS);
  validatePoints(points);
  const n = pointCount(points);
  if (labels.length !== n) throw new InvalidParameterError('labels.length', labels.length, `${n}, one a point`);
  const selected = selectedOf(tree, labels);
  return {points, tree, selected, exemplars: exemplarsOf(tree, selected)};
}
