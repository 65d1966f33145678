import {Worker} from 'node:worker_threads';
import {createLocks, makeSets} from '@epsball/union-find';
import type {Graph} from '@epsball/conformance/graphs';

/** Words of the job that all threads share. */
export const JOB = {
  round: 0,
  threads: 1,
  n: 2,
  edgeCount: 3,
  isLocked: 4,
  start: 5,
  united: 6,
  done: 7,
  hooks: 8,
  words: 9,
} as const;

export interface Shared {
  readonly job: Int32Array<SharedArrayBuffer>;
  readonly parent: Int32Array<SharedArrayBuffer>;
  readonly edges: Uint32Array<SharedArrayBuffer>;
  readonly locks: Int32Array<SharedArrayBuffer>;
}

export interface Round {
  readonly threads: number;
  readonly form: 'uniteShared' | 'uniteLocked';
  /** The initial forest. Default: each member a set of its own. */
  readonly forest?: Int32Array;
}

/** Threads that unite the edges of one graph after another. */
export class Contention {
  readonly #shared: Shared;
  readonly #workers: readonly Worker[];
  readonly #failed: Promise<never>;

  /** @param lockCount  small, so that unrelated roots share locks */
  constructor(threadsMax: number, nMax: number, edgesMax: number, lockCount = 8) {
    this.#shared = {
      job: new Int32Array(new SharedArrayBuffer(4 * JOB.words)),
      parent: new Int32Array(new SharedArrayBuffer(4 * nMax)),
      edges: new Uint32Array(new SharedArrayBuffer(8 * edgesMax)),
      locks: createLocks(lockCount),
    };
    const execArgv = ['--conditions=@epsball/source'];
    this.#workers = Array.from({length: threadsMax}, (_, id) => {
      return new Worker(new URL('./contender.ts', import.meta.url), {workerData: {...this.#shared, id}, execArgv});
    });
    this.#failed = Promise.race(this.#workers.map((worker) => failureOf(worker)));
    // A round awaits it. A failure between rounds must not end the process.
    this.#failed.catch(() => {});
  }

  /** Returns the parents after all threads have united and flattened, and the number of calls that hooked. */
  async run({n, edges}: Graph, {threads, form, forest}: Round): Promise<{parent: Int32Array; hooks: number}> {
    const {job, parent} = this.#shared;
    if (forest) parent.set(forest);
    else makeSets(parent, 0, n);
    this.#shared.edges.set(edges);
    for (const word of [JOB.start, JOB.united, JOB.done, JOB.hooks]) job[word] = 0;
    job[JOB.n] = n;
    job[JOB.edgeCount] = edges.length / 2;
    job[JOB.isLocked] = form === 'uniteLocked' ? 1 : 0;
    this.#startRound(threads);
    for (let done = 0; done < this.#workers.length; done = Atomics.load(job, JOB.done)) {
      await Promise.race([Atomics.waitAsync(job, JOB.done, done).value, this.#failed]);
    }
    return {parent: parent.slice(0, n), hooks: job[JOB.hooks]};
  }

  /** Lets the threads end by themselves. */
  async close(): Promise<void> {
    const ended = this.#workers.map((worker) => new Promise((resolve) => worker.once('exit', resolve)));
    this.#startRound(0);
    await Promise.all(ended);
  }

  #startRound(threads: number): void {
    const {job} = this.#shared;
    job[JOB.threads] = threads;
    Atomics.add(job, JOB.round, 1);
    Atomics.notify(job, JOB.round);
  }
}

function failureOf(worker: Worker): Promise<never> {
  return new Promise((_, reject) => worker.once('error', reject));
}
