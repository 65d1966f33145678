import {throwIfAborted, type DbscanPhase, type DbscanRunOptions} from '@epsball/clustering';
import {
  Kernel,
  packStruct,
  ParamRing,
  Reader,
  Scratch,
  wordOf,
  type BufferSlice,
  type DeviceTimer,
  type Gpu,
} from '@epsball/gpu';
import type {NeighborGraph, RowsBindings} from '@epsball/neighbor-graph';
import {GpuUnionFind} from '@epsball/union-find/gpu';
import {expansionWgsl} from './expansion.wgsl.ts';
import type {ComingLabels} from './labelReadBack.ts';
import {levelsWgsl} from './levels.wgsl.ts';
import {prepareWgsl} from './prepare.wgsl.ts';
import {searchStructs} from './search.wgsl.ts';
import type {SearchBuffers} from './searchBuffers.ts';

/** Rounds recorded between two looks of the host: most graphs are done in the first batch. */
const MAX_ROUNDS = {hardware: 64, software: 16};
const FIRST_ROUNDS = {hardware: 16, software: 3};
/** Workgroups that stride over a queue, whose length only the device knows: enough to fill the machine. */
const STRIDING_GROUPS = {hardware: 1024, software: 4};
/**
 * Batches on the device at a time. On hardware the next one starts while the host looks at the last; a software adapter
 * would spend more on rounds that have nothing to do than on a wait.
 */
const BATCHES_IN_FLIGHT = {hardware: 2, software: 1};
/** The first batch behind which labels are asked for: one of few rounds seldom ends a search. */
const LABELS_FROM_BATCH = {hardware: 0, software: 1};
/** Positions of which one starts a search, where many run at a time (levels.wgsl). */
const BLOCK = 256;
/** Progress reports a run, at most. */
const REPORTS = 100;

const {Search, Level, SearchParams} = searchStructs;

/** How the frontier is kept: a flag a point as in the paper (Fa), or a list. */
export type Frontier = 'flags' | 'queue';
/** Whether one search runs after another, as in the paper, or many at a time. */
export type Searches = 'one' | 'many';

/** What the search reports. */
export interface SearchOutcome {
  /** Searches started; with `one`, clusters. */
  readonly searches: number;
  readonly levels: number;
  readonly maxFrontier: number;
  /** Times the host looked. */
  readonly batches: number;
  readonly labels: ComingLabels;
}

/** How one run goes. */
export interface SearchRun {
  readonly graph: NeighborGraph;
  readonly searches: Searches;
  readonly timer: DeviceTimer<DbscanPhase>;
  readonly options: DbscanRunOptions;
}

type Encode = (pass: GPUComputePassEncoder) => void;

/** Level-synchronous breadth-first search over a neighbour graph; in chunks of it, one level of meetings. */
export class GraphSearch implements Disposable {
  readonly #gpu: Gpu;
  readonly #frontier: Frontier;
  readonly #kernels: SearchKernels;
  readonly #unionFind: GpuUnionFind;
  readonly #params: ParamRing;
  readonly #scratch: Scratch;
  readonly #readers: readonly Reader[];
  readonly #speed: 'hardware' | 'software';

  private constructor(gpu: Gpu, frontier: Frontier, kernels: SearchKernels, unionFind: GpuUnionFind) {
    this.#gpu = gpu;
    this.#frontier = frontier;
    this.#kernels = kernels;
    this.#unionFind = unionFind;
    this.#params = new ParamRing(gpu, 'dbscan-gdbscan/search.params');
    this.#scratch = new Scratch(gpu, 'dbscan-gdbscan/search');
    this.#speed = gpu.info.kind === 'hardware' ? 'hardware' : 'software';
    const readers = {length: BATCHES_IN_FLIGHT[this.#speed]};
    this.#readers = Array.from(readers, () => new Reader(gpu, 'dbscan-gdbscan/search'));
  }

  static async create(gpu: Gpu, frontier: Frontier): Promise<GraphSearch> {
    return new GraphSearch(gpu, frontier, await compile(gpu, frontier), await GpuUnionFind.create(gpu));
  }

  /** Buffers of the run, kept for the next one. */
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
   * Readies a search; submits.
   *
   * @param startsEverywhere  every core point begins a search: for a graph that comes in chunks
   */
  prepare({graph, timer}: SearchRun, startsEverywhere: boolean): void {
    const {n, minPts, degrees} = graph;
    const buffers = this.buffers(n);
    this.#gpu.device.queue.writeBuffer(buffers.search, 0, packStruct(Search, START));
    this.#gpu.device.queue.writeBuffer(buffers.level, 0, new Uint8Array(Level.size));
    const values = {n, minPts, startsEverywhere: Number(startsEverywhere)};
    const params = this.#params.write(prepareWgsl.structs.PrepareParams, values);
    const {prepare} = this.#kernels;
    const group = prepare.bind({...buffers, degrees, params});
    this.#submit(timer, (pass) => {
      this.#unionFind.encodeMakeSets(pass, {parent: buffers.parent, n});
      prepare.dispatchOver(pass, group, n);
    });
  }

