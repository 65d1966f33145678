// A thread of the contention tests: waits for rounds, unites its share of the edges, then flattens its range.
import {workerData} from 'node:worker_threads';
import {flattenShared, uniteLocked, uniteShared} from '@epsball/union-find';
import {JOB, type Shared} from './contention.ts';

/** About a tenth of a millisecond. */
const SPINS = 10_000;

const {id, job, parent, edges, locks} = workerData as Shared & {id: number};

for (let round = 1; ; round++) {
  Atomics.wait(job, JOB.round, round - 1);
  const threads = job[JOB.threads];
  if (threads === 0) break;
  if (id < threads) contend(threads);
  // All threads count, also those without a share: none may still be in this round when the next begins.
  Atomics.add(job, JOB.done, 1);
  Atomics.notify(job, JOB.done);
}

function contend(threads: number): void {
  const n = job[JOB.n];
  const edgeCount = job[JOB.edgeCount];
  const isLocked = job[JOB.isLocked] === 1;
  meet(JOB.start, threads);
  let hooks = 0;
  // Every `threads`-th edge, so that neighbouring edges, which change the same roots, run on different threads.
  for (let k = id; k < edgeCount; k += threads) {
    const [a, b] = [edges[2 * k], edges[2 * k + 1]];
    if (isLocked ? uniteLocked(parent, locks, a, b) : uniteShared(parent, a, b)) hooks++;
  }
  Atomics.add(job, JOB.hooks, hooks);
  meet(JOB.united, threads);
  flattenShared(parent, Math.floor((n * id) / threads), Math.floor((n * (id + 1)) / threads));
}

/**
 * Waits until all threads are here. Spins for a while: threads that wake up one after the other would hardly ever
 * change a root at the same time.
 */
function meet(line: number, threads: number): void {
  if (Atomics.add(job, line, 1) === threads - 1) Atomics.notify(job, line);
  for (let spin = 0; spin < SPINS && Atomics.load(job, line) < threads; spin++);
  for (let here = Atomics.load(job, line); here < threads; here = Atomics.load(job, line)) {
    Atomics.wait(job, line, here);
  }
}
