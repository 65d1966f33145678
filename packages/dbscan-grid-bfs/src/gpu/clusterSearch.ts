import {throwIfAborted, type DbscanPhase, type DbscanRunOptions} from '@epsball/clustering';
import {Kernel, packStruct, Reader, Scratch, wordOf, type DeviceTimer, type Gpu} from '@epsball/gpu';
import {FrontierQueue} from '@epsball/gpu-primitives';
import type {GpuGrid} from '@epsball/spatial-grid/gpu';
import {coreWgsl} from './core.wgsl.ts';
import {densityWgsl} from './density.wgsl.ts';
import {exactCoreWgsl} from './exactCore.wgsl.ts';
import {exactExpansionWgsl} from './exactExpansion.wgsl.ts';
import {expansionWgsl} from './expansion.wgsl.ts';
import {searchStructs} from './search.wgsl.ts';
import {SearchWatch} from './searchWatch.ts';

/**
 * Rounds recorded between two looks of the host: few at first, because small data is done at once, then more. On a
 * software adapter a round is slow, and an abort should not wait for many.
 */
const MAX_ROUNDS = {hardware: 64, software: 8};
const FIRST_ROUNDS = 4;
/** Every so many rounds the exact expansion is recorded, too: it seldom has anything to do. Every round, once it has. */
const EXACT_EVERY = 4;
/**
 * Workgroups that stride over a list whose length only the device knows: enough to fill the machine. Indirect dispatches
 * would fit the list, but each costs the host 80 µs of validation (Dawn, H200), a fixed one 2.
 */
const STRIDING_GROUPS = {hardware: 1024, software: 4};
/** The same for lists of points with undecided pairs, which are short but for lattices. */
const EXACT_GROUPS = {hardware: 1024, software: 1};
/** Batches on the device at a time: the next one starts while the host looks at the last. */
const BATCHES_IN_FLIGHT = 2;
/** The state of a run (search.wgsl); words that the host does not set are 0 at the start. */
const {Search} = searchStructs;
const START = {
  startIndex: 0,
  isDone: 0,
  levels: 0,
  maxFrontier: 0,
  team: 0,
  largeLength: 0,
  exactStage: 0,
  undecidedLength: 0,
};

/** What the expansion reports. */
export interface SearchOutcome {
  readonly clusters: number;
  readonly levels: number;
  readonly maxFrontier: number;
  /** Times the host looked. */
  readonly batches: number;
}

/** Records one round; on an exact turn with the exact expansion. */
type EncodeRound = (pass: GPUComputePassEncoder, isExactTurn: boolean) => void;

interface Batch {
  readonly rounds: number;
  /** The exact expansion is recorded in every so many rounds. */
  readonly exactEvery: number;
}

/** Core test and expansion of all clusters of a grid (Milanesi, §3.5 and 3.6). */
export class ClusterSearch implements Disposable {
  readonly #gpu: Gpu;
  readonly #frontier: FrontierQueue;
  readonly #scratch: Scratch;
  readonly #readers: readonly Reader[];
  readonly #maxRounds: number;
  readonly #groups: number;
  readonly #exactGroups: number;

  private constructor(gpu: Gpu, frontier: FrontierQueue) {
    this.#gpu = gpu;
    this.#frontier = frontier;
    this.#scratch = new Scratch(gpu, 'dbscan-grid-bfs/search');
    this.#readers = Array.from({length: BATCHES_IN_FLIGHT}, () => new Reader(gpu, 'dbscan-grid-bfs/search'));
    const speed = gpu.info.kind === 'hardware' ? 'hardware' : 'software';
    this.#maxRounds = MAX_ROUNDS[speed];
    this.#groups = STRIDING_GROUPS[speed];
    this.#exactGroups = EXACT_GROUPS[speed];
  }

  static async create(gpu: Gpu): Promise<ClusterSearch> {
    return new ClusterSearch(gpu, await FrontierQueue.create(gpu, 256));
  }

