import {describe, expect, it} from 'vitest';
import {groups} from '@epsball/shapes';
import {largestClusters} from '../src/cluster/clusterTable.ts';

describe('largestClusters', () => {
  it('orders by size, then by number, and gives the mean of the points of each', () => {
    const coords = new Float64Array([1e9 + 1, 5, 0, 0, 1e9 + 2, 7, 3, 3, 5, 5, 1e9 + 3, 6]);
    const labels = new Int32Array([0, -1, 0, 2, 1, 0]);
    expect(largestClusters({coords, dim: 2}, groups(labels))).toEqual([
      {cluster: 0, size: 3, center: [1e9 + 2, 6], extent: [2, 2]},
      {cluster: 1, size: 1, center: [5, 5], extent: [0, 0]},
      {cluster: 2, size: 1, center: [3, 3], extent: [0, 0]},
    ]);
  });

  it('keeps the mean of longitudes beside the date line', () => {
    const coords = new Float64Array([179, 10, -179, 20]);
    const labels = new Int32Array([0, 0]);
    const [{center, extent}] = largestClusters({coords, dim: 2}, groups(labels), {axis: 0, turn: 360});
    expect(Math.abs(center[0])).toBeCloseTo(180, 12);
    expect(center[1]).toBe(15);
    expect(extent).toEqual([2, 10]);
  });

  it('takes the first ten of many clusters, across blocks of labels', () => {
    const n = 200_000;
    const labels = Int32Array.from({length: n}, (_, i) => i % 12);
    const coords = Float32Array.from({length: n}, (_, i) => i % 12);
    const rows = largestClusters({coords, dim: 1}, groups(labels));
    expect(rows.map(({cluster, center}) => [cluster, center[0]])).toEqual(
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((cluster) => [cluster, cluster]),
    );
  });

  it('returns nothing without clusters', () => {
    expect(largestClusters({coords: new Float32Array(2), dim: 2}, groups([-1]))).toEqual([]);
  });
});
