import {
  checkRow,
  InvalidParameterError,
  NOISE,
  pointCount,
  smallestEps,
  squaredDistance,
  validatePoints,
  type PointSet,
  type PointsInput,
} from '@epsball/clustering';
import type {HdbscanResult} from './algorithm.ts';
import {CLUSTERS, prepareRun, type HdbscanRequest} from './request.ts';

/** Why a point has its label. Every distance is in the unit of the metric. */
export interface HdbscanExplanation {
  readonly row: number;
  readonly label: number;
  readonly probability: number;
  /** The smallest radius at which the point is core: with it `cut` gives a label, with the float64 before it −1. */
  readonly coreDistance: number;
  /** The distance at which the point leaves its last cluster of the condensed tree; infinite without neighbours. */
  readonly leaves: number;
  /** The cluster of the nearest other point that has one, by mutual reachability; −1 if there is none. */
  readonly nearestCluster: number;
  /** Mutual reachability of that point: the smallest radius at which `cut` joins them; infinite if there is none. */
  readonly clusterDistance: number;
}

/**
 * Explains labels of HDBSCAN*: how dense a point is, at which distance it left its cluster, and how far the nearest
 * cluster is.
 *
 * @param points  that were clustered; not modified
 * @param params  of the clustering
 * @param result  of the clustering
 * @param rows    indices of points
 * @returns       one explanation a row
 * @throws InvalidParameterError, InvalidPointsError  as `hdbscan`; if the result does not fit, or a row does not exist
 * @complexity    O(n) a row
 */
export function explain(
  points: PointsInput,
  params: HdbscanRequest,
  result: Pick<HdbscanResult, 'labels' | 'probabilities' | 'condensedTree' | 'hierarchy'>,
  rows: readonly number[],
): HdbscanExplanation[] {
  const {points: mapped} = prepareRun(points, params, {}, CLUSTERS);
  validatePoints(mapped);
  const n = pointCount(mapped);
  const {labels, probabilities, condensedTree, hierarchy} = result;
  if (labels.length !== n) throw new InvalidParameterError('labels.length', labels.length, `${n}, one a point`);
  return rows.map((row) => {
    checkRow(row, n);
    const nearest = nearestLabelled(mapped, hierarchy.coreSquared, labels, row);
    return {
      row,
      label: labels[row],
      probability: probabilities[row],
      coreDistance: smallestEps(hierarchy.coreSquared[row], params),
      leaves: smallestEps(condensedTree.leavesSquared[row], params),
      nearestCluster: nearest.label,
      clusterDistance: smallestEps(nearest.squared, params),
    };
  });
}

/** The other point with a label of the smallest w²; the lowest label of several. */
function nearestLabelled(
  {coords, dim}: PointSet,
  core: Float64Array,
  labels: Int32Array,
  row: number,
): {readonly label: number; readonly squared: number} {
  let label = NOISE;
  let squared = Infinity;
  for (let j = 0; j < labels.length; j++) {
    if (j === row || labels[j] === NOISE || core[j] > squared) continue;
    const weight = Math.max(core[row], core[j], squaredDistance(coords, dim, row, j));
    if (weight > squared || (weight === squared && label !== NOISE && labels[j] >= label)) continue;
    label = labels[j];
    squared = weight;
  }
  return {label, squared};
}
