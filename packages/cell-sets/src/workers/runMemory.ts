import {
  grainOfWeights,
  haveExactSums,
  keptIndex,
  KeptPoints,
  pointCount,
  type DbscanParams,
  type PointSet,
  type Radius,
} from '@epsball/clustering';
import type {PointWeights} from '../forest.ts';
import {buildKdTree} from '@epsball/kd-tree';
import {SharedGridBuilder, type SharedGridBuild, type SharedGridOptions} from '@epsball/spatial-grid/workers';
import type {ClusterFirsts} from '@epsball/union-find';
import {
  bytesFor,
  checkSendable,
  chunksFor,
  evenBounds,
  SharedArena,
  taperedBounds,
  type WorkerPool,
} from '@epsball/workers';
import type {RunResult} from '../clusterLabels.ts';
import type {RunIndex} from '../indexChoice.ts';
import {listLeaves} from '../leafIndex.ts';
import {layLinear, linearCellBounds} from '../linearIndex.ts';
import type {Pieces} from '../pieces.ts';
import type {SharedSpace} from './cellSetTasks.ts';

/** Without a grid: minimum of pair tests in a chunk. Handing out a chunk costs more than fewer tests. */
const PAIRS_PER_CHUNK = 2 ** 19;

/** With a tree: minimum of points in a chunk. A query takes some 20 µs. */
const QUERIES_PER_CHUNK = 256;

/** Three steps search the cells around each cell. Beyond this table they find them again. */
const TABLE_BYTES_MAX = 2 ** 30;

/** Chunks for each part, in steps without pairs between chunks. */
const RANGES_PER_PART = 4;

export interface PreparedRun {
  readonly space: SharedSpace;
  readonly pointOrder: Int32Array;
  readonly firsts: ClusterFirsts;
  /** Pieces of large cells in `ranges`. Their states lie in the core mask until that is written. */
  readonly pieces: Pieces;
  readonly result: RunResult;
  /** Runs of cells, and the positions where they begin: the parts of a partition by cells. */
  readonly cellBounds: readonly number[];
  readonly positionBounds: readonly number[];
  /** Ranges of original indices, at most one for each thread: the parts of a partition by index. */
  readonly indexBounds: readonly number[];
  /** Even ranges of positions, more than parts. They even out uneven work, and a crowded cell lies in many of them. */
  readonly ranges: readonly number[];
  /** Even ranges of positions, as many as parts by cells, for short work. */
  readonly wideRanges: readonly number[];
}

/** Memory of runs, kept from one run to the next, and the index built in it. */
export class RunMemory {
  readonly #pool: WorkerPool;
  readonly #builder: SharedGridBuilder;
  readonly #input = new SharedArena();
  readonly #arena = new SharedArena();

  readonly #pointsPerChunk: number | undefined;
  /** The grid of points that are kept. Nothing writes to it. */
  #lastGrid: {points: KeptPoints; key: string; built: SharedGridBuild} | undefined;

  /** @param pool  borrowed */
  constructor(pool: WorkerPool, pointsPerChunk?: number) {
    this.#pool = pool;
    this.#pointsPerChunk = pointsPerChunk;
    this.#builder = new SharedGridBuilder(pool);
  }

  async prepare(
    points: PointSet,
    params: Pick<DbscanParams, 'eps' | 'eps2' | 'epsTime' | 'metric' | 'sampleWeight'>,
    index: RunIndex,
    {signal, cells, onProgress}: Pick<SharedGridOptions, 'signal' | 'cells' | 'onProgress'>,
  ): Promise<PreparedRun> {
    const n = pointCount(points);
    const shared = this.#share(points);
    const weights = sharedWeights(params);
    const words = Math.ceil(n / 32);
    const {threads} = this.#pool;
    const pointsPerChunk = this.#pointsPerChunk;
    // Each range visits all cells: more ranges than threads would cost more than they even out.
    const indexBounds = evenBounds(n, Math.min(threads, chunksFor(n, threads, pointsPerChunk)));
    // The threads build the index while this thread allocates.
    const building =
      index === 'grid' ? this.#grid(shared, params, {signal, cells, onProgress, pointsPerChunk}) : undefined;
    // Awaited below, and handled there.
    building?.catch(() => {});
    try {
      const result = {
        labels: new Int32Array(new SharedArrayBuffer(4 * n)),
        coreMask: new Uint8Array(new SharedArrayBuffer(n)),
      };
      const common = {result, indexBounds};
      if (building === undefined) {
        const {space, ...others} = this.#prepareOthers(shared, params, index, result.coreMask);
        return {space: {...space, metric: params.metric, epsTime: params.epsTime, weights}, ...others, ...common};
      }
      this.#arena.reserve(bytesFor(n) + 2 * bytesFor(4 * words));
      const isCore = this.#arena.uint8(n);
      const marked = this.#marks(words);
      const ranges = this.#cutRanges(n, pointsPerChunk, result.coreMask);
      const {grid, cellBounds, positionBounds, spare} = await building;
      const space = {
        source: {grid},
        eps: params.eps,
        eps2: params.eps2,
        epsTime: params.epsTime,
        metric: params.metric,
        forest: {isCore, parent: spare.words},
        weights,
      };
      const firsts = {first: spare.coordWords, ...marked};
      return {space, pointOrder: grid.pointOrder, firsts, cellBounds, positionBounds, ...ranges, ...common};
    } catch (error) {
      // Allocation failed. Wait for the threads: they would write to memory of the next run.
      await building?.catch(() => {});
      throw error;
    }
  }

