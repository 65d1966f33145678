import type {EdgeChunk} from '@epsball/neighbor-graph';
import {chunksFor, taskModule, type TaskModule, type WorkerPool} from '@epsball/workers';
import type * as hybridTasks from './hybridTasks.ts';
import type {EdgeRows, Labelling} from './hybridTasks.ts';

export const tasks: TaskModule<typeof hybridTasks> = taskModule<typeof hybridTasks>(import.meta.url, 'hybridTasks');

/** Fewer edges take less time than handing out a part is worth. */
const EDGES_PER_PART = 2 ** 14;

/** Waves over the rows of chunks, and how long they took. */
export class EdgeWaves {
  readonly #pool: WorkerPool;
  readonly #rowStart: Uint32Array;
  readonly #signal: AbortSignal | undefined;
  /** Milliseconds in which some wave was under way. */
  busyMs = 0;
  /** Milliseconds that each thread worked, by its number in the pool. */
  readonly threadMs: number[];
  #running = 0;
  #busySince = 0;

  constructor(pool: WorkerPool, rowStart: Uint32Array, signal: AbortSignal | undefined) {
    this.#pool = pool;
    this.#rowStart = rowStart;
    this.#signal = signal;
    this.threadMs = Array.from({length: pool.threads}, () => 0);
  }

  /** Unites the edges of a chunk between core points. */
  async unite(chunk: EdgeChunk, edges: Int32Array, parent: Int32Array): Promise<void> {
    const {phase, rows, bounds} = this.#share('clusters', chunk, edges);
    await this.#time(this.#pool.wave(tasks, 'uniteRows', {phase, bounds, signal: this.#signal, input: {rows, parent}}));
  }

  /** Labels the border points of a chunk. */
  async labelBorders(chunk: EdgeChunk, edges: Int32Array, labelling: Labelling): Promise<void> {
    const {phase, rows, bounds} = this.#share('borders', chunk, edges);
    const input = {rows, labelling};
    await this.#time(this.#pool.wave(tasks, 'labelBorders', {phase, bounds, signal: this.#signal, input}));
  }

  #share(
    phase: string,
    chunk: EdgeChunk,
    edges: Int32Array,
  ): {phase: string; rows: EdgeRows; bounds: readonly number[]} {
    const rowStart = this.#rowStart;
    const parts = chunksFor(chunk.edgeCount, this.#pool.threads, EDGES_PER_PART);
    return {
      phase,
      rows: {edges, firstRow: chunk.firstRow, rowStart},
      bounds: evenRows(rowStart, chunk, parts),
    };
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

/**
 * Bounds of parts of a chunk's rows that have about as many edges each.
 *
 * @param rowStart  as in `EdgeRows`
 */
export function evenRows(
  rowStart: Uint32Array,
  {firstRow, rowCount, edgeCount}: EdgeChunk,
  parts: number,
): readonly number[] {
  const base = rowStart[firstRow];
  const end = firstRow + rowCount;
  const bounds = [firstRow];
  for (let part = 1; part < parts; part++) {
    const wanted = (edgeCount * part) / parts;
    let low = bounds[part - 1];
    let high = end;
    // The first row that begins at `wanted` edges or behind.
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((rowStart[middle] - base) >>> 0 < wanted) low = middle + 1;
      else high = middle;
    }
    bounds.push(low);
  }
  bounds.push(end);
  return bounds;
}