  /**
   * Expands level after level until every core point is visited, after `prepare`.
   *
   * @param label  submits what makes labels of a search that has ended, and asks for them. With many searches it is called behind
   *               batches that most likely are the last: then labels and the word that they are right arrive together
   * @throws RunAbortedError  between two batches
   */
  async run(run: SearchRun, rows: RowsBindings, label: () => ComingLabels): Promise<SearchOutcome> {
    const {graph, timer, options, searches} = run;
    const {search} = this.buffers(graph.n);
    const encodeRound = this.#loadRound(run, rows);
    const states = this.#readers.map(() => new Uint32Array(Search.size / 4));
    const progress = new SearchProgress(graph.n, options);
    const pending: Promise<void>[] = [];
    // A round expands a point or starts a search, but for one where a search has ended and one that looks for the next.
    const maxRounds = 3 * graph.n + 64;
    const most = MAX_ROUNDS[this.#speed];
    const pendingMax = searches === 'many' ? 1 : BATCHES_IN_FLIGHT[this.#speed];
    let labels: ComingLabels | undefined;
    let recorded = 0;
    try {
      for (let batch = 0, rounds = FIRST_ROUNDS[this.#speed]; recorded < maxRounds + 2 * most; batch++) {
        const slot = batch % pendingMax;
        if (batch >= pendingMax) {
          await pending[slot];
          progress.look(states[slot]);
          throwIfAborted(options.signal, 'clusters');
          if (states[slot][wordOf(Search, 'isDone')] === 1) {
            return outcomeOf(states[slot], batch, labels ?? label());
          }
          await labels?.drop();
        }
        await timer.makeRoom();
        this.#submit(timer, (pass) => {
          for (let round = 0; round < rounds; round++) encodeRound(pass);
        });
        recorded += rounds;
        rounds = Math.min(2 * rounds, most);
        pending[slot] = this.#readers[slot].read(search, states[slot]);
        // A lost device fails all of them; the loop reports the first, and the others must not go unhandled.
        pending[slot].catch(() => undefined);
        labels = searches === 'many' && batch >= LABELS_FROM_BATCH[this.#speed] ? label() : undefined;
      }
      throw new Error(`graph search not done after ${recorded} rounds`);
    } finally {
      // The next run reads through the same staging.
      await Promise.allSettled(pending);
    }
  }

  /** Records the one level of a chunk: all meetings of searches in its rows. */
  encodeChunk(pass: GPUComputePassEncoder, run: SearchRun, rows: RowsBindings, rowCount: number): void {
    const {expandChunk} = this.#kernels;
    const group = expandChunk.bind({...this.buffers(run.graph.n), ...this.#searchParams(run), ...rows});
    expandChunk.dispatchOver(pass, group, rowCount);
  }

  /** Waits for the device. */
  async settle(run: SearchRun): Promise<void> {
    const {search} = this.buffers(run.graph.n);
    await this.#readers[0].read(search, new Uint32Array(1));
  }

  #loadRound(run: SearchRun, rows: RowsBindings): Encode {
    const {n, pointOrder, positions} = run.graph;
    const buffers = {...this.buffers(n), ...this.#searchParams(run), ...rows};
    const {beginLevel, startSearches, expand} = this.#kernels;
    const beginGroup = beginLevel.bind({...buffers, nextLevel: buffers.level, positions});
    const startGroup = startSearches.bind({...buffers, pointOrder});
    const expandGroup = expand.bind(buffers);
    return (pass) => {
      beginLevel.dispatch(pass, beginGroup, [1, 1, 1]);
      startSearches.dispatchOver(pass, startGroup, n);
      if (this.#frontier === 'queue') expand.dispatch(pass, expandGroup, [STRIDING_GROUPS[this.#speed], 1, 1]);
      else expand.dispatchOver(pass, expandGroup, n);
    };
  }

  #searchParams({graph, searches}: SearchRun): {searchParams: BufferSlice} {
    const {n, edgeCount} = graph;
    const isSingle = searches === 'one';
    const startBelow = isSingle ? 1 : Math.ceil(n / BLOCK);
    const values = {n, team: teamOf(edgeCount / n), startBelow, isSingle: Number(isSingle)};
    return {searchParams: this.#params.write(SearchParams, values)};
  }

  #submit(timer: DeviceTimer<DbscanPhase>, encode: Encode): void {
    const encoder = this.#gpu.device.createCommandEncoder();
    const pass = timer.beginPass(encoder, 'clusters');
    encode(pass);
    pass.end();
    this.#gpu.device.queue.submit([encoder.finish()]);
  }

  destroy(): void {
    this.#unionFind.destroy();
    this.#params.destroy();
    this.#scratch.destroy();
    for (const reader of this.#readers) reader.destroy();
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

/** The state before the first level: no search found yet, and nothing counted. */
const START = {isDone: 0, levels: 0, maxFrontier: 0, expanded: 0, searches: 0, nextLength: 0, nextStart: 0xffff_ffff};

/** Invocations for a row: about as many as it has edges, so that reads of a row are one read. */
function teamOf(meanDegree: number): number {
  let team = 4;
  while (team < 32 && team < meanDegree) team *= 2;
  return team;
}

/** Reports points expanded, sparingly. */
class SearchProgress {
  readonly #n: number;
  readonly #options: DbscanRunOptions;
  #reportAt = 0;

  constructor(n: number, options: DbscanRunOptions) {
    this.#n = n;
    this.#options = options;
  }

  look(state: Uint32Array): void {
    const done = state[wordOf(Search, 'expanded')];
    if (done < this.#reportAt) return;
    this.#reportAt = done + this.#n / REPORTS;
    this.#options.onProgress?.({phase: 'clusters', done, total: this.#n});
  }
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
