import {dbscanOracle} from '@epsball/clustering/definition';
import {blobs} from '@epsball/conformance';
import {HAS_SLOW_COMPILER} from '@epsball/gpu/testing';
import {afterAll, describe, expect, it} from 'vitest';
import {catalogue} from '../src/catalogue.ts';
import {createDbscan} from '../src/dbscan.ts';
import {keepPoints} from '../src/index.ts';
import {isGpu, openGpuOrExplain} from './testGpu.ts';

const gpu = await openGpuOrExplain();
afterAll(() => {
  if (isGpu(gpu)) gpu.destroy();
});

/** Radius and minPts in turn: with the same eps, another one, and the first one again. */
const RUNS = [
  {eps: 0.03, minPts: 4},
  {eps: 0.03, minPts: 9},
  {eps: 0.05, minPts: 9},
  {eps: 0.03, minPts: 4},
] as const;

const ALL = catalogue.flatMap(({id, backends, on}) =>
  backends.map((backend) => ({id, backend, maxDim: on[backend]?.maxDim ?? 0})),
);

/** A slow compiler takes one precision in each dimension. */
function precisionsFor(backend: string, dim: number): readonly ('float32' | 'float64')[] {
  if (backend !== 'gpu' || !HAS_SLOW_COMPILER) return ['float32', 'float64'];
  return [dim === 2 ? 'float32' : 'float64'];
}

describe('points that are kept', () => {
  describe.for(ALL)('$id on $backend', ({id, backend, maxDim}) => {
    // With REQUIRE_GPU the tests run without an adapter, and fail. SwiftShader compiles a variant for up to 25 s.
    const isSlow = HAS_SLOW_COMPILER && !['dense-grid', 'grid-bfs'].includes(id);
    const canRun = backend !== 'gpu' || (!isSlow && (isGpu(gpu) || process.env['REQUIRE_GPU'] === '1'));

    it.runIf(canRun)('give the labels of points that are sent each time', async () => {
      const chosen = backend === 'gpu' && isGpu(gpu) ? {gpu} : {backend, threads: 2};
      using dbscan = await createDbscan({algorithm: id, ...chosen});
      for (const dim of [2, 6].filter((one) => one <= maxDim)) {
        for (const precision of precisionsFor(backend, dim)) {
          const points = blobs(precision, dim, 400, {seed: dim, clusters: 5, sigma: 0.015});
          const kept = keepPoints(points);
          for (const params of RUNS) {
            expect((await dbscan.run(kept, params)).labels).toEqual(dbscanOracle(points, params).labels);
          }
          const others = blobs(precision, dim, 400, {seed: dim + 1, clusters: 5, sigma: 0.015});
          expect((await dbscan.run(others, RUNS[0])).labels).toEqual(dbscanOracle(others, RUNS[0]).labels);
          expect((await dbscan.run(kept, RUNS[0])).labels).toEqual(dbscanOracle(points, RUNS[0]).labels);
        }
      }
    });
  });

  it('are a copy, and serve several metrics', async () => {
    const places = {coords: Float64Array.of(48.85, 2.35, 48.86, 2.36, 40.4, -3.7), dim: 2};
    const kept = keepPoints(places);
    places.coords.fill(0);
    using dbscan = await createDbscan({backend: 'sequential'});
    const km = {metric: 'haversine', angles: 'degrees', epsUnit: 'km', minPts: 2} as const;
    expect([...(await dbscan.run(kept, {...km, eps: 2})).labels]).toEqual([0, 0, -1]);
    expect([...(await dbscan.run(kept, {...km, eps: 1})).labels]).toEqual([-1, -1, -1]);
    expect([...(await dbscan.run(kept, {eps: 0.1, minPts: 2})).labels]).toEqual([0, 0, -1]);
  });

  it('say which coordinate is not finite', () => {
    expect(() => keepPoints({coords: Float64Array.of(1, NaN), dim: 1})).toThrow('point 1, axis 0 = NaN');
  });
});
