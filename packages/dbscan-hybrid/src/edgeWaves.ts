import type {EdgeChunk} from '@epsball/neighbor-graph';
import {chunksFor, taskModule, type TaskModule, type WorkerPool} from '@epsball/workers';
import type * as hybridTasks from './hybridTasks.ts';
import type {PreparedRun} from './runMemory.ts';

export const tasks: TaskModule<typeof hybridTasks> = taskModule<typeof hybridTasks>(import.meta.url, 'hybridTasks');

/** Fewer edges and rows take less time than handing out a part is worth. */
const ITEMS_PER_PART = 2 ** 14;

export class EdgeWaves {
  readonly #pool: WorkerPool;
  readonly #run: PreparedRun;
  readonly #signal: AbortSignal | undefined;
  /** Milliseconds in which some wave was under way. */
  busyMs = 0;
  /** Milliseconds that each thread worked, by its number in the pool. */
  readonly threadMs: number[];
  #running = 0;
  #busySince = 0;

  constructor(pool: WorkerPool, run: PreparedRun, signal: AbortSignal | undefined) {
    this.#pool = pool;
    this.#run = run;
    this.#signal = signal;
    this.threadMs = Array.from({length: pool.threads}, () => 0);
  }

  async over(
    name: 'uniteRows' | 'labelRows',
    phase: 'clusters' | 'borders',
    chunk: EdgeChunk,
    edges: Int32Array,
  ): Promise<void> {
    const {rowStart, ...run} = this.#run;
    const parts = chunksFor(chunk.edgeCount + chunk.rowCount, this.#pool.threads, ITEMS_PER_PART);
    const bounds = evenRows(rowStart, chunk, parts);
    const input = {rows: {edges, firstRow: chunk.firstRow, rowStart}, run};
    await this.#time(this.#pool.wave(tasks, name, {phase, bounds, signal: this.#signal, input}));
  }

  /** Counts what threads did elsewhere, one wave of so many milliseconds. */
  add(busyMs: number, threadMs: readonly number[]): void {
    this.busyMs += busyMs;
    threadMs.forEach((ms, thread) => (this.threadMs[thread] += ms));
  }

  async #time(wave: Promise<{readonly threadMs: readonly number[]}>): Promise<void> {
    if (this.#running++ === 0) this.#busySince = performance.now();
    try {
      const {threadMs} = await wave;
      threadMs.forEach((ms, thread) => (this.threadMs[thread] += ms));
    } finally {
      if (--this.#running === 0) this.busyMs += performance.now() - this.#busySince;
    }
  }
}

/** Bounds of parts of a chunk's rows that have about as many rows and edges each. */
export function evenRows(
  rowStart: Uint32Array,
  {firstRow, rowCount, edgeCount}: EdgeChunk,
  parts: number,
): readonly number[] {
  const base = rowStart[firstRow];
  const end = firstRow + rowCount;
  const bounds = [firstRow];
  for (let part = 1; part < parts; part++) {
    const wanted = ((edgeCount + rowCount) * part) / parts;
    let low = bounds[part - 1];
    let high = end;
    // The first row before which at least `wanted` items are.
    while (low < high) {
      const middle = (low + high) >> 1;
      if (((rowStart[middle] - base) >>> 0) + (middle - firstRow) < wanted) low = middle + 1;
      else high = middle;
    }
    bounds.push(low);
  }
  bounds.push(end);
  return bounds;
}
