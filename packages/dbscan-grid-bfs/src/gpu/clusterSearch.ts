import {throwIfAborted, type DbscanPhase, type DbscanRunOptions} from '@epsball/clustering';
import {Kernel, Reader, Scratch, type DeviceTimer, type Gpu} from '@epsball/gpu';
import {FrontierQueue} from '@epsball/gpu-primitives';
import type {GpuGrid} from '@epsball/spatial-grid/gpu';
import {coreWgsl} from './core.wgsl.ts';
import {exactCoreWgsl} from './exactCore.wgsl.ts';
import {exactExpansionWgsl} from './exactExpansion.wgsl.ts';
import {expansionWgsl} from './expansion.wgsl.ts';

/** Rounds (three dispatches each) recorded between two looks of the host. */
const ROUNDS_PER_BATCH = 32;
/** Batches on the device at a time: the next one starts while the host looks at the last. */
const BATCHES_IN_FLIGHT = 2;
/** Words of `Search` in search.wgsl, and where those that the host reads stand. */
const SEARCH_WORDS = 8;
const WORD = {cluster: 1, startIndex: 2, isDone: 3, levels: 4, maxFrontier: 5};

/** Bytes before the size of the exact dispatches in the frontier's indirect buffer. */
const EXACT_GROUPS_OFFSET = 12;

/** What the expansion reports. */
export interface SearchOutcome {
  readonly clusters: number;
  readonly levels: number;
  readonly maxFrontier: number;
  /** Times the host looked. */
  readonly batches: number;
}

/** Core test and expansion of all clusters of a grid (Milanesi, §3.5 and 3.6). */
export class ClusterSearch implements Disposable {
  readonly #gpu: Gpu;
  readonly #frontier: FrontierQueue;
  readonly #scratch: Scratch;
  readonly #readers: readonly Reader[];
  readonly #team: number;

  private constructor(gpu: Gpu, frontier: FrontierQueue, team: number) {
    this.#gpu = gpu;
    this.#frontier = frontier;
    this.#team = team;
    this.#scratch = new Scratch(gpu, 'dbscan-grid-bfs/search');
    this.#readers = Array.from({length: BATCHES_IN_FLIGHT}, () => new Reader(gpu, 'dbscan-grid-bfs/search'));
  }

  static async create(gpu: Gpu): Promise<ClusterSearch> {
    const team = teamSize(gpu);
    return new ClusterSearch(gpu, await FrontierQueue.create(gpu, 256 / team), team);
  }

