import type {DbscanPhase} from '@epsball/clustering';
import {
  BatchLoop,
  BatchPace,
  Kernel,
  packStruct,
  Scratch,
  wordOf,
  type DeviceWord,
  type Gpu,
  type GpuRun,
} from '@epsball/gpu';
import {FrontierQueue} from '@epsball/gpu-primitives';
import type {GpuGrid} from '@epsball/spatial-grid/gpu';
import {coreWgsl} from './core.wgsl.ts';
import {densityWgsl} from './density.wgsl.ts';
import {exactCoreWgsl} from './exactCore.wgsl.ts';
import {exactExpansionWgsl} from './exactExpansion.wgsl.ts';
import {expansionWgsl} from './expansion.wgsl.ts';
import {searchStructs} from './search.wgsl.ts';

/**
 * Maximum rounds of a batch, and rounds of the first batch: small data needs few. On a software adapter a round is
 * slow, and an abort waits for the batch.
 */
const MAX_ROUNDS = {hardware: 64, software: 8};
const FIRST_ROUNDS = 4;
/**
 * The exact expansion is recorded in every fourth round, because it rarely has work, and in every round once it has.
 */
const EXACT_EVERY = 4;
/**
 * Workgroups that share a list whose length only the device knows: enough to use the whole device. Indirect dispatches
 * would fit the list, but each costs the host 80 µs of validation (Dawn, H200), a fixed dispatch 2 µs.
 */
const STRIDING_GROUPS = {hardware: 1024, software: 4};
/** The same for lists of points with undecided pairs, which are short except on lattices. */
const EXACT_GROUPS = {hardware: 1024, software: 1};
/** Batches in flight. */
const BATCHES_IN_FLIGHT = 2;
/** The state of a run (search.wgsl) at the start. */
const {Search} = searchStructs;
const START = {
  clusters: 0,
  startIndex: 0,
  isDone: 0,
  levels: 0,
  maxFrontier: 0,
  team: 0,
  largeLength: 0,
  exactState: 0,
  undecidedLength: 0,
  undecidedPoints: [],
};

/** What makes a point core. */
export interface CoreTest {
  readonly minPts: number;
  /** Sums of weights (weights.wgsl); absent without weights. */
  readonly weightsBefore?: GPUBuffer | undefined;
}

/** Outcome of the expansion. */
export interface SearchOutcome {
  readonly clusters: number;
  readonly levels: number;
  readonly maxFrontier: number;
  /** How often the host read the state. */
  readonly batches: number;
}

/** Records one round, on an exact turn with the exact expansion. */
type EncodeRound = (pass: GPUComputePassEncoder, isExactTurn: boolean) => void;

/** Core test and expansion of all clusters of a grid (Milanesi, §3.5 and 3.6). */
export class ClusterSearch implements Disposable {
  readonly #gpu: Gpu;
  readonly #frontier: FrontierQueue;
  readonly #scratch: Scratch;
  readonly #batches: BatchLoop;

  private constructor(gpu: Gpu, frontier: FrontierQueue) {
    this.#gpu = gpu;
    this.#frontier = frontier;
    this.#scratch = new Scratch(gpu, 'dbscan-grid-bfs/search');
    this.#batches = new BatchLoop(gpu, 'dbscan-grid-bfs/search', BATCHES_IN_FLIGHT);
  }

  static async create(gpu: Gpu): Promise<ClusterSearch> {
    return new ClusterSearch(gpu, await FrontierQueue.create(gpu, 256));
  }

