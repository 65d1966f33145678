import {chunksFor, evenBounds, type StepsUnderWay, type WorkerPool} from '@epsball/workers';
import {evenRows, tasks} from './edgeWaves.ts';
import type {EdgeRows} from './hybridTasks.ts';
import type {PreparedRun} from './runMemory.ts';

/** Fewer rows and edges take less time than claiming a chunk is worth. */
const ITEMS_PER_CHUNK = 2 ** 13;

/** Readying memory is worth a chunk of so many points: that takes some 20 µs, mostly for the pages of new labels. */
const POINTS_PER_CHUNK = 2 ** 13;

/** The steps after rows and edges arrive: over all rows, or over chunks of about equal work. */
const CLOSED = [
  {name: 'uniteRows', phase: 'clusters', over: 'edges'},
  {name: 'findRowFirsts', phase: 'clusters', over: 'edges'},
  {name: 'numberRowFirsts', phase: 'clusters', over: 'all'},
  {name: 'labelRows', phase: 'borders', over: 'edges'},
] as const;

export interface RowTimes {
  readonly threadMs: readonly number[];
  readonly labelMs: number;
}

/** The threads' work in a run whose edges travel at once: steps of one wave that begins before the edges arrive. */
export class RowSteps {
  readonly #pool: WorkerPool;
  readonly #run: PreparedRun;
  readonly #signal: AbortSignal | undefined;
  readonly #rows: EdgeRows;
  readonly #chunks: number;
  #wave: StepsUnderWay | undefined;
  #ready: Promise<unknown> | undefined;
  #hasEnded = false;

  /** Room for the edges; `run` takes the first of them. */
  readonly edges: Int32Array;

  constructor(pool: WorkerPool, run: PreparedRun, edges: Int32Array, signal: AbortSignal | undefined) {
    this.#pool = pool;
    this.#run = run;
    this.#signal = signal;
    this.edges = edges;
    this.#rows = {edges, firstRow: 0, rowStart: run.rowStart};
    this.#chunks = chunksFor(run.pointOrder.length + edges.length, pool.threads, ITEMS_PER_CHUNK);
  }

  begin(): void {
    try {
      this.#begun();
    } catch {
      // The device works for this run, so it goes on. `run` tries again and reports the error.
    }
  }

  #begun(): StepsUnderWay {
    if (this.#wave) return this.#wave;
    const {rowStart: _, ...run} = this.#run;
    const n = run.pointOrder.length;
    const ready = evenBounds(n, chunksFor(n, this.#pool.threads, POINTS_PER_CHUNK));
    const steps = [
      {name: 'readyRows' as const, phase: 'core', bounds: ready},
      ...CLOSED.map(({name, phase, over}) => ({name, phase, bounds: over === 'all' ? 1 : this.#chunks})),
    ];
    return (this.#wave = this.#pool.steps(tasks, {input: {rows: this.#rows, run}, signal: this.#signal, steps}));
  }

  /** From unions to labels, now that rows and edges are in shared memory. */
  async run(rowCount: number, edgeCount: number, whileWaiting?: () => void): Promise<RowTimes> {
    const rows = {firstRow: 0, rowCount, edgeCount};
    const evenEdges = evenRows(this.#rows.rowStart, rows, this.#chunks);
    const bounds = {edges: evenEdges, all: [0, rowCount]};
    const wave = this.#begun();
    wave.open(CLOSED.map(({over}) => bounds[over]));
    whileWaiting?.();
    const {threadMs, wallMs} = await wave.ended;
    this.#hasEnded = true;
    const [, ...ofClosed] = threadMs;
    return {
      threadMs: ofClosed.reduce((sums, ofStep) => sums.map((ms, thread) => ms + ofStep[thread])),
      labelMs: wallMs[wallMs.length - 1],
    };
  }

  /** Ends the wave after its first step, because the edges travel in chunks. */
  readyOnly(): Promise<unknown> {
    this.#ready ??= this.run(0, 0);
    // A later `await` gets the failure.
    this.#ready.catch(() => undefined);
    return this.#ready;
  }

  /** Stops the wave of a failed run, and waits for its end. */
  async end(): Promise<void> {
    // An unused error would cost 0.03 ms, for its stack.
    if (this.#hasEnded || !this.#wave) return;
    this.#wave.stop(new Error('the run has ended'));
    await this.#wave.ended.catch(() => undefined);
  }
}
