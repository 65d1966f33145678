import {pointCount, type PointSet} from '@epsball/clustering';

interface FlatOptions {
  readonly bandwidth: number;
  readonly clusterAll?: boolean;
  /** Rounds every sum and mean of coordinates to this precision. scikit-learn uses the precision of the points. */
  readonly means: 'float32' | 'float64';
}

interface FlatClusters {
  readonly labels: number[];
  readonly clusterCenters: number[];
}

/**
 * `sklearn.cluster.MeanShift` by its formulas, in O(n²) a step, from every point. Distances are float64. Neighbours are
 * added in the order of their indices, and a point takes the first of several nearest centres.
 *
 * @source  scikit-learn 1.2, `MeanShift.fit` and `_mean_shift_single_seed`
 */
export function flatOracle(points: PointSet, {bandwidth, clusterAll = true, means}: FlatOptions): FlatClusters {
  const {coords, dim} = points;
  const rows = Array.from({length: pointCount(points)}, (_, i) => [...coords.subarray(i * dim, (i + 1) * dim)]);
  const round = means === 'float32' ? Math.fround : (x: number): number => x;
  const modes = new Map<string, {mean: readonly number[]; count: number}>();
  for (const row of rows) {
    const mode = findMode(row, rows, bandwidth, round);
    modes.set(mode.mean.join(), mode);
  }
  const sorted = [...modes.values()].sort((a, b) => b.count - a.count || compareRows(b.mean, a.mean));
  const centers: (readonly number[])[] = [];
  for (const {mean} of sorted) {
    if (centers.every((center) => squaredDistance(center, mean) > bandwidth ** 2)) centers.push(mean);
  }
  const labels = rows.map((row) => {
    const distances = centers.map((center) => squaredDistance(center, row));
    const nearest = distances.indexOf(Math.min(...distances));
    return clusterAll || distances[nearest] <= bandwidth ** 2 ? nearest : -1;
  });
  return {labels, clusterCenters: centers.flat()};
}

/** The last mean of the trajectory from a row, and the number of rows around the mean before it. */
function findMode(
  start: readonly number[],
  rows: readonly (readonly number[])[],
  bandwidth: number,
  round: (x: number) => number,
): {mean: readonly number[]; count: number} {
  let mean = start;
  for (let step = 0; ; step++) {
    const near = rows.filter((row) => squaredDistance(mean, row) <= bandwidth ** 2);
    const next = mean.map((_, d) => round(near.reduce((sum, row) => round(sum + row[d]), 0) / near.length));
    const moved = Math.sqrt(squaredDistance(next, mean));
    mean = next;
    if (moved < 1e-3 * bandwidth || step === 300) return {mean, count: near.length};
  }
}

function squaredDistance(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, x, d) => sum + (x - b[d]) ** 2, 0);
}

function compareRows(a: readonly number[], b: readonly number[]): number {
  const d = a.findIndex((x, k) => x !== b[k]);
  return d < 0 ? 0 : a[d] - b[d];
}
