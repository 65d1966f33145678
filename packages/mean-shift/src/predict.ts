import {InvalidParameterError, pointCount, validatePoints, type PointSet} from '@epsball/clustering';
import {CenterGrid} from './centerGrid.ts';
import {finish, STAGE, type Stages} from './stages.ts';

export interface PredictOptions {
  /** That of the clustering: finite, > 0. */
  readonly bandwidth: number;
  /** Whether points farther than a bandwidth from every centre get the nearest one's label all the same. Default: true. */
  readonly clusterAll?: boolean | undefined;
}

/**
 * Labels points, new ones too, by the nearest cluster centre, of equally near ones by the first.
 *
 * @param points          not modified
 * @param clusterCenters  k · dim, as a result has them; at least one where there are points
 * @returns               n labels, 0…k−1; −1 where `clusterAll` is false and no centre is within a bandwidth
 * @throws InvalidPointsError     if the coordinates are not whole, finite points
 * @throws InvalidParameterError  if a parameter is out of range
 * @complexity  O(n · 3^min(dim, 4)) where centres are within a bandwidth, O(n · k) where they are not
 * @source      scikit-learn 1.2, `MeanShift.fit` and `MeanShift.predict`
 */
export function predictLabels(points: PointSet, clusterCenters: Float64Array, options: PredictOptions): Int32Array {
  return finish(predictInStages(points, clusterCenters, options));
}

/** `predictLabels`, stage by stage. */
export function* predictInStages(
  points: PointSet,
  clusterCenters: Float64Array,
  {bandwidth, clusterAll = true}: PredictOptions,
): Stages<Int32Array> {
  validatePoints(points);
  const {coords, dim} = points;
  if (!Number.isFinite(bandwidth) || bandwidth <= 0) {
    throw new InvalidParameterError('bandwidth', bandwidth, 'a finite number > 0');
  }
  const n = pointCount(points);
  if (clusterCenters.length % dim !== 0 || (n > 0 && clusterCenters.length === 0)) {
    throw new InvalidParameterError('clusterCenters.length', clusterCenters.length, `a multiple of dim = ${dim}, > 0`);
  }
  const centers = new CenterGrid(dim, bandwidth);
  for (let c = 0; c < clusterCenters.length; c += dim) centers.add(clusterCenters, c);
  const labels = new Int32Array(n);
  for (let i = 0; i < n; i++) {
    if (i % STAGE === 0) yield i;
    labels[i] = clusterAll ? centers.nearest(coords, i * dim) : centers.nearestWithin(coords, i * dim);
  }
  return labels;
}
