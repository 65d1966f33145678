import {setTimeout} from 'node:timers/promises';
import {Worker} from 'node:worker_threads';
import {expect, it} from 'vitest';
import {hasStalled} from '../src/formats/threadGuard.ts';

const STALL_MS = 100;

/** Guards a thread that runs this source; `progress` is its word of shared memory. */
async function guard(source: string): Promise<{isStalled: Promise<boolean>; end: () => Promise<void>}> {
  const progress = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(`const progress = require('node:worker_threads').workerData; ${source}`, {
    eval: true,
    workerData: progress,
  });
  await new Promise((resolve) => worker.once('online', resolve));
  const ending = new AbortController();
  return {
    isStalled: hasStalled(worker, progress, STALL_MS, ending.signal),
    end: async () => {
      ending.abort();
      await worker.terminate();
    },
  };
}

it('a thread that waits, as for a processor or a disk, does not stall', async () => {
  const {isStalled, end} = await guard('Atomics.wait(progress, 0, 0);');
  const first = await Promise.race([isStalled, setTimeout(10 * STALL_MS, 'waiting')]);
  await end();
  expect([first, await isStalled]).toEqual(['waiting', false]);
});

it('a thread that computes with progress does not stall', async () => {
  const {isStalled, end} = await guard('for (;;) Atomics.add(progress, 0, 1);');
  const first = await Promise.race([isStalled, setTimeout(10 * STALL_MS, 'computing')]);
  await end();
  expect([first, await isStalled]).toEqual(['computing', false]);
});

it('a thread that computes without progress stalls', async () => {
  const {isStalled, end} = await guard('for (;;);');
  expect(await isStalled).toBe(true);
  await end();
});