  /**
   * Marks the core points and initializes the state of the search. Submits; waits for pipelines only.
   *
   * @param labels  receives the words of labels.wgsl, by position
   */
  async markCore(
    grid: GpuGrid,
    labels: GPUBuffer,
    {minPts, weightsBefore}: CoreTest,
    run: GpuRun<DbscanPhase>,
  ): Promise<void> {
    const search = this.#state(grid.n);
    const {queue} = this.#gpu.device;
    // minPts > n marks no point. Clamped, because the kernel reads a u32.
    const start = packStruct(Search, {...START, minPts: Math.min(minPts, 0xffffffff)});
    queue.writeBuffer(search, 0, start);
    this.#frontier.reset(grid.n);
    const HAS_WEIGHTS = weightsBefore !== undefined;
    const [markCore, markCoreExactly, chooseTeam] = await Promise.all([
      Kernel.create(this.#gpu, coreWgsl, 'markCore', {...narrow(grid), HAS_WEIGHTS}),
      Kernel.create(this.#gpu, exactCoreWgsl, 'markCoreExactly', {...grid.overrides, HAS_WEIGHTS}),
      Kernel.create(this.#gpu, densityWgsl, 'chooseTeam', narrow(grid)),
    ]);
    // Without weights kernels do not read them, but bind a buffer.
    const bound = {...grid.bindings, labels, search, weightsBefore: weightsBefore ?? grid.bindings.cellIds};
    run.submit('core', (pass) => {
      markCore.dispatchOver(pass, markCore.bind(bound), grid.n);
      markCoreExactly.dispatch(pass, markCoreExactly.bind(bound), [this.#gpu.pick(EXACT_GROUPS), 1, 1]);
      chooseTeam.dispatch(pass, chooseTeam.bind(bound), [1, 1, 1]);
    });
    // The expansion starts with an empty list.
    queue.writeBuffer(search, Search.fields.undecidedLength.offset, Uint32Array.of(0));
  }

  /**
   * Expands all clusters. Call after `markCore`.
   *
   * @param labels  claimed on return
   * @throws RunAbortedError  between two batches
   */
  async expand(grid: GpuGrid, labels: GPUBuffer, run: GpuRun<DbscanPhase>): Promise<SearchOutcome> {
    const encodeRound = await this.#prepareRound(grid, labels);
    const most = this.#gpu.pick(MAX_ROUNDS);
    let exactEvery = EXACT_EVERY;
    const {state, batches} = await this.#batches.run(run, {
      what: 'cluster search',
      phase: 'clusters',
      state: this.#state(grid.n),
      layout: Search,
      progress: 'startIndex',
      pace: new BatchPace(FIRST_ROUNDS, most),
      // A round completes a level, tests a window of points, or waits for exact work.
      maxRounds: 2 * EXACT_EVERY * grid.n + 16 * most,
      record: (encoder, rounds) =>
        run.record(encoder, 'clusters', (pass) => {
          for (let round = 1; round <= rounds; round++) encodeRound(pass, round % exactEvery === 0);
        }),
      look: (words) => {
        // On a lattice the search waits for exact work at every level.
        exactEvery = words[wordOf(Search, 'exactState')] === 0 ? EXACT_EVERY : 1;
      },
    });
    return outcomeOf(state, batches);
  }

  /** Where the number of clusters is when the expansion has ended. */
  clusterCount(n: number): DeviceWord {
    return {buffer: this.#state(n), offset: Search.fields.clusters.offset};
  }

  async #prepareRound(grid: GpuGrid, labels: GPUBuffer): Promise<EncodeRound> {
    const [advance, expand, expandExactly, finishExactly] = await Promise.all([
      Kernel.create(this.#gpu, expansionWgsl, 'advance', narrow(grid)),
      Kernel.create(this.#gpu, expansionWgsl, 'expandFrontier', narrow(grid)),
      Kernel.create(this.#gpu, exactExpansionWgsl, 'expandExactly', grid.overrides),
      Kernel.create(this.#gpu, exactExpansionWgsl, 'finishExactly'),
    ]);
    const buffers = {...grid.bindings, ...this.#frontier.bindings, labels, search: this.#state(grid.n)};
    const advanceGroup = advance.bind({...buffers, positions: grid.positions});
    const expandGroup = expand.bind(buffers);
    const exactGroup = expandExactly.bind(buffers);
    const finishGroup = finishExactly.bind(buffers);
    const [groups, exactGroups] = [this.#gpu.pick(STRIDING_GROUPS), this.#gpu.pick(EXACT_GROUPS)];
    return (pass, isExactTurn) => {
      advance.dispatch(pass, advanceGroup, [1, 1, 1]);
      expand.dispatch(pass, expandGroup, [groups, 1, 1]);
      if (!isExactTurn) return;
      expandExactly.dispatch(pass, exactGroup, [exactGroups, 1, 1]);
      finishExactly.dispatch(pass, finishGroup, [1, 1, 1]);
    };
  }

  /** The state and its list. */
  #state(n: number): GPUBuffer {
    return this.#scratch.take('state', Search.size + 4 * n);
  }

  destroy(): void {
    this.#frontier.destroy();
    this.#scratch.destroy();
    this.#batches.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}

/** Pipeline constants of kernels that read no float64 words. */
function narrow(grid: GpuGrid): {DIM: number; IS_SPARSE: boolean} {
  const {DIM, IS_SPARSE} = grid.overrides;
  return {DIM, IS_SPARSE};
}

function outcomeOf(state: Uint32Array, batches: number): SearchOutcome {
  return {
    clusters: state[wordOf(Search, 'clusters')],
    levels: state[wordOf(Search, 'levels')],
    maxFrontier: state[wordOf(Search, 'maxFrontier')],
    batches,
  };
}
