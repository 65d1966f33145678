import type {DbscanPhase} from '@epsball/clustering';
import {
  BatchLoop,
  BatchPace,
  createAll,
  Kernel,
  Owner,
  packStruct,
  ParamRing,
  Scratch,
  wordOf,
  type ComingLabels,
  type DeviceLabels,
  type Encode,
  type Gpu,
  type GpuRun,
} from '@epsball/gpu';
import {Scan} from '@epsball/gpu-primitives';
import type {NeighborGraph, RowsBindings} from '@epsball/neighbor-graph';
import {expansionWgsl} from './expansion.wgsl.ts';
import {labelsWgsl} from './labels.wgsl.ts';
import {levelsWgsl} from './levels.wgsl.ts';
import {searchStructs} from './search.wgsl.ts';

/** Maximum rounds of a batch, and rounds of the first batch, in which most searches end. */
const MAX_ROUNDS = {hardware: 64, software: 16};
const FIRST_ROUNDS = {hardware: 16, software: 3};
/**
 * Batches in flight for searches that run one after another. On a software adapter idle rounds cost more than a wait.
 */
const BATCHES_IN_FLIGHT = {hardware: 2, software: 1};
/** The first batch after which labels are requested. A batch of few rounds rarely ends a search. */
const LABELS_FROM_BATCH = {hardware: 0, software: 1};
/**
 * The part of the time that is left is this power of the part of the core points. Many searches expand most points in
 * their first levels, and a level takes about the same time for few points: as measured with a million points.
 */
const LEFT_EXPONENT = {one: 1, many: 1 / 4};
/** Positions per search that a level starts, with many searches at a time (levels.wgsl). */
const BLOCK = 256;

const {Search, Level, SearchParams} = searchStructs;

export interface SearchRun {
  readonly graph: NeighborGraph;
  readonly run: GpuRun<DbscanPhase>;
  /** Whether every core point starts a search, for a graph in chunks. */
  readonly startsEverywhere: boolean;
}

/** Counters of a search, and its labels. */
export interface SearchOutcome {
  /** Searches started; with `one`, clusters. */
  readonly searches: number;
  readonly levels: number;
  readonly maxFrontier: number;
  /** How often the host read the state. */
  readonly batches: number;
  readonly labels: ComingLabels;
}

/**
 * Level-synchronous breadth-first search over a neighbour graph, and the labels of what it finds. A graph in chunks
 * takes one level of meetings.
 */
export class GraphSearch extends Owner {
  readonly #gpu: Gpu;
  readonly #searches: 'one' | 'many';
  readonly #kernels: Awaited<ReturnType<typeof compile>>;
  readonly #params: ParamRing;
  readonly #scratch: Scratch;
  readonly #batches: BatchLoop;

  private constructor(gpu: Gpu, searches: 'one' | 'many', kernels: Awaited<ReturnType<typeof compile>>) {
    super();
    this.#gpu = gpu;
    this.#searches = searches;
    this.#kernels = kernels;
    this.own(kernels.scan);
    this.#params = this.own(new ParamRing(gpu, 'dbscan-gdbscan/params'));
    this.#scratch = this.own(new Scratch(gpu, 'dbscan-gdbscan/search'));
    // Many searches end within one or two batches, and labels are requested after each batch, so a second one would be
    // wasted.
    const inFlight = searches === 'many' ? 1 : gpu.pick(BATCHES_IN_FLIGHT);
    this.#batches = this.own(new BatchLoop(gpu, 'dbscan-gdbscan/search', inFlight));
  }

  /** @param searches  searches run one after another, as in the paper, or many at a time */
  static async create(gpu: Gpu, searches: 'one' | 'many'): Promise<GraphSearch> {
    return new GraphSearch(gpu, searches, await compile(gpu));
  }

