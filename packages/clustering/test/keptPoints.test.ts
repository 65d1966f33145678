import {keepPoints, keptIndex, metricPoints} from '@epsball/clustering';
import {describe, expect, it} from 'vitest';

describe('keptIndex', () => {
  it('builds again only where the key changes, and each time for points that are not kept', () => {
    let builds = 0;
    const build = (): number => ++builds;
    const points = {coords: Float32Array.of(1, 2), dim: 1};
    const kept = keepPoints(points);
    expect(['a', 'a', 'b', 'a'].map((key) => keptIndex(kept, 'grid', key, build))).toEqual([1, 1, 2, 3]);
    expect(keptIndex(kept, 'tree', 'a', build)).toBe(4);
    expect(keptIndex(kept, 'grid', 'a', build)).toBe(3);
    expect([keptIndex(points, 'grid', 'a', build), keptIndex(points, 'grid', 'a', build)]).toEqual([5, 6]);
  });
});

describe('metricPoints', () => {
  it('maps kept points once', () => {
    const kept = keepPoints({coords: Float32Array.of(3, 4, 0, 1), dim: 2});
    const vectors = metricPoints(kept, {metric: 'cosine'});
    expect(vectors.coords).toEqual(Float64Array.of(0.6, 0.8, 0, 1));
    expect(metricPoints(kept, {metric: 'cosine'})).toBe(vectors);
    expect(metricPoints(kept, {})).toBe(kept);
  });
});
