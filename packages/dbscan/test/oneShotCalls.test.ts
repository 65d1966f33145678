import {dbscanOracle} from '@epsball/clustering/definition';
import {RunAbortedError, type PointSet} from '@epsball/clustering';
import type {Worker} from 'node:worker_threads';
import {beforeEach, describe, expect, it} from 'vitest';
import {dbscan, type DbscanOptions} from '../src/dbscan.ts';

/** Worker threads of this process that have not ended. */
const alive = new Set<Worker>();
let started = 0;
process.on('worker', (worker) => {
  started++;
  alive.add(worker);
  worker.once('exit', () => alive.delete(worker));
});

beforeEach(() => {
  started = 0;
});

const PARAMS = {eps: 0.08, minPts: 4};

/** Points in the unit square, other ones for each seed. */
function pointsOf(seed: number, n = 300): PointSet {
  let state = seed + 1;
  const coords = Float32Array.from({length: 2 * n}, () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647);
  return {coords, dim: 2};
}

const SETS = Array.from({length: 5}, (_, seed) => pointsOf(seed));
const LABELS = SETS.map((points) => [...dbscanOracle(points, PARAMS).labels]);

/** Calls with the sets in turn, all at once; each call has the options of its number. Checks the labels. */
async function callAtOnce(count: number, optionsOf: (k: number) => Partial<DbscanOptions>): Promise<void> {
  const calls = Array.from({length: count}, (_, k) => dbscan(SETS[k % 5], {...PARAMS, ...optionsOf(k)}));
  const labels = (await Promise.all(calls)).map((outcome) => [...outcome.labels]);
  expect(labels).toEqual(labels.map((_, k) => LABELS[k % 5]));
}

describe('one-shot calls at the same time', () => {
  it('share one pool, and leave no thread behind', async () => {
    await callAtOnce(60, () => ({backend: 'workers', threads: 3}));
    expect(started).toBeLessThanOrEqual(3);
    await expect.poll(() => alive.size).toBe(0);
  });

  it('start a pool for each change of variant or options, and have no other', async () => {
    const kinds = [
      {algorithm: 'pds', threads: 2},
      {algorithm: 'dense-grid', threads: 2},
      {algorithm: 'pds', threads: 2, options: {union: 'lock'}},
      {algorithm: 'pds', threads: 1},
    ];
    await callAtOnce(12, (k) => ({backend: 'workers', ...kinds[Math.floor(k / 3)]}));
    // Each pool serves the three calls in a row that want it.
    expect(started).toBeLessThanOrEqual(2 + 2 + 2 + 1);
    await expect.poll(() => alive.size).toBe(0);
  });

  it('run in the order of the calls', async () => {
    const order: number[] = [];
    const calls = Array.from({length: 8}, async (_, k) => {
      await dbscan(SETS[k % 5], {...PARAMS, backend: 'workers', threads: 2});
      order.push(k);
    });
    await Promise.all(calls);
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it.each(['sequential', 'workers', 'auto'] as const)('let the event loop turn, with backend %s', async (backend) => {
    let turns = 0;
    let hasEnded = false;
    const count = (): void => {
      turns++;
      if (!hasEnded) setImmediate(count);
    };
    setImmediate(count);
    // In all many times the longest stretch without a turn.
    const points = pointsOf(9, 10_000);
    await Promise.all(Array.from({length: 60}, () => dbscan(points, {...PARAMS, eps: 0.02, backend, threads: 2})));
    hasEnded = true;
    expect(turns).toBeGreaterThan(3);
  });

  it('keep the parameters that they were called with', async () => {
    const options = {...PARAMS, backend: 'sequential' as const};
    const first = dbscan(SETS[0], options);
    const calls = [0.08, 0.02, 0.05].map((eps) => {
      options.eps = eps;
      return dbscan(SETS[0], options);
    });
    options.minPts = 1;
    expect([...(await first).labels]).toEqual(LABELS[0]);
    for (const [k, eps] of [0.08, 0.02, 0.05].entries()) {
      expect((await calls[k]).labels).toEqual(dbscanOracle(SETS[0], {eps, minPts: 4}).labels);
    }
  });

  it('fail alone', async () => {
    const bad = {coords: Float32Array.of(0, NaN), dim: 2};
    const calls = [SETS[0], bad, SETS[1], SETS[2]].map((points, k) =>
      dbscan(points, {...PARAMS, backend: 'workers', threads: 2, eps: k === 3 ? -1 : PARAMS.eps}),
    );
    const outcomes = await Promise.allSettled(calls);
    expect(outcomes.map(({status}) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
    await expect(calls[1]).rejects.toThrow('point 0, axis 1 = NaN');
    await expect(calls[3]).rejects.toThrow('eps = -1');
  });

  it('refuse a bad option also while a call with good ones runs', async () => {
    const good = dbscan(SETS[0], {...PARAMS, algorithm: 'pds'});
    const options = {unoin: 'lock'};
    await expect(dbscan(SETS[0], {...PARAMS, algorithm: 'pds', options})).rejects.toThrow('unoin');
    expect([...(await good).labels]).toEqual(LABELS[0]);
  });

  it('leave the queue when their signal fires', async () => {
    const order: string[] = [];
    const controller = new AbortController();
    const options = {...PARAMS, eps: 0.02, backend: 'workers' as const, threads: 1};
    // The long run has its turn when it starts its thread.
    process.once('worker', () => setImmediate(() => controller.abort('enough')));
    const long = dbscan(pointsOf(7, 50_000), options);
    const waiting = dbscan(SETS[1], {...options, signal: controller.signal});
    const last = dbscan(SETS[2], {...options, eps: PARAMS.eps});
    void long.then(() => order.push('long'));
    await expect(waiting.finally(() => order.push('waiting'))).rejects.toMatchObject({cause: 'enough'});
    await expect(waiting).rejects.toThrow(RunAbortedError);
    expect([...(await last).labels]).toEqual(LABELS[2]);
    expect(order).toEqual(['waiting', 'long']);
  });
});
