import {describe, expect, it} from 'vitest';
import {gaussian, nextAfter, seededRandom} from '@epsball/conformance';
import {explain, hdbscan, type HdbscanRequest} from '@epsball/hdbscan';

describe('explain', () => {
  it.for<[string, number, HdbscanRequest]>([
    ['euclidean', 2, {}],
    ['places that count once', 2, {duplicates: 'once'}],
    ['haversine', 2, {metric: 'haversine', angles: 'degrees', epsUnit: 'km'}],
    ['cosine', 3, {metric: 'cosine'}],
  ])('tells distances at which cuts change: %s', async ([name, dim, options]) => {
    let noise = 0;
    for (let seed = 0; seed < 20; seed++) {
      const random = seededRandom(seed);
      const scale = name.startsWith('places') ? Math.round : (x: number): number => x;
      const coords = Float64Array.from({length: 80 * dim}, () =>
        scale(30 + gaussian(random) * (random() < 0.6 ? 1 : 8)),
      );
      const points = {coords, dim};
      const params = {minClusterSize: 5, minSamples: 4, ...options};
      const result = await hdbscan(points, params);
      const {cut} = result.hierarchy;
      for (const one of explain(
        points,
        params,
        result,
        Array.from({length: 80}, (_, i) => i),
      )) {
        expect([one.label, one.probability]).toEqual([result.labels[one.row], result.probabilities[one.row]]);
        expect(cut(one.coreDistance)[one.row]).toBeGreaterThanOrEqual(0);
        if (nextAfter(one.coreDistance, -1) > 0) expect(cut(nextAfter(one.coreDistance, -1))[one.row]).toBe(-1);
        if (one.label >= 0) continue;
        noise++;
        expect(one.leaves).toBeGreaterThanOrEqual(one.coreDistance);
        if (one.nearestCluster < 0) continue;
        const at = cut(one.clusterDistance);
        expect(at.some((label, j) => label === at[one.row] && result.labels[j] === one.nearestCluster)).toBe(true);
      }
    }
    expect(noise).toBeGreaterThan(50);
  });

  it('tells of one point, and names wrong input', async () => {
    const points = [[0], [1], [2], [9], [20]];
    const params = {minClusterSize: 3, minSamples: 2, allowSingleCluster: true, clusterSelectionEpsilon: 2};
    const result = await hdbscan(points, params);
    expect(explain(points, params, result, [3])).toEqual([
      {row: 3, label: -1, probability: 0, coreDistance: 7, leaves: 7, nearestCluster: 0, clusterDistance: 7},
    ]);
    expect(() => explain(points, params, result, [5])).toThrow('row = 5; expected 0 to 4');
    expect(() => explain([[0]], params, result, [0])).toThrow('labels.length = 5; expected 1');
    const far = [[0], [1]];
    const none = await hdbscan(far, {minClusterSize: 2, minSamples: 3});
    expect(explain(far, {minClusterSize: 2, minSamples: 3}, none, [0])[0]).toMatchObject({
      coreDistance: Infinity,
      nearestCluster: -1,
      clusterDistance: Infinity,
    });
  });
});
