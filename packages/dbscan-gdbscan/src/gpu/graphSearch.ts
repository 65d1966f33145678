import type {DbscanPhase} from '@epsball/clustering';
import {
  BatchLoop,
  BatchPace,
  Kernel,
  packStruct,
  ParamRing,
  Scratch,
  wordOf,
  type BufferSlice,
  type ComingLabels,
  type Encode,
  type Gpu,
  type GpuRun,
} from '@epsball/gpu';
import type {NeighborGraph, RowsBindings} from '@epsball/neighbor-graph';
import {GpuUnionFind} from '@epsball/union-find/gpu';
import {expansionWgsl} from './expansion.wgsl.ts';
import {levelsWgsl} from './levels.wgsl.ts';
import {prepareWgsl} from './prepare.wgsl.ts';
import {searchStructs} from './search.wgsl.ts';
import type {SearchBuffers} from './searchBuffers.ts';

/** Maximum rounds of a batch, and rounds of the first batch, in which most searches end. */
const MAX_ROUNDS = {hardware: 64, software: 16};
const FIRST_ROUNDS = {hardware: 16, software: 3};
/** Workgroups that share a queue whose length only the device knows: enough to use the whole device. */
const STRIDING_GROUPS = {hardware: 1024, software: 4};
/**
 * Batches in flight for searches that run one after another. On a software adapter idle rounds cost more than a wait.
 */
const BATCHES_IN_FLIGHT = {hardware: 2, software: 1};
/** The first batch after which labels are requested. A batch of few rounds rarely ends a search. */
const LABELS_FROM_BATCH = {hardware: 0, software: 1};
/** Positions per search that a level starts, with many searches at a time (levels.wgsl). */
const BLOCK = 256;

const {Search, Level, SearchParams} = searchStructs;

/** The frontier: one flag per point as in the paper (Fa), or a list. */
export type Frontier = 'flags' | 'queue';
/** Searches run one after another, as in the paper, or many at a time. */
export type Searches = 'one' | 'many';

export interface SearchOptions {
  readonly frontier: Frontier;
  readonly searches: Searches;
}

/** Outcome of a search. */
export interface SearchOutcome {
  /** Searches started; with `one`, clusters. */
  readonly searches: number;
  readonly levels: number;
  readonly maxFrontier: number;
  /** How often the host read the state. */
  readonly batches: number;
  readonly labels: ComingLabels;
}

/** The search of one run. */
export interface SearchRun {
  readonly graph: NeighborGraph;
  readonly run: GpuRun<DbscanPhase>;
}

/** Level-synchronous breadth-first search over a neighbour graph. A graph in chunks takes one level of meetings. */
export class GraphSearch implements Disposable {
  readonly #gpu: Gpu;
  readonly #frontier: Frontier;
  readonly #searches: Searches;
  readonly #kernels: SearchKernels;
  readonly #unionFind: GpuUnionFind;
  readonly #params: ParamRing;
  readonly #scratch: Scratch;
  readonly #batches: BatchLoop;

  private constructor(gpu: Gpu, {frontier, searches}: SearchOptions, kernels: SearchKernels, unionFind: GpuUnionFind) {
    this.#gpu = gpu;
    this.#frontier = frontier;
    this.#searches = searches;
    this.#kernels = kernels;
    this.#unionFind = unionFind;
    this.#params = new ParamRing(gpu, 'dbscan-gdbscan/search.params');
    this.#scratch = new Scratch(gpu, 'dbscan-gdbscan/search');
    // Many searches end within one or two batches, and labels are requested after each batch, so a second one would be
    // wasted.
    const inFlight = searches === 'many' ? 1 : gpu.pick(BATCHES_IN_FLIGHT);
    this.#batches = new BatchLoop(gpu, 'dbscan-gdbscan/search', inFlight);
  }

  static async create(gpu: Gpu, options: SearchOptions): Promise<GraphSearch> {
    return new GraphSearch(gpu, options, await compile(gpu, options.frontier), await GpuUnionFind.create(gpu));
  }

  /** Returns the buffers of a run; they are reused by the next run. */
  buffers(n: number): SearchBuffers {
    return {
      visits: this.#scratch.take('visits', 4 * n),
      parent: this.#scratch.take('parent', 4 * n),
      firstCore: this.#scratch.take('firstCore', 4 * n),
      frontier: this.#scratch.take('frontier', (this.#frontier === 'queue' ? 8 : 4) * n),
      search: this.#scratch.take('state', Search.size),
      level: this.#scratch.take('level', Level.size),
    };
  }

  /**
   * Prepares a search. Submits.
   *
   * @param startsEverywhere  whether every core point starts a search, for a graph in chunks
   */
  prepare({graph, run}: SearchRun, startsEverywhere: boolean): void {
    const {n, minPts, degrees} = graph;
    const buffers = this.buffers(n);
    this.#gpu.device.queue.writeBuffer(buffers.search, 0, packStruct(Search, START));
    this.#gpu.device.queue.writeBuffer(buffers.level, 0, new Uint8Array(Level.size));
    const values = {n, minPts, startsEverywhere: Number(startsEverywhere)};
    const params = this.#params.write(prepareWgsl.structs.PrepareParams, values);
    const {prepare} = this.#kernels;
    const group = prepare.bind({...buffers, degrees, params});
    run.submit('clusters', (pass) => {
      this.#unionFind.encodeMakeSets(pass, {parent: buffers.parent, n});
      prepare.dispatchOver(pass, group, n);
    });
  }

