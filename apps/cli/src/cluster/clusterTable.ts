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

/** The largest clusters, by falling size. */
export async function largestClusters(points: PointSet, labels: Int32Array): Promise<ClusterRow[]> {
  const {centroids, clusterSizes, groups} = await import('@epsball/shapes');
  const sizes = clusterSizes(labels);
  const {dim} = points;
  const means = centroids(points, groups(labels));
  return Array.from(sizes, (size, cluster) => ({cluster, size}))
    .toSorted((a, b) => b.size - a.size || a.cluster - b.cluster)
    .slice(0, ROWS)
    .map((row) => ({...row, center: [...means.subarray(row.cluster * dim, (row.cluster + 1) * dim)]}));
}

/** Rows for people: `cluster 3    1,234 points around 13.4, 52.5`. */
export function formatClusters(rows: readonly ClusterRow[]): string[][] {
  const shown = (x: number): string => String(Number(x.toPrecision(6)));
  return rows.map(({cluster, size, center}) => {
    const place = center.length > 4 ? '' : ` around ${center.map(shown).join(', ')}`;
    return [`  cluster ${cluster}`, `${formatCount(size)} ${size === 1 ? 'point' : 'points'}${place}`];
  });
}
