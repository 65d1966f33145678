import {orderOnSphere, type DbscanResult, type NamedPoints, type PointSet} from '@epsball/clustering';
import type {DbscanRequest} from '@epsball/dbscan';

/** Clusters in the table of a summary. */
const ROWS = 10;

/** A cluster in the report. */
export interface ClusterRow {
  cluster: number;
  size: number;
  /** The mean of its points. */
  center: number[];
  /** The lengths of its box along the axes. */
  extent: number[];
}

/** What the labels say, counted in one pass: callbacks for 10 million labels take a third of a second. */
export interface LabelCounts {
  readonly noise: number;
  /** Points of each cluster. */
  readonly sizes: Int32Array;
}

export function countLabels({labels, clusterCount}: Pick<DbscanResult, 'labels' | 'clusterCount'>): LabelCounts {
  // Noise, label −1, comes first.
  const counts = new Int32Array(clusterCount + 1);
  for (let i = 0; i < labels.length; i++) counts[labels[i] + 1]++;
  return {noise: counts[0], sizes: counts.subarray(1)};
}

/** The axis of longitudes, and a whole turn in their unit. */
interface Longitudes {
  readonly axis: number;
  readonly turn: number;
}

/** Where a metric on the globe finds longitudes; undefined for other metrics. */
export function longitudesOf(
  {columns}: NamedPoints,
  {metric, angles}: Pick<DbscanRequest, 'metric' | 'angles'>,
): Longitudes | undefined {
  if (metric !== 'haversine') return undefined;
  return {axis: orderOnSphere(columns) === 'lon-lat' ? 0 : 1, turn: angles === 'radians' ? 2 * Math.PI : 360};
}

/** The largest clusters, by falling size. Across the date line, longitudes differ by less than half a turn. */
export function largestClusters(
  {coords, dim}: PointSet,
  labels: Int32Array,
  sizes: Int32Array,
  // Without longitudes no difference is wrapped.
  {axis, turn}: Longitudes = {axis: -1, turn: 1},
): ClusterRow[] {
  const largest = Array.from(sizes, (size, cluster) => ({cluster, size}))
    .toSorted((a, b) => b.size - a.size || a.cluster - b.cluster)
    .slice(0, ROWS);
  const zeros = (): Float64Array => new Float64Array(dim);
  const sums = largest.map(({size}): Sums => ({
    share: 1 / size,
    count: 0,
    origin: zeros(),
    mean: zeros(),
    least: zeros(),
    most: zeros(),
  }));
  // Noise, label −1, comes first.
  const sumsOf = Array<Sums | undefined>(sizes.length + 1).fill(undefined);
  largest.forEach(({cluster}, row) => (sumsOf[cluster + 1] = sums[row]));
  addPoints(sumsOf, labels, {coords, dim, axis, turn});
  return largest.map((row, k) => {
    const {origin, mean, least, most} = sums[k];
    const center = Array.from(origin, (x, d) => (d === axis ? wrap(x + 2 * mean[d], turn) : x + mean[d] + mean[d]));
    const extent = Array.from(most, (far, d) => Math.min(Number.MAX_VALUE, 2 * (far - least[d])));
    return {...row, center, extent};
  });
}

/** Sums over the points of a cluster so far. Halves: a whole difference of two coordinates may overflow. */
interface Sums {
  /** One over the number of points. */
  readonly share: number;
  count: number;
  /** The first point. */
  readonly origin: Float64Array;
  /** Half the mean difference from the origin: far from 0 no digits are lost. */
  readonly mean: Float64Array;
  /** Half the least and the greatest difference. */
  readonly least: Float64Array;
  readonly most: Float64Array;
}

/** Adds points to the sums of their clusters. */
function addPoints(
  sumsOf: readonly (Sums | undefined)[],
  labels: Int32Array,
  {coords, dim, axis, turn}: PointSet & Longitudes,
): void {
  for (let i = 0; i < labels.length; i++) {
    const sums = sumsOf[labels[i] + 1];
    if (sums === undefined) continue;
    const {share, origin, mean, least, most} = sums;
    const at = i * dim;
    if (sums.count++ === 0) for (let d = 0; d < dim; d++) origin[d] = coords[at + d];
    for (let d = 0; d < dim; d++) {
      const x = coords[at + d];
      const half = d === axis ? 0.5 * wrap(x - origin[d], turn) : 0.5 * x - 0.5 * origin[d];
      mean[d] += half * share;
      least[d] = Math.min(least[d], half);
      most[d] = Math.max(most[d], half);
    }
  }
}

/** The same angle in [−turn / 2, turn / 2]. */
function wrap(angle: number, turn: number): number {
  return angle - turn * Math.round(angle / turn);
}
