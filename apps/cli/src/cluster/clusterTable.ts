import {orderOnSphere, type DbscanResult, type NamedPoints, type PointSet} from '@epsball/clustering';
import type {DbscanRequest} from '@epsball/dbscan';
import {formatCount} from '../text.ts';

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
  const centers = centersOf(points, labels, sizes.length, largest, longitudes);
  return largest.map((row, k) => ({...row, center: centers[k]}));
}

/** The means of the points of some clusters. Across the date line, longitudes differ by less than half a turn. */
function centersOf(
  {coords, dim}: PointSet,
  labels: Int32Array,
  clusterCount: number,
  clusters: readonly {readonly cluster: number; readonly size: number}[],
  longitudes: Longitudes | undefined,
): number[][] {
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
    // Without longitudes no difference is wrapped.
    axis: longitudes?.axis ?? -1,
    turn: longitudes?.turn ?? 1,
  };
  const members = new Int32Array(BLOCK);
  for (let start = 0; start < labels.length; start += BLOCK) {
    const count = findMembers(means, start, Math.min(labels.length, start + BLOCK), members);
    addPoints(means, members.subarray(0, count));
  }
  return clusters.map((_, row) =>
    Array.from({length: dim}, (__, d) => {
      const mean = means.origins[row * dim + d] + means.means[row * dim + d];
      return d === means.axis ? wrap(mean, means.turn) : mean;
    }),
  );
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
  /** Mean differences from the origins so far: far from 0 no digits are lost. */
  readonly means: Float64Array;
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
  const {coords, dim, labels, rows, shares, origins, means, axis, turn} = sums;
  for (let k = 0; k < members.length; k++) {
    const at = members[k] * dim;
    const row = rows[labels[members[k]] + 1];
    const share = shares[row];
    const from = row * dim;
    if (Number.isNaN(origins[from])) for (let d = 0; d < dim; d++) origins[from + d] = coords[at + d];
    for (let d = 0; d < dim; d++) {
      const difference = coords[at + d] - origins[from + d];
      means[from + d] += (d === axis ? wrap(difference, turn) : difference) * share;
    }
  }
}

/** The same angle in [−turn / 2, turn / 2]. */
function wrap(angle: number, turn: number): number {
  return angle - turn * Math.round(angle / turn);
}

/** Rows for people: `cluster 3    1,234 points around 13.4, 52.5`. */
export function formatClusters(rows: readonly ClusterRow[]): string[][] {
  const shown = (x: number): string => String(Number(x.toPrecision(6)));
  return rows.map(({cluster, size, center}) => {
    const place = center.length > 4 ? '' : ` around ${center.map(shown).join(', ')}`;
    return [`  cluster ${cluster}`, `${formatCount(size)} ${size === 1 ? 'point' : 'points'}${place}`];
  });
}
