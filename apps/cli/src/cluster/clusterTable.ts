import {orderOfCoordinates, type DbscanResult, type NamedPoints, type PointSet} from '@epsball/clustering';
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
  const members = membersOf(labels, largest);
  return largest.map((row, k) => ({...row, center: centerOf(points, members[k], longitudes)}));
}

/** The points of some clusters, in order. */
function membersOf(
  labels: Int32Array,
  clusters: readonly {readonly cluster: number; readonly size: number}[],
): readonly Uint32Array[] {
  // Row of each cluster, or −1; noise, label −1, comes first.
  const rows = new Int8Array(clusters.reduce((most, {cluster}) => Math.max(most, cluster), -1) + 2).fill(-1);
  clusters.forEach(({cluster}, row) => (rows[cluster + 1] = row));
  const members = clusters.map(({size}) => new Uint32Array(size));
  const filled = new Int32Array(clusters.length);
  for (let start = 0; start < labels.length; start += BLOCK) {
    const end = Math.min(labels.length, start + BLOCK);
    addMembers({labels, rows, members, filled}, start, end);
  }
  return members;
}

interface Members {
  readonly labels: Int32Array;
  readonly rows: Int8Array;
  readonly members: readonly Uint32Array[];
  /** Points that each row of `members` holds so far. */
  readonly filled: Int32Array;
}

function addMembers({labels, rows, members, filled}: Members, start: number, end: number): void {
  const last = rows.length - 2;
  for (let i = start; i < end; i++) {
    if (labels[i] > last) continue;
    const row = rows[labels[i] + 1];
    if (row >= 0) members[row][filled[row]++] = i;
  }
}

/** The mean of some points. Across the date line, longitudes differ by less than half a turn. */
function centerOf({coords, dim}: PointSet, members: Uint32Array, longitudes: Longitudes | undefined): number[] {
  return Array.from({length: dim}, (_, d) => {
    const turn = d === longitudes?.axis ? longitudes.turn : undefined;
    const origin = coords[members[0] * dim + d];
    let mean = 0;
    // Differences from a member: far from the origin no digits are lost.
    for (let k = 0; k < members.length; k++) {
      const difference = coords[members[k] * dim + d] - origin;
      mean += (turn === undefined ? difference : wrap(difference, turn)) / members.length;
    }
    return turn === undefined ? origin + mean : wrap(origin + mean, turn);
  });
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