  /**
   * Marks the core points and lays out the state of the search. Submits; waits for pipelines only.
   *
   * @param labels  receives words as labels.wgsl has them, by position
   */
  async markCore(grid: GpuGrid, labels: GPUBuffer, minPts: number, timer: DeviceTimer<DbscanPhase>): Promise<void> {
    const {search, undecidedPoints} = this.#buffers(grid.length);
    // minPts > n marks none; clamped, because the kernel's is a u32.
    const words = Uint32Array.of(Math.min(minPts, 0xffffffff), 0xffffffff, 0, 0, 0, 0, 0, 0);
    this.#gpu.device.queue.writeBuffer(search, 0, words);
    this.#frontier.reset(grid.length);
    const [markCore, requestExactCore, markCoreExactly] = await Promise.all([
      Kernel.create(this.#gpu, coreWgsl, 'markCore', narrow(grid)),
      Kernel.create(this.#gpu, exactCoreWgsl, 'requestExactCore'),
      Kernel.create(this.#gpu, exactCoreWgsl, 'markCoreExactly', grid.overrides),
    ]);
    const {frontierGroups} = this.#frontier;
    const buffers = {...grid.bindings, labels, search, undecidedPoints};
    const encoder = this.#gpu.device.createCommandEncoder();
    const pass = timer.beginPass(encoder, 'core');
    markCore.dispatchOver(pass, markCore.bind(buffers), grid.length);
    requestExactCore.dispatch(pass, requestExactCore.bind({search, frontierGroups}), [1, 1, 1]);
    markCoreExactly.dispatchIndirect(pass, markCoreExactly.bind(buffers), frontierGroups, EXACT_GROUPS_OFFSET);
    pass.end();
    this.#gpu.device.queue.submit([encoder.finish()]);
    // The expansion starts with an empty list.
    this.#gpu.device.queue.writeBuffer(search, 4 * (SEARCH_WORDS - 1), Uint32Array.of(0));
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
    const {search} = this.#buffers(grid.length);
    const encodeRound = await this.#prepareRound(grid, labels);
    const states = this.#readers.map(() => new Uint32Array(SEARCH_WORDS));
    const pending: Promise<void>[] = [];
    // A round completes a level, asks for exact work, or looks at a window of points: four a point are plenty.
    const maxBatches = BATCHES_IN_FLIGHT + 4 + Math.ceil((4 * grid.length) / ROUNDS_PER_BATCH);
    for (let batch = 0; batch < maxBatches; batch++) {
      const slot = batch % BATCHES_IN_FLIGHT;
      if (batch >= BATCHES_IN_FLIGHT) {
        await pending[slot];
        const state = states[slot];
        options.onProgress?.({phase: 'clusters', done: state[WORD.startIndex], total: grid.length});
        const isAborted = options.signal?.aborted === true;
        if (state[WORD.isDone] === 1 || isAborted) await Promise.all(pending);
        throwIfAborted(options.signal, 'clusters');
        if (state[WORD.isDone] === 1) return outcomeOf(state, batch);
      }
      await timer.makeRoom();
      this.#submitBatch(encodeRound, timer);
      pending[slot] = this.#readers[slot].read(search, states[slot]);
    }
    throw new Error(`cluster expansion not done after ${maxBatches} batches of ${ROUNDS_PER_BATCH} rounds`);
  }

  #submitBatch(encodeRound: (pass: GPUComputePassEncoder) => void, timer: DeviceTimer<DbscanPhase>): void {
    const encoder = this.#gpu.device.createCommandEncoder();
    const pass = timer.beginPass(encoder, 'clusters');
    for (let round = 0; round < ROUNDS_PER_BATCH; round++) encodeRound(pass);
    pass.end();
    this.#gpu.device.queue.submit([encoder.finish()]);
  }

  async #prepareRound(grid: GpuGrid, labels: GPUBuffer): Promise<(pass: GPUComputePassEncoder) => void> {
    const team = {TEAM: this.#team};
    const [advance, expand, expandExactly] = await Promise.all([
      Kernel.create(this.#gpu, expansionWgsl, 'advance', {...narrow(grid), ...team}),
      Kernel.create(this.#gpu, expansionWgsl, 'expandFrontier', {...narrow(grid), ...team}),
      Kernel.create(this.#gpu, exactExpansionWgsl, 'expandExactly', {...grid.overrides, ...team}),
    ]);
    const {frontierGroups} = this.#frontier;
    const buffers = {...grid.bindings, ...this.#frontier.bindings, labels, ...this.#buffers(grid.length)};
    const advanceGroup = advance.bind({...buffers, positions: grid.positions, frontierGroups});
    const expandGroup = expand.bind(buffers);
    const exactGroup = expandExactly.bind(buffers);
    return (pass) => {
      advance.dispatch(pass, advanceGroup, [1, 1, 1]);
      expand.dispatchIndirect(pass, expandGroup, frontierGroups);
      expandExactly.dispatchIndirect(pass, exactGroup, frontierGroups, EXACT_GROUPS_OFFSET);
    };
  }

  #buffers(length: number): {search: GPUBuffer; undecidedPoints: GPUBuffer} {
    return {
      search: this.#scratch.take('state', 4 * SEARCH_WORDS),
      undecidedPoints: this.#scratch.take('undecidedPoints', 4 * length),
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

/** Lanes that share a frontier point's candidates: a subgroup, where the adapter tells its size. */
function teamSize(gpu: Gpu): number {
  const {subgroupMaxSize} = gpu.info;
  return subgroupMaxSize >= 4 && subgroupMaxSize <= 32 ? subgroupMaxSize : 32;
}

/** Pipeline constants of kernels that never look at float64 words. */
function narrow(grid: GpuGrid): {DIM: number; IS_SPARSE: boolean} {
  const {DIM, IS_SPARSE} = grid.overrides;
  return {DIM, IS_SPARSE};
}

function outcomeOf(state: Uint32Array, batches: number): SearchOutcome {
  // `cluster` is the last label; before the first it is −1 as a word.
  const clusters = (state[WORD.cluster] + 1) >>> 0;
  return {clusters, levels: state[WORD.levels], maxFrontier: state[WORD.maxFrontier], batches};
}
