import {describe, expect, it} from 'vitest';
import {generateDataset} from '@epsball/datasets';
import {metricPoints} from '@epsball/clustering';
import {dbscan} from '@epsball/dbscan';
import {suggestEps} from '@epsball/dbscan/suggest';
import {buildKdTree} from '@epsball/kd-tree';
import {kDistancesOf} from '../src/compute/kDistances.ts';

const points = generateDataset('varied:n=700');

describe('the k-distance curve', () => {
  it('says how many points are core: those whose distance is at most eps', async () => {
    const {distances} = kDistancesOf(buildKdTree(points), 6);
    for (const eps of [distances[50] * 1.0001, 0.2, distances[600] * 1.0001]) {
      const {coreMask} = await dbscan(points, {eps, minPts: 6, backend: 'sequential'});
      expect(distances.filter((distance) => distance <= eps).length).toBe(
        coreMask.reduce((sum, flag) => sum + flag, 0),
      );
    }
  });

  it('ascends as that of suggestEps, and samples large data', () => {
    const {distances} = kDistancesOf(buildKdTree(generateDataset('uniform:n=9000')), 4);
    expect(distances.length).toBe(2000);
    expect(distances.every((distance, s) => s === 0 || distance >= distances[s - 1])).toBe(true);
  });

  it('equals that of suggestEps in each metric', async () => {
    const places = {...generateDataset('blobs:n=500'), columns: ['lon', 'lat']};
    for (const metric of [
      {metric: 'euclidean'},
      {metric: 'cosine'},
      {metric: 'haversine', angles: 'degrees', epsUnit: 'km'},
    ] as const) {
      const {distances} = kDistancesOf(buildKdTree(metricPoints(places, metric)), 5, metric);
      expect(distances).toEqual((await suggestEps(places, {minPts: 5, ...metric})).distances);
    }
  });

  it('of one point, of none, and of k > n has an end', () => {
    expect(kDistancesOf(buildKdTree({coords: Float32Array.of(1, 2), dim: 2}), 5).distances).toEqual(Float64Array.of(0));
    expect(kDistancesOf(buildKdTree({coords: new Float32Array(0), dim: 2}), 5).distances.length).toBe(0);
  });
});