  /**
   * Marks the core points and lays out the state of the search. Submits; waits for pipelines only.
   *
   * @param labels  receives words as labels.wgsl has them, by position
   */
  async markCore(grid: GpuGrid, labels: GPUBuffer, minPts: number, timer: DeviceTimer<DbscanPhase>): Promise<void> {
    const {search, undecidedPoints} = this.#buffers(grid.n);
    // minPts > n marks none; clamped, because the kernel's is a u32. The first cluster follows −1.
    const start = packStruct(Search, {...START, minPts: Math.min(minPts, 0xffffffff), cluster: 0xffffffff});
    this.#gpu.device.queue.writeBuffer(search, 0, start);
    this.#frontier.reset(grid.n);
    const [markCore, markCoreExactly, chooseTeam] = await Promise.all([
      Kernel.create(this.#gpu, coreWgsl, 'markCore', narrow(grid)),
      Kernel.create(this.#gpu, exactCoreWgsl, 'markCoreExactly', grid.overrides),
      Kernel.create(this.#gpu, densityWgsl, 'chooseTeam', narrow(grid)),
    ]);
    const buffers = {...grid.bindings, labels, search, undecidedPoints};
    const encoder = this.#gpu.device.createCommandEncoder();
    const pass = timer.beginPass(encoder, 'core');
    markCore.dispatchOver(pass, markCore.bind(buffers), grid.n);
    markCoreExactly.dispatch(pass, markCoreExactly.bind(buffers), [this.#exactGroups, 1, 1]);
    chooseTeam.dispatch(pass, chooseTeam.bind(buffers), [1, 1, 1]);
    pass.end();
    this.#gpu.device.queue.submit([encoder.finish()]);
    // The expansion starts with an empty list.
    this.#gpu.device.queue.writeBuffer(search, Search.fields.undecidedLength.offset, Uint32Array.of(0));
  }

  /**
   * Expands every cluster, after `markCore`.
   *
   * @param labels  claimed on return
   * @throws RunAbortedError  between two batches
   */
  async expand(
    grid: GpuGrid,
    labels: GPUBuffer,
    timer: DeviceTimer<DbscanPhase>,
    options: DbscanRunOptions,
  ): Promise<SearchOutcome> {
    const {search} = this.#buffers(grid.n);
    const encodeRound = await this.#prepareRound(grid, labels);
    const states = this.#readers.map(() => new Uint32Array(Search.size / 4));
    const watch = new SearchWatch(grid.n, options.onProgress);
    const pending: Promise<void>[] = [];
    // A round completes a level, looks at a window of points, or waits for exact work: this many are plenty.
    const maxBatches = 16 + Math.ceil((2 * EXACT_EVERY * grid.n) / this.#maxRounds);
    try {
      for (let batch = 0, rounds = FIRST_ROUNDS; batch < maxBatches; batch++) {
        const slot = batch % BATCHES_IN_FLIGHT;
        if (batch >= BATCHES_IN_FLIGHT) {
          await pending[slot];
          const isDone = watch.look(states[slot]);
          throwIfAborted(options.signal, 'clusters');
          if (isDone) return outcomeOf(states[slot], batch);
        }
        await timer.makeRoom();
        this.#submitBatch(encodeRound, {rounds, exactEvery: watch.isExact ? 1 : EXACT_EVERY}, timer);
        rounds = Math.min(2 * rounds, this.#maxRounds);
        pending[slot] = this.#readers[slot].read(search, states[slot]);
        // A lost device fails all of them; the loop reports the first, and the others must not go unhandled.
        pending[slot].catch(() => undefined);
      }
      throw new Error(`cluster expansion not done after ${maxBatches} batches`);
    } finally {
      // The next run reads through the same staging.
      await Promise.allSettled(pending);
    }
  }

  #submitBatch(encodeRound: EncodeRound, batch: Batch, timer: DeviceTimer<DbscanPhase>): void {
    const encoder = this.#gpu.device.createCommandEncoder();
    const pass = timer.beginPass(encoder, 'clusters');
    for (let round = 1; round <= batch.rounds; round++) encodeRound(pass, round % batch.exactEvery === 0);
    pass.end();
    this.#gpu.device.queue.submit([encoder.finish()]);
  }

  async #prepareRound(grid: GpuGrid, labels: GPUBuffer): Promise<EncodeRound> {
    const [advance, expand, expandExactly, finishExactly] = await Promise.all([
      Kernel.create(this.#gpu, expansionWgsl, 'advance', narrow(grid)),
      Kernel.create(this.#gpu, expansionWgsl, 'expandFrontier', narrow(grid)),
      Kernel.create(this.#gpu, exactExpansionWgsl, 'expandExactly', grid.overrides),
      Kernel.create(this.#gpu, exactExpansionWgsl, 'finishExactly'),
    ]);
    const buffers = {...grid.bindings, ...this.#frontier.bindings, labels, ...this.#buffers(grid.n)};
    const advanceGroup = advance.bind({...buffers, positions: grid.positions});
    const expandGroup = expand.bind(buffers);
    const exactGroup = expandExactly.bind(buffers);
    const finishGroup = finishExactly.bind(buffers);
    return (pass, isExactTurn) => {
      advance.dispatch(pass, advanceGroup, [1, 1, 1]);
      expand.dispatch(pass, expandGroup, [this.#groups, 1, 1]);
      if (!isExactTurn) return;
      expandExactly.dispatch(pass, exactGroup, [this.#exactGroups, 1, 1]);
      finishExactly.dispatch(pass, finishGroup, [1, 1, 1]);
    };
  }

  #buffers(n: number): {search: GPUBuffer; undecidedPoints: GPUBuffer} {
    return {
      search: this.#scratch.take('state', Search.size),
      undecidedPoints: this.#scratch.take('undecidedPoints', 4 * n),
    };
  }

  destroy(): void {
    this.#frontier.destroy();
    this.#scratch.destroy();
    for (const reader of this.#readers) reader.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}

/** Pipeline constants of kernels that never look at float64 words. */
function narrow(grid: GpuGrid): {DIM: number; IS_SPARSE: boolean} {
  const {DIM, IS_SPARSE} = grid.overrides;
  return {DIM, IS_SPARSE};
}

function outcomeOf(state: Uint32Array, batches: number): SearchOutcome {
  // `cluster` is the last label; before the first it is −1 as a word.
  const clusters = (state[wordOf(Search, 'cluster')] + 1) >>> 0;
  const levels = state[wordOf(Search, 'levels')];
  return {clusters, levels, maxFrontier: state[wordOf(Search, 'maxFrontier')], batches};
}
