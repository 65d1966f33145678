import {
  checkKnownOptions,
  DistinctPositions,
  InvalidParameterError,
  pointCount,
  validatePoints,
  type PointSet,
} from '@epsball/clustering';
import {CenterGrid} from './centerGrid.ts';
import {finish, ITEMS_PER_PAUSE, type Resumable} from '../resumable.ts';

export interface PredictOptions {
  /** Bandwidth of the clustering: finite, ≥ 0. */
  readonly bandwidth: number;
  /** Whether points farther than a bandwidth from every centre get the nearest one's label, too. Default: true. */
  readonly clusterAll?: boolean | undefined;
}

/**
 * Labels points, also new ones, by the nearest cluster centre; the first of several nearest ones.
 *
 * @param points          not modified
 * @param clusterCenters  k · dim, from a result; at least one if there are points
 * @returns               n labels, 0…k−1; −1 if `clusterAll` is false and no centre is within a bandwidth
 * @throws InvalidPointsError     if the coordinates are not whole, finite points
 * @throws InvalidParameterError  if a parameter is out of range, or an option is unknown
 * @complexity  O(n · 3^min(dim, 4)) if centres are within a bandwidth, O(n · dim) if they are at bandwidth 0, O(n · k)
 *              if they are not
 * @source      scikit-learn 1.2, `MeanShift.fit` and `MeanShift.predict`
 */
export function predictLabels(points: PointSet, clusterCenters: Float64Array, options: PredictOptions): Int32Array {
  checkKnownOptions(options, ['bandwidth', 'clusterAll'], 'options', 'an object with bandwidth');
  return finish(predictResumably(points, clusterCenters, options));
}

export function* predictResumably(
  points: PointSet,
  clusterCenters: Float64Array,
  {bandwidth, clusterAll = true}: PredictOptions,
): Resumable<Int32Array> {
  validatePoints(points);
  const {coords, dim} = points;
  if (!Number.isFinite(bandwidth) || bandwidth < 0) {
    throw new InvalidParameterError('bandwidth', bandwidth, 'a finite number ≥ 0');
  }
  const n = pointCount(points);
  if (clusterCenters.length % dim !== 0 || (n > 0 && clusterCenters.length === 0)) {
    throw new InvalidParameterError('clusterCenters.length', clusterCenters.length, `a multiple of dim = ${dim}, > 0`);
  }
  if (bandwidth === 0) return yield* labelDuplicates(points, clusterCenters, clusterAll);
  const centers = gridOf(clusterCenters, dim, bandwidth);
  const labels = new Int32Array(n);
  for (let i = 0; i < n; i++) {
    if (i % ITEMS_PER_PAUSE === 0) yield i / n;
    labels[i] = clusterAll ? centers.nearest(coords, i * dim) : centers.nearestWithin(coords, i * dim);
  }
  return labels;
}

/** At bandwidth 0 only a centre with the coordinates of the point is near. */
function* labelDuplicates(
  {coords, dim}: PointSet,
  clusterCenters: Float64Array,
  clusterAll: boolean,
): Resumable<Int32Array> {
  const n = coords.length / dim;
  const positions = new DistinctPositions(clusterCenters, dim);
  for (let c = 0; c < clusterCenters.length / dim; c++) positions.add(c);
  const labels = new Int32Array(n);
  // The nearest centre is exact with cells of any size.
  let others: CenterGrid | undefined;
  for (let i = 0; i < n; i++) {
    if (i % ITEMS_PER_PAUSE === 0) yield i / n;
    const position = positions.find(coords, i * dim);
    if (position >= 0) labels[i] = positions.pointAt(position);
    else labels[i] = clusterAll ? (others ??= gridOf(clusterCenters, dim, 1)).nearest(coords, i * dim) : -1;
  }
  return labels;
}

function gridOf(clusterCenters: Float64Array, dim: number, bandwidth: number): CenterGrid {
  const centers = new CenterGrid(dim, bandwidth);
  for (let c = 0; c < clusterCenters.length; c += dim) centers.add(clusterCenters, c);
  return centers;
}
