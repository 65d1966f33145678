import {orderOfCoordinates, type DbscanResult, type NamedPoints, type PointSet} from '@epsball/clustering';
import type {DbscanRequest} from '@epsball/dbscan';
import {formatCount} from '../text.ts';

/** Clusters in the table of a summary. */
const ROWS = 10;

/** A cluster in the report. */
export interface ClusterRow {
  cluster: number;
  size: number;
  /** The mean of its points. */
  center: number[];
}

/** What the labels say, counted in one pass: callbacks for 10 million labels take a third of a second. */
export interface LabelCounts {
  readonly noise: number;
  /** Points of each cluster. */
  readonly sizes: Int32Array;
}

export function countLabels({labels, clusterCount}: Pick<DbscanResult, 'labels' | 'clusterCount'>): LabelCounts {
  const sizes = new Int32Array(clusterCount);
  let noise = 0;
  for (let i = 0; i < labels.length; i++) {
    if (labels[i] < 0) noise++;
    else sizes[labels[i]]++;
  }
  return {noise, sizes};
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
  return {axis: orderOfCoordinates(columns) === 'lon-lat' ? 0 : 1, turn: angles === 'radians' ? 2 * Math.PI : 360};
}

/** The largest clusters, by falling size. */
export function largestClusters(
  points: PointSet,
  labels: Int32Array,
  sizes: Int32Array,
  longitudes?: Longitudes,
): ClusterRow[] {
  const largest = Array.from(sizes, (size, cluster) => ({cluster, size}))
    .toSorted((a, b) => b.size - a.size || a.cluster - b.cluster)
    .slice(0, ROWS);
  const centers = centersOf(points, labels, largest, longitudes);
  return largest.map((row, k) => ({...row, center: centers[k]}));
}

/** Means of clusters. Across the date line, longitudes differ by less than half a turn. */
function centersOf(
  {coords, dim}: PointSet,
  labels: Int32Array,
  clusters: readonly {readonly cluster: number; readonly size: number}[],
  {axis, turn}: Longitudes = {axis: -1, turn: 1},
): number[][] {
  const wrapped = (angle: number): number => angle - turn * Math.round(angle / turn);
  const rows = rowsByLabel(clusters);
  const origins = new Int32Array(clusters.length).fill(-1);
  const sums = new Float64Array(clusters.length * dim);
  const parts = Float64Array.from(clusters, ({size}) => 1 / size);
  const last = rows.length - 2;
  for (let i = 0; i < labels.length; i++) {
    const row = labels[i] > last ? -1 : rows[labels[i] + 1];
    if (row < 0) continue;
    if (origins[row] < 0) origins[row] = i;
    const origin = origins[row] * dim;
    // Differences from a member: far from the origin no digits are lost.
    for (let d = 0; d < dim; d++) {
      const difference = coords[i * dim + d] - coords[origin + d];
      sums[row * dim + d] += (d === axis ? wrapped(difference) : difference) * parts[row];
    }
  }
  return clusters.map((_, row) =>
    Array.from({length: dim}, (__, d) => {
      const mean = coords[origins[row] * dim + d] + sums[row * dim + d];
      return d === axis ? wrapped(mean) : mean;
    }),
  );
}

/** Row of each cluster, or −1; noise, label −1, comes first. */
function rowsByLabel(clusters: readonly {readonly cluster: number}[]): Int8Array {
  const rows = new Int8Array(clusters.reduce((most, {cluster}) => Math.max(most, cluster), -1) + 2).fill(-1);
  clusters.forEach(({cluster}, row) => (rows[cluster + 1] = row));
  return rows;
}

/** Rows for people: `cluster 3    1,234 points around 13.4, 52.5`. */
export function formatClusters(rows: readonly ClusterRow[]): string[][] {
  const shown = (x: number): string => String(Number(x.toPrecision(6)));
  return rows.map(({cluster, size, center}) => {
    const place = center.length > 4 ? '' : ` around ${center.map(shown).join(', ')}`;
    return [`  cluster ${cluster}`, `${formatCount(size)} ${size === 1 ? 'point' : 'points'}${place}`];
  });
}
