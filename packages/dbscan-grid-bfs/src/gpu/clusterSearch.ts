import type {DbscanPhase} from '@epsball/clustering';
import {
  BatchLoop,
  BatchPace,
  Kernel,
  Owner,
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

const {Search} = searchStructs;

export interface SearchOutcome {
  readonly clusters: number;
  readonly levels: number;
  readonly maxFrontier: number;
  /** How often the host read the state. */
  readonly batches: number;
}

/** Core test and expansion of all clusters of a grid (Milanesi, §3.5 and 3.6). */
export class ClusterSearch extends Owner {
  readonly #gpu: Gpu;
  readonly #frontier: FrontierQueue;
  readonly #scratch: Scratch;
  readonly #batches: BatchLoop;

  private constructor(gpu: Gpu, frontier: FrontierQueue) {
    super();
    this.#gpu = gpu;
    this.#frontier = this.own(frontier);
    this.#scratch = this.own(new Scratch(gpu, 'dbscan-grid-bfs/search'));
    this.#batches = this.own(new BatchLoop(gpu, 'dbscan-grid-bfs/search', BATCHES_IN_FLIGHT));
  }

  static async create(gpu: Gpu): Promise<ClusterSearch> {
    return new ClusterSearch(gpu, await FrontierQueue.create(gpu, 256));
  }

  /**
   * Marks the core points and initializes the state of the search. Submits; waits for pipelines only.
   *
   * @param labels         receives the words of search.wgsl, by position
   * @param weightsBefore  sums of weights (weights.wgsl). Default: each point counts 1
   */
  async markCore(
    grid: GpuGrid,
    labels: GPUBuffer,
    {minPts, weightsBefore}: {readonly minPts: number; readonly weightsBefore: GPUBuffer | undefined},
    run: GpuRun<DbscanPhase>,
  ): Promise<void> {
    const {queue} = this.#gpu.device;
    const search = this.#state(grid.n);
    queue.writeBuffer(search, 0, new ArrayBuffer(Search.size));
    // More than there are points marks no point.
    queue.writeBuffer(search, Search.fields.minPts.offset, Int32Array.of(Math.min(minPts, 0x7fffffff)));
    this.#frontier.reset(grid.n);
    const HAS_WEIGHTS = weightsBefore !== undefined;
    const [marks, exactly, chooseTeam] = await Promise.all([
      Kernel.create(this.#gpu, coreWgsl, 'markCore', {...narrow(grid), HAS_WEIGHTS}),
      Kernel.create(this.#gpu, coreWgsl, 'markCoreExactly', {...grid.overrides, HAS_WEIGHTS}),
      Kernel.create(this.#gpu, densityWgsl, 'chooseTeam', narrow(grid)),
    ]);
    // Without weights, the kernels bind another buffer and do not read it.
    const bound = {...grid.bindings, labels, search, weightsBefore: weightsBefore ?? grid.bindings.sortedCoords};
    run.submit('core', (pass) => {
      marks.dispatchOver(pass, marks.bind(bound), grid.n);
      exactly.dispatch(pass, exactly.bind(bound), [this.#gpu.pick(EXACT_GROUPS), 1, 1]);
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
      progress: (words) => words[wordOf(Search, 'expanded')] / Math.max(1, words[wordOf(Search, 'cores')]),
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
    return {
      clusters: state[wordOf(Search, 'clusters')],
      levels: state[wordOf(Search, 'levels')],
      maxFrontier: state[wordOf(Search, 'maxFrontier')],
      batches,
    };
  }

  /** Where the number of clusters is when the expansion has ended. */
  clusterCount(n: number): DeviceWord {
    return {buffer: this.#state(n), offset: Search.fields.clusters.offset};
  }

  /** Returns a function that records one round, on an exact turn with the exact expansion. */
  async #prepareRound(grid: GpuGrid, labels: GPUBuffer) {
    const [advance, expand, expandExactly, finishExactly] = await Promise.all([
      Kernel.create(this.#gpu, expansionWgsl, 'advance', narrow(grid)),
      Kernel.create(this.#gpu, expansionWgsl, 'expandFrontier', narrow(grid)),
      Kernel.create(this.#gpu, expansionWgsl, 'expandExactly', grid.overrides),
      Kernel.create(this.#gpu, expansionWgsl, 'finishExactly'),
    ]);
    const buffers = {...grid.bindings, ...this.#frontier.bindings, labels, search: this.#state(grid.n)};
    const advanceGroup = advance.bind({...buffers, positions: grid.positions});
    const expandGroup = expand.bind(buffers);
    const exactGroup = expandExactly.bind(buffers);
    const finishGroup = finishExactly.bind(buffers);
    const [groups, exactGroups] = [this.#gpu.pick(STRIDING_GROUPS), this.#gpu.pick(EXACT_GROUPS)];
    return (pass: GPUComputePassEncoder, isExactTurn: boolean) => {
      advance.dispatch(pass, advanceGroup, [1, 1, 1]);
      expand.dispatch(pass, expandGroup, [groups, 1, 1]);
      if (!isExactTurn) return;
      expandExactly.dispatch(pass, exactGroup, [exactGroups, 1, 1]);
      finishExactly.dispatch(pass, finishGroup, [1, 1, 1]);
    };
  }

  #state(n: number): GPUBuffer {
    return this.#scratch.take('state', Search.size + 4 * n);
  }
}

/** Pipeline constants of kernels that read no float64 words. */
function narrow(grid: GpuGrid): {DIM: number; IS_SPARSE: boolean} {
  const {DIM, IS_SPARSE} = grid.overrides;
  return {DIM, IS_SPARSE};
}
