import {describe, expect, it} from 'vitest';
import {comparedDistance, limitOf, metricPoints, metricRadius, type MetricOptions} from '@epsball/clustering';
import {dbscanOracle} from '@epsball/clustering/definition';
import {seededRandom} from '@epsball/conformance';
import {assignNoise, createModel} from '../src/index.ts';
import type {NearestOptions} from '../src/model.ts';

describe('assignNoise', () => {
  it.for<[string, number, number, MetricOptions]>([
    ['euclidean on a lattice', 2, 1, {}],
    ['manhattan', 3, 2, {metric: 'manhattan'}],
    ['chebyshev', 2, 1, {metric: 'chebyshev'}],
    ['haversine', 2, 100, {metric: 'haversine', angles: 'degrees', epsUnit: 'km'}],
    ['cosine', 3, 0.002, {metric: 'cosine'}],
  ])('gives noise the lowest cluster among its nearest core points: %s', ([, dim, eps, metric]) => {
    for (let run = 0; run < 30; run++) {
      const random = seededRandom(run);
      const coords = Float64Array.from({length: 80 * dim}, () => 1 + Math.floor(random() * 14));
      const points = {coords, dim};
      const params = {eps, minPts: 3 + (run % 3), ...metric};
      const space = metricPoints(points, metric);
      const result = dbscanOracle(space, {...metricRadius(eps, metric), minPts: params.minPts});
      const within = run % 2 === 0 ? undefined : 2 * eps;
      const limit = within === undefined ? Infinity : limitOf(metricRadius(within, metric));
      const {metric: compared} = metricRadius(eps, metric);
      const expected = result.labels.map((label, i) => {
        if (label >= 0) return label;
        const far = Array.from({length: 80}, (_, j) =>
          result.coreMask[j] === 1 ? comparedDistance(space.coords, space.dim, i, j, compared) : NaN,
        );
        const nearest = Math.min(...far.filter((d) => d <= limit));
        return far.reduce(
          (best, d, j) => (d === nearest && (best < 0 || result.labels[j] < best) ? result.labels[j] : best),
          -1,
        );
      });
      expect(assignNoise(points, params, result, {within})).toEqual(expected);
    }
  });

  it('reports its index, and the noise that it has labelled', () => {
    const n = 10_000;
    const result = {labels: new Int32Array(n).fill(-1).fill(0, 0, 2), coreMask: new Uint8Array(n).fill(1, 0, 2)};
    const points = {coords: Float64Array.from({length: n}, (_, i) => i), dim: 1};
    const reported = {index: [] as number[], assign: [] as number[]};
    const onProgress: NearestOptions['onProgress'] = ({phase, done, total}) => reported[phase].push(done / total);
    expect(assignNoise(points, {eps: 1, minPts: 2}, result, {onProgress})).toEqual(new Int32Array(n));
    expect(reported.index.at(-1)).toBe(1);
    expect([reported.assign.at(0), reported.assign.at(-1)]).toEqual([0, 1]);
  });

  it('leaves noise where there is no core point, and names a wrong bound', () => {
    const result = {labels: Int32Array.of(-1, -1), coreMask: new Uint8Array(2)};
    expect([...assignNoise([[0], [9]], {eps: 1, minPts: 2}, result)]).toEqual([-1, -1]);
    expect(() => assignNoise([[0], [9]], {eps: 1, minPts: 2}, result, {within: 0})).toThrow('eps = 0');
    expect(() => assignNoise([[0], [9]], {eps: 1, minPts: 2}, result, {far: 1} as never)).toThrow('far');
    expect([...assignNoise([], {eps: 1, minPts: 2}, {labels: new Int32Array(0), coreMask: new Uint8Array(0)})]).toEqual(
      [],
    );
  });

  it('labels new points by the nearest core point, too', () => {
    const result = {labels: Int32Array.of(0, 0, 1, 1), coreMask: Uint8Array.of(1, 1, 1, 1)};
    const model = createModel([[0], [1], [9], [10]], {eps: 1, minPts: 2}, result);
    expect([...model.nearest([[4], [5], [6], [100]])]).toEqual([0, 0, 1, 1]);
    expect([...model.nearest([[4], [5], [6], [100]], {within: 3})]).toEqual([0, -1, 1, -1]);
  });
});
