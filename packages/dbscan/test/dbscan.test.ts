import {InvalidPointsError, RunAbortedError, type PointSet} from '@epsball/clustering';
import {describe, expect, it} from 'vitest';
import {createDbscan, dbscan} from '../src/dbscan.ts';

// Two pairs of neighbours and a loner.
const POINTS: PointSet = {coords: new Float32Array([0, 0, 1, 0, 50, 0, 9, 9, 9, 10]), dim: 2};

describe('dbscan', () => {
  it('clusters small data on the calling thread, and reports it', async () => {
    const outcome = await dbscan(POINTS, {eps: 1, minPts: 2});
    expect([...outcome.labels]).toEqual([0, 0, -1, 1, 1]);
    expect([...outcome.coreMask]).toEqual([1, 1, 0, 1, 1]);
    expect(outcome.clusterCount).toBe(2);
    expect(outcome.algorithm).toBe('sequential');
    expect(outcome.backend).toBe('sequential');
    expect(outcome.adapter).toBeUndefined();
  });

  it('runs the requested variant', async () => {
    const outcome = await dbscan(POINTS, {eps: 1, minPts: 2, algorithm: 'grid-bfs', backend: 'sequential'});
    expect([...outcome.labels]).toEqual([0, 0, -1, 1, 1]);
    expect(outcome.algorithm).toBe('grid-bfs');
  });

  it('runs on the requested number of worker threads', async () => {
    const outcome = await dbscan(POINTS, {eps: 1, minPts: 2, backend: 'workers', threads: 2});
    expect([...outcome.labels]).toEqual([0, 0, -1, 1, 1]);
    expect(outcome.algorithm).toBe('pds');
    expect(outcome.stats.counters['threads']).toBe(2);
  });

  it.each([
    [{eps: 0, minPts: 2}, 'eps = 0; expected a finite number > 0'],
    [{eps: 1, minPts: 1.5}, 'minPts = 1.5; expected an integer ≥ 1'],
    [{eps: 1, minPts: 2, threads: 0}, 'threads = 0; expected an integer ≥ 1'],
    [
      {eps: 1, minPts: 2, algorithm: 'grid-bfs', backend: 'workers' as const},
      'backend = "workers"; expected one of auto, sequential, gpu for grid-bfs',
    ],
  ])('refuses %j', async (options, message) => {
    await expect(dbscan(POINTS, options)).rejects.toThrow(message);
  });

  it('names the first point that is not finite', async () => {
    const coords = new Float32Array([0, 0, 1, NaN]);
    await expect(dbscan({coords, dim: 2}, {eps: 1, minPts: 2})).rejects.toThrow(InvalidPointsError);
    await expect(dbscan({coords, dim: 2}, {eps: 1, minPts: 2})).rejects.toThrow('point 1, axis 1 = NaN');
  });

  it.for([
    ['sequential', {}],
    ['workers', {threads: 1}],
  ] as const)('throws errors of the points before errors of the parameters: %s', async ([backend, more]) => {
    const run = (points: PointSet, minPts: number): Promise<unknown> =>
      dbscan(points, {eps: 1, minPts, backend, ...more});
    const bad = {coords: Float64Array.of(0, 0, 1, Infinity), dim: 2};
    const message = 'point 1, axis 1 = Infinity; expected a finite coordinate';
    await expect(run(bad, 2)).rejects.toThrow(message);
    await expect(run(bad, 0)).rejects.toThrow(message);
    await expect(run({...bad, dim: 0}, 0)).rejects.toThrow('dim = 0; expected an integer ≥ 1');
    await expect(run({...bad, dim: 3}, 2)).rejects.toThrow('coords.length = 4; expected a multiple of dim = 3');
    await expect(run({coords: '01' as never, dim: 2}, 2)).rejects.toThrow('expected a Float32Array or Float64Array');
    await expect(run(POINTS, 0)).rejects.toThrow('minPts = 0; expected an integer ≥ 1');
  });

  it.for([
    ['sequential', 'sequential'],
    ['grid-bfs', 'sequential'],
    ['pds', 'sequential'],
    ['pds', 'workers'],
  ] as const)('rejects input of other types: %s on %s', async ([algorithm, backend]) => {
    const run = (points: unknown, more: object = {}): Promise<unknown> =>
      dbscan(points as PointSet, {eps: 1, minPts: 2, algorithm, backend, threads: 1, ...more});
    await expect(run(null)).rejects.toThrow('points = null; expected an object with coords and dim');
    await expect(run({dim: 2})).rejects.toThrow('coords = undefined; expected a Float32Array or Float64Array');
    await expect(run(POINTS, {signal: {}})).rejects.toThrow('signal = Object; expected an AbortSignal');
    const coords = new Float32Array([0, 0, 1, 0]);
    structuredClone(coords, {transfer: [coords.buffer]});
    await expect(run({coords, dim: 2})).rejects.toThrow('coords is detached');
  });

  it('refuses to run without parameters', async () => {
    await expect(dbscan(POINTS, null as never)).rejects.toThrow(
      'options = null; expected an object with eps and minPts',
    );
    using reusable = await createDbscan();
    await expect(reusable.run(POINTS, null as never)).rejects.toThrow('params = null; expected an object with eps');
  });

  it('rejects an aborted run', async () => {
    const signal = AbortSignal.abort();
    await expect(dbscan(POINTS, {eps: 1, minPts: 2, signal})).rejects.toThrow(RunAbortedError);
  });
});

describe('createDbscan', () => {
  it('clusters many point sets, before and after a failed run', async () => {
    using reusable = await createDbscan();
    const params = {eps: 1, minPts: 2};
    expect((await reusable.run(POINTS, params)).clusterCount).toBe(2);
    await expect(reusable.run(POINTS, {eps: NaN, minPts: 2})).rejects.toThrow('eps = NaN');
    expect((await reusable.run({coords: new Float64Array(0), dim: 3}, params)).clusterCount).toBe(0);
    expect((await reusable.run(POINTS, params)).clusterCount).toBe(2);
  });

  it('lists the choices when an option is unknown', async () => {
    await expect(createDbscan({algorithm: 'fast'})).rejects.toThrow('algorithm = "fast"; expected one of auto, ');
  });

  it('may be destroyed twice, and refuses to run afterwards', async () => {
    const reusable = await createDbscan();
    reusable.destroy();
    reusable.destroy();
    await expect(reusable.run(POINTS, {eps: 1, minPts: 2})).rejects.toThrow('destroyed');
  });
});