  /**
   * Expands level after level until every core point is visited. Call after `prepare`.
   *
   * @param label  submits the labels and requests them. With many searches it is called after each batch that is likely
   *   to be the last, so that one read-back carries the labels and the flag that marks them final
   * @throws RunAbortedError  between two batches
   */
  async search(search: SearchRun, rows: RowsBindings, label: () => ComingLabels): Promise<SearchOutcome> {
    const {graph, run} = search;
    const encodeRound = this.#loadRound(search, rows);
    const most = this.#gpu.pick(MAX_ROUNDS);
    const labelsFrom = this.#searches === 'many' ? this.#gpu.pick(LABELS_FROM_BATCH) : Infinity;
    let labels: ComingLabels | undefined;
    const {state, batches} = await this.#batches.run(run, {
      what: 'graph search',
      phase: 'clusters',
      state: this.buffers(graph.n).search,
      layout: Search,
      progress: 'expanded',
      pace: new BatchPace(this.#gpu.pick(FIRST_ROUNDS), most),
      // A round expands a point or starts a search, except a round that ends a search and one that looks for the next.
      maxRounds: 3 * graph.n + 64 + 2 * most,
      record: (encoder, rounds) =>
        run.record(encoder, 'clusters', (pass) => {
          for (let round = 0; round < rounds; round++) encodeRound(pass);
        }),
      submitted: (batch) => {
        labels = batch >= labelsFrom ? label() : undefined;
      },
      look: (_, isDone) => (isDone ? undefined : labels?.drop()),
    });
    return outcomeOf(state, batches, labels ?? label());
  }

  /** Records the level of a chunk: all meetings of searches in its rows. */
  encodeChunk(pass: GPUComputePassEncoder, graph: NeighborGraph, rows: RowsBindings, rowCount: number): void {
    const {expandChunk} = this.#kernels;
    const group = expandChunk.bind({...this.buffers(graph.n), ...this.#searchParams(graph), ...rows});
    expandChunk.dispatchOver(pass, group, rowCount);
  }

  #loadRound({graph}: SearchRun, rows: RowsBindings): Encode {
    const {n, pointOrder, positions} = graph;
    const buffers = {...this.buffers(n), ...this.#searchParams(graph), ...rows};
    const groups = this.#gpu.pick(STRIDING_GROUPS);
    const {beginLevel, startSearches, expand} = this.#kernels;
    const beginGroup = beginLevel.bind({...buffers, nextLevel: buffers.level, positions});
    const startGroup = startSearches.bind({...buffers, pointOrder});
    const expandGroup = expand.bind(buffers);
    return (pass) => {
      beginLevel.dispatch(pass, beginGroup, [1, 1, 1]);
      startSearches.dispatchOver(pass, startGroup, n);
      if (this.#frontier === 'queue') expand.dispatch(pass, expandGroup, [groups, 1, 1]);
      else expand.dispatchOver(pass, expandGroup, n);
    };
  }

  #searchParams({n, edgeCount}: NeighborGraph): {searchParams: BufferSlice} {
    const isSingle = this.#searches === 'one';
    const startBelow = isSingle ? 1 : Math.ceil(n / BLOCK);
    const values = {n, team: teamOf(edgeCount / n), startBelow, isSingle: Number(isSingle)};
    return {searchParams: this.#params.write(SearchParams, values)};
  }

  destroy(): void {
    this.#unionFind.destroy();
    this.#params.destroy();
    this.#scratch.destroy();
    this.#batches.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}

interface SearchKernels {
  readonly prepare: Kernel<typeof prepareWgsl, 'prepareSearch'>;
  readonly beginLevel: Kernel<typeof levelsWgsl, 'beginLevel'>;
  readonly startSearches: Kernel<typeof levelsWgsl, 'startSearches'>;
  readonly expand: Kernel<typeof expansionWgsl, 'expandFlags' | 'expandQueue'>;
  readonly expandChunk: Kernel<typeof expansionWgsl, 'expandChunk'>;
}

async function compile(gpu: Gpu, frontier: Frontier): Promise<SearchKernels> {
  const overrides = {HAS_QUEUE: frontier === 'queue'};
  const [prepare, beginLevel, startSearches, expand, expandChunk] = await Promise.all([
    Kernel.create(gpu, prepareWgsl, 'prepareSearch', overrides),
    Kernel.create(gpu, levelsWgsl, 'beginLevel', overrides),
    Kernel.create(gpu, levelsWgsl, 'startSearches', overrides),
    Kernel.create(gpu, expansionWgsl, frontier === 'queue' ? 'expandQueue' : 'expandFlags', overrides),
    Kernel.create(gpu, expansionWgsl, 'expandChunk', overrides),
  ]);
  return {prepare, beginLevel, startSearches, expand, expandChunk};
}

/** The state before the first level. */
const START = {isDone: 0, levels: 0, maxFrontier: 0, expanded: 0, searches: 0, nextLength: 0, nextStart: 0xffff_ffff};

/** Number of invocations for a row: about its number of edges, so that they read a row in one access. */
function teamOf(meanDegree: number): number {
  let team = 4;
  while (team < 32 && team < meanDegree) team *= 2;
  return team;
}

function outcomeOf(state: Uint32Array, batches: number, labels: ComingLabels): SearchOutcome {
  return {
    searches: state[wordOf(Search, 'searches')],
    levels: state[wordOf(Search, 'levels')],
    maxFrontier: state[wordOf(Search, 'maxFrontier')],
    batches,
    labels,
  };
}