  destroy(): void {
    this.#lastGrid = undefined;
    this.#builder.destroy();
    this.#input.clear();
    this.#arena.clear();
  }

  async #grid(points: PointSet, {eps, epsTime}: Radius, options: SharedGridOptions): Promise<SharedGridBuild> {
    const key = `${eps} ${epsTime} ${options.cells}`;
    const last = this.#lastGrid;
    if (last?.points === points && last.key === key) return last.built;
    this.#lastGrid = undefined;
    const built = await this.#builder.build(points, eps, {...options, epsTime, tableBytesMax: TABLE_BYTES_MAX});
    if (points instanceof KeptPoints) this.#lastGrid = {points, key, built};
    return built;
  }

  /** Without a grid: over a tree, which the calling thread builds, or over all pairs. */
  #prepareOthers(
    points: PointSet,
    {eps, eps2}: Pick<Radius, 'eps' | 'eps2'>,
    index: RunIndex,
    coreMask: Uint8Array,
  ): Omit<PreparedRun, 'result' | 'indexBounds'> {
    const n = pointCount(points);
    const words = Math.ceil(n / 32);
    this.#arena.reserve(
      bytesFor(4 * linearCellBounds(n)) + 3 * bytesFor(4 * n) + bytesFor(n) + 2 * bytesFor(4 * words),
    );
    const source =
      index === 'tree'
        ? {leaves: sharedLeaves(points)}
        : {linear: layLinear(points, (length) => this.#arena.int32(length))};
    const {cellStart} = 'leaves' in source ? source.leaves : source.linear;
    const {pointOrder} = 'leaves' in source ? source.leaves.tree : source.linear;
    const forest = {isCore: this.#arena.uint8(n), parent: this.#arena.int32(n)};
    const firsts = {first: this.#arena.int32(n), ...this.#marks(words)};
    const pointsPerChunk =
      this.#pointsPerChunk ?? (index === 'tree' ? QUERIES_PER_CHUNK : Math.ceil(PAIRS_PER_CHUNK / Math.max(1, n)));
    const cellBounds = evenBounds(cellStart.length - 1, chunksFor(n, this.#pool.threads, pointsPerChunk));
    const positionBounds = cellBounds.map((cell) => cellStart[cell]);
    const ranges = this.#cutRanges(n, pointsPerChunk, coreMask);
    return {space: {source, eps, eps2, forest}, pointOrder, firsts, cellBounds, positionBounds, ...ranges};
  }

  #cutRanges(
    n: number,
    pointsPerChunk: number | undefined,
    state: Uint8Array,
  ): Pick<PreparedRun, 'ranges' | 'wideRanges' | 'pieces'> {
    const {threads} = this.#pool;
    const ranges = taperedBounds(n, chunksFor(n, RANGES_PER_PART * threads, pointsPerChunk), pointsPerChunk);
    const cuts = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT * ranges.length));
    cuts.set(ranges);
    return {
      ranges,
      wideRanges: evenBounds(n, chunksFor(n, threads, pointsPerChunk)),
      pieces: {cuts, state},
    };
  }

  #marks(words: number): Omit<ClusterFirsts, 'first'> {
    const marks = this.#arena.int32(words);
    marks.fill(0);
    return {marks, ranks: this.#arena.int32(words)};
  }

  #share(points: PointSet): PointSet {
    const {coords, dim} = points;
    if (coords.buffer instanceof SharedArrayBuffer) {
      checkSendable(coords.byteOffset + coords.byteLength);
      return points;
    }
    this.#input.reserve(bytesFor(coords.byteLength));
    const copy = this.#input.like(coords, coords.length);
    copy.set(coords);
    return {coords: copy, dim};
  }
}

/** A tree does not depend on eps. */
function sharedLeaves(points: PointSet): ReturnType<typeof listLeaves> {
  return keptIndex(points, 'cell-sets/sharedLeaves', '', () => listLeaves(buildKdTree(points, {isShared: true})));
}

function sharedWeights({sampleWeight}: Pick<DbscanParams, 'sampleWeight'>): PointWeights | undefined {
  if (sampleWeight === undefined) return undefined;
  const values = new Float64Array(new SharedArrayBuffer(sampleWeight.byteLength));
  values.set(sampleWeight);
  return {values, isPlain: haveExactSums(grainOfWeights(values))};
}