  /** Prepares a search. Submits. */
  prepare(search: SearchRun): void {
    const {queue} = this.#gpu.device;
    const {n, degrees} = search.graph;
    const {prepare} = this.#kernels;
    const buffers = this.#buffers(search);
    const zeros = {isDone: 0, levels: 0, maxFrontier: 0, expanded: 0, cores: 0, searches: 0, nextLength: 0};
    queue.writeBuffer(buffers.search, 0, packStruct(Search, {...zeros, nextStart: 0xffff_ffff}));
    queue.writeBuffer(buffers.level, 0, new Uint8Array(Level.size));
    search.run.submit('clusters', prepare.encodeOver({...buffers, degrees}, n));
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
    const encodeRound = this.#prepareRound(search, rows);
    const most = this.#gpu.pick(MAX_ROUNDS);
    const labelsFrom = this.#searches === 'many' ? this.#gpu.pick(LABELS_FROM_BATCH) : Infinity;
    let labels: ComingLabels | undefined;
    const {state, batches} = await this.#batches.run(run, {
      what: 'graph search',
      phase: 'clusters',
      state: this.#buffers(search).search,
      layout: Search,
      progress: (words) => {
        const expanded = words[wordOf(Search, 'expanded')] / Math.max(1, words[wordOf(Search, 'cores')]);
        return 1 - Math.max(0, 1 - expanded) ** LEFT_EXPONENT[this.#searches];
      },
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
    return {
      searches: state[wordOf(Search, 'searches')],
      levels: state[wordOf(Search, 'levels')],
      maxFrontier: state[wordOf(Search, 'maxFrontier')],
      batches,
      labels: labels ?? label(),
    };
  }

  #prepareRound(search: SearchRun, rows: RowsBindings): Encode {
    const {n, pointOrder, positions} = search.graph;
    const buffers = {...this.#buffers(search), ...rows};
    const {beginLevel, startSearches, expand} = this.#kernels;
    const beginGroup = beginLevel.bind({...buffers, nextLevel: buffers.level, positions});
    const startGroup = startSearches.bind({...buffers, pointOrder});
    const expandGroup = expand.bind(buffers);
    return (pass) => {
      beginLevel.dispatch(pass, beginGroup, [1, 1, 1]);
      startSearches.dispatchOver(pass, startGroup, n);
      expand.dispatchOver(pass, expandGroup, n);
    };
  }

  /** Records the level of a chunk: all meetings of searches in its rows. */
  encodeChunk(pass: GPUComputePassEncoder, search: SearchRun, rows: RowsBindings, rowCount: number): void {
    const {expandChunk} = this.#kernels;
    expandChunk.dispatchOver(pass, expandChunk.bind({...this.#buffers(search), ...rows}), rowCount);
  }

  /**
   * Records the labels of the core points, numbered by the smallest core index of each cluster. Call after the search.
   * Labels of a search that has not ended are meaningless; they can be recorded again after it has ended.
   */
  encodeCores(pass: GPUComputePassEncoder, search: SearchRun): void {
    const {n, pointOrder} = search.graph;
    const {scan, findFirsts, markFirsts, labelPoints} = this.#kernels;
    const buffers = {...this.#buffers(search), pointOrder};
    findFirsts.dispatchOver(pass, findFirsts.bind(buffers), n);
    markFirsts.dispatchOver(pass, markFirsts.bind(buffers), n);
    // One word more than points: the last sum is the number of clusters.
    scan.encode(pass, {input: buffers.isFirst, output: buffers.numbers, count: n + 1});
    labelPoints.dispatchOver(pass, labelPoints.bind(buffers), n);
  }

  /** Records the lowest labels of the border points in some rows. Call after `encodeCores`. */
  encodeBorders(pass: GPUComputePassEncoder, search: SearchRun, rows: RowsBindings, rowCount: number): void {
    const {labelBorders} = this.#kernels;
    labelBorders.dispatchOver(pass, labelBorders.bind({...this.#buffers(search), ...rows}), rowCount);
  }

  /** Records labels and core flags in the caller's order. */
  encodeResults(pass: GPUComputePassEncoder, search: SearchRun): DeviceLabels {
    const {n, positions} = search.graph;
    const {writeResults} = this.#kernels;
    const buffers = this.#buffers(search);
    writeResults.dispatchOver(pass, writeResults.bind({...buffers, positions}), Math.ceil(n / 4));
    const {labelsOut: labels, coreMaskOut: coreMask, numbers} = buffers;
    return {labels, coreMask, clusterCount: {buffer: numbers, offset: 4 * n}};
  }

  /** The buffers and parameters of a run; they are reused by the next run. */
  #buffers({graph: {n, minPts, edgeCount}, startsEverywhere}: SearchRun) {
    const take = (what: string, bytes: number): GPUBuffer => this.#scratch.take(what, bytes);
    const isSingle = this.#searches === 'one';
    return {
      visits: take('visits', 4 * n),
      parent: take('parent', 4 * n),
      firstCore: take('firstCore', 4 * n),
      frontier: take('frontier', 4 * n),
      search: take('state', Search.size),
      level: take('level', Level.size),
      isFirst: take('isFirst', 4 * (n + 1)),
      numbers: take('numbers', 4 * (n + 1)),
      labels: take('labels', 4 * n),
      labelsOut: take('labelsOut', 4 * n),
      coreMaskOut: take('coreMaskOut', n + 3),
      searchParams: this.#params.write(SearchParams, {
        n,
        minPts,
        startsEverywhere: Number(startsEverywhere),
        team: teamOf(edgeCount / n),
        startBelow: isSingle ? 1 : Math.ceil(n / BLOCK),
        isSingle: Number(isSingle),
      }),
    };
  }
}

async function compile(gpu: Gpu) {
  const [scan, prepare, beginLevel, startSearches, expand, expandChunk] = await createAll([
    Scan.create(gpu),
    Kernel.create(gpu, levelsWgsl, 'prepareSearch'),
    Kernel.create(gpu, levelsWgsl, 'beginLevel'),
    Kernel.create(gpu, levelsWgsl, 'startSearches'),
    Kernel.create(gpu, expansionWgsl, 'expandLevel'),
    Kernel.create(gpu, expansionWgsl, 'expandChunk'),
  ]);
  const entryPoints = ['findFirsts', 'markFirsts', 'labelPoints', 'labelBorders', 'writeResults'] as const;
  const ofLabels = await Kernel.createEach(gpu, labelsWgsl, entryPoints);
  return {scan, prepare, beginLevel, startSearches, expand, expandChunk, ...ofLabels};
}

/** Number of invocations for a row: about its number of edges, so that they read a row in one access. */
function teamOf(meanDegree: number): number {
  let team = 4;
  while (team < 32 && team < meanDegree) team *= 2;
  return team;
}
