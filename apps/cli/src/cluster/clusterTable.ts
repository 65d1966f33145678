import {orderOnSphere, type DbscanResult, type NamedPoints, type PointSet} from '@epsball/clustering';
import type {DbscanRequest} from '@epsball/dbscan';

/** Clusters in the table of a summary. */
const ROWS = 10;

/** Labels of one call of a loop. V8 optimizes a function that is called often sooner than a long loop in one call. */
const BLOCK = 2 ** 16;

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
  for (let start = 0; start < labels.length; start += BLOCK) countInto(counts, labels.subarray(start, start + BLOCK));
  return {noise: counts[0], sizes: counts.subarray(1)};
}

function countInto(counts: Int32Array, labels: Int32Array): void {
  for (let i = 0; i < labels.length; i++) counts[labels[i] + 1]++;
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
  const places = placesOf(points, labels, sizes.length, largest, longitudes);
  return largest.map((row, k) => ({...row, ...places[k]}));
}

/** Means and extents of some clusters. Across the date line, longitudes differ by less than half a turn. */
function placesOf(
  {coords, dim}: PointSet,
  labels: Int32Array,
  clusterCount: number,
  clusters: readonly {readonly cluster: number; readonly size: number}[],
  longitudes: Longitudes | undefined,
): Pick<ClusterRow, 'center' | 'extent'>[] {
  // Row of each cluster, or −1; noise, label −1, comes first.
  const rows = new Int8Array(clusterCount + 1).fill(-1);
  clusters.forEach(({cluster}, row) => (rows[cluster + 1] = row));
  const means: Means = {
    coords,
    dim,
    labels,
    rows,
    shares: Float64Array.from(clusters, ({size}) => 1 / size),
    origins: new Float64Array(clusters.length * dim).fill(Number.NaN),
    means: new Float64Array(clusters.length * dim),
    least: new Float64Array(clusters.length * dim),
    most: new Float64Array(clusters.length * dim),
    // Without longitudes no difference is wrapped.
    axis: longitudes?.axis ?? -1,
    turn: longitudes?.turn ?? 1,
  };
  const members = new Int32Array(BLOCK);
  for (let start = 0; start < labels.length; start += BLOCK) {
    const count = findMembers(means, start, Math.min(labels.length, start + BLOCK), members);
    addPoints(means, members.subarray(0, count));
  }
  const axes = Array.from({length: dim}, (_, d) => d);
  return clusters.map((_, row) => ({
    center: axes.map((d) => centerOf(means, row * dim + d, d)),
    extent: axes.map((d) => Math.min(Number.MAX_VALUE, 2 * (means.most[row * dim + d] - means.least[row * dim + d]))),
  }));
}

/** The mean of a row on an axis. */
function centerOf({origins, means, axis, turn}: Means, at: number, d: number): number {
  const mean = origins[at] + means[at] + means[at];
  return d === axis ? wrap(mean, turn) : mean;
}

interface Means {
  readonly coords: PointSet['coords'];
  readonly dim: number;
  readonly labels: Int32Array;
  readonly rows: Int8Array;
  /** One over the points of each row. */
  readonly shares: Float64Array;
  /** The first point of each row; NaN before it is met. */
  readonly origins: Float64Array;
  /**
   * Half the mean differences from the origins so far: far from 0 no digits are lost, and a whole difference of two
   * coordinates may overflow.
   */
  readonly means: Float64Array;
  /** Half the least and the greatest difference so far. */
  readonly least: Float64Array;
  readonly most: Float64Array;
  readonly axis: number;
  readonly turn: number;
}

/**
 * Lists the points from `start` to `end` that have a row.
 *
 * @param members  filled from the start; at least `end - start` long
 * @returns  how many have a row
 */
function findMembers({labels, rows}: Means, start: number, end: number, members: Int32Array): number {
  let count = 0;
  for (let i = start; i < end; i++) {
    members[count] = i;
    // 1, or 0 for row −1. Branches on labels are hard to predict: with one, centres take twice the time.
    count += 1 + (rows[labels[i] + 1] >> 31);
  }
  return count;
}

/** Adds points to the means of their rows. */
function addPoints(sums: Means, members: Int32Array): void {
  const {coords, dim, labels, rows, shares, origins, means, least, most, axis, turn} = sums;
  for (let k = 0; k < members.length; k++) {
    const at = members[k] * dim;
    const row = rows[labels[members[k]] + 1];
    const share = shares[row];
    const from = row * dim;
    if (Number.isNaN(origins[from])) for (let d = 0; d < dim; d++) origins[from + d] = coords[at + d];
    for (let d = 0; d < dim; d++) {
      const x = coords[at + d];
      const origin = origins[from + d];
      const half = d === axis ? 0.5 * wrap(x - origin, turn) : 0.5 * x - 0.5 * origin;
      means[from + d] += half * share;
      least[from + d] = Math.min(least[from + d], half);
      most[from + d] = Math.max(most[from + d], half);
    }
  }
}

/** The same angle in [−turn / 2, turn / 2]. */
function wrap(angle: number, turn: number): number {
  return angle - turn * Math.round(angle / turn);
}
