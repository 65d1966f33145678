import type {PointSet} from '@epsball/clustering';
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

/** The largest clusters, by falling size. Two passes over the labels: groups of 10 million points take longer. */
export async function largestClusters(points: PointSet, labels: Int32Array): Promise<ClusterRow[]> {
  const {clusterSizes} = await import('@epsball/shapes');
  const largest = Array.from(clusterSizes(labels), (size, cluster) => ({cluster, size}))
    .toSorted((a, b) => b.size - a.size || a.cluster - b.cluster)
    .slice(0, ROWS);
  const centers = centersOf(points, labels, largest);
  return largest.map((row, k) => ({...row, center: centers[k]}));
}

/** Means of clusters, as `centroids` computes them. */
function centersOf(
  {coords, dim}: PointSet,
  labels: Int32Array,
  clusters: readonly {readonly cluster: number; readonly size: number}[],
): number[][] {
  // Row of each cluster, or −1.
  const rows = new Int8Array(clusters.reduce((most, {cluster}) => Math.max(most, cluster + 1), 0)).fill(-1);
  clusters.forEach(({cluster}, row) => (rows[cluster] = row));
  const origins = new Int32Array(clusters.length).fill(-1);
  const sums = new Float64Array(clusters.length * dim);
  for (let i = 0; i < labels.length; i++) {
    const row = labels[i] < 0 || labels[i] >= rows.length ? -1 : rows[labels[i]];
    if (row < 0) continue;
    if (origins[row] < 0) origins[row] = i;
    const origin = origins[row] * dim;
    // Differences from a member: far from the origin no digits are lost.
    for (let d = 0; d < dim; d++)
      sums[row * dim + d] += (coords[i * dim + d] - coords[origin + d]) / clusters[row].size;
  }
  return clusters.map((_, row) =>
    Array.from({length: dim}, (__, d) => coords[origins[row] * dim + d] + sums[row * dim + d]),
  );
}

/** Rows for people: `cluster 3    1,234 points around 13.4, 52.5`. */
export function formatClusters(rows: readonly ClusterRow[]): string[][] {
  const shown = (x: number): string => String(Number(x.toPrecision(6)));
  return rows.map(({cluster, size, center}) => {
    const place = center.length > 4 ? '' : ` around ${center.map(shown).join(', ')}`;
    return [`  cluster ${cluster}`, `${formatCount(size)} ${size === 1 ? 'point' : 'points'}${place}`];
  });
}
