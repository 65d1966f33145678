import {pointCount, UnsupportedDimensionError, validatePoints, type PointSet} from '@epsball/clustering';
import {bytesFor, chunksFor, evenBounds, SharedArena, taskModule, type Wave, type WorkerPool} from '@epsball/workers';
import {bandsFor, layBands, samplePoints, type Bands} from '../bands.ts';
import {firstCells, planBuckets, type Buckets} from '../buckets.ts';
import {chooseLayout, layCells, type UniformGridOptions} from '../buildUniformGrid.ts';
import type {CellRows} from '../cellRows.ts';
import type {DenseTarget} from '../denseBucket.ts';
import type {GridGeometry} from '../geometry.ts';
import type {SharedGrid} from '../openSharedGrid.ts';
import {findRowStarts, rowsAround, type SparseCells} from '../sparseRows.ts';
import {MAX_GRID_DIM} from '../uniformGrid.ts';
import {takeGridArrays, type GridArrays} from './gridArrays.ts';
import type * as gridTasks from './gridTasks.ts';
import type {BucketsToSort} from './gridTasks.ts';

const tasks = taskModule<typeof gridTasks>(import.meta.url, 'gridTasks');

/** Chunks of points per thread: two balance the load better than one, and each costs counters. */
const CHUNKS_PER_THREAD = 2;

/** Maximum points per chunk, up to `CHUNKS_MAX` chunks: the signal is checked between chunks. */
const CHUNK_POINTS_MAX = 2 ** 17;
const CHUNKS_MAX = 64;

/** Chunks per run of buckets, if there are enough buckets. */
const CHUNKS_PER_RUN = 4;

/** Waves of a build. A dense one skips the last two, one without a table the last. */
const WAVES = 6;

export interface SharedGridOptions extends UniformGridOptions {
  /**
   * Maximum bytes of a table of the cells around each cell of a sparse grid: 5 for each occupied cell and row around
   * it. It pays where several steps search. There is none in 1-D, nor if it would be larger. Default: 0.
   */
  readonly tableBytesMax?: number | undefined;
  /** Checked before each wave, and between the chunks of a wave. */
  readonly signal?: AbortSignal | undefined;
  /** Minimum points per chunk of a wave, integer ≥ 1. Default: 2000. */
  readonly pointsPerChunk?: number | undefined;
}

type SparseParts = Pick<SharedGrid, 'cellCoords' | 'rowStart' | 'cellRows'>;

/** A grid, and by-products of its build. Valid until the builder's next build. */
export interface SharedGridBuild {
  readonly grid: SharedGrid;
  /** Runs of cells with about equal numbers of points: first cell of each run, then the number of cells. */
  readonly cellBounds: readonly number[];
  /** First position of each of these runs, then n. */
  readonly positionBounds: readonly number[];
  /** Free memory: n words, and as many words as `coords` had, with unspecified values. */
  readonly spare: {readonly words: Int32Array; readonly coordWords: Int32Array};
}

/** Builds grid indexes with the threads of a pool. Keeps its memory for the next build. */
export class SharedGridBuilder implements Disposable {
  readonly #pool: WorkerPool;
  readonly #arena = new SharedArena();
  /** Memory of the table. Its size is known when the cells are listed. */
  readonly #tableArena = new SharedArena();

  constructor(pool: WorkerPool) {
    this.#pool = pool;
  }

  /**
   * Builds the grid of `buildUniformGrid`, to the byte. Bounds, counting, scatter and sort are waves over all threads;
   * the calling thread sums counters in between.
   *
   * @param points  on a `SharedArrayBuffer`, 1 to 4 dimensions; not modified, not kept; validated by the threads
   * @param eps     finite, > 0
   * @throws InvalidPointsError         if the coordinates are not whole, finite points
   * @throws UnsupportedDimensionError  if dim > 4
   * @throws WorkerFailedError, RunAbortedError
   * @complexity    dense O(n) in four waves; sparse O(n · digits) in five, and one for a table
   */
  async build(points: PointSet, eps: number, options: SharedGridOptions = {}): Promise<SharedGridBuild> {
    const {dim} = points;
    if (dim > MAX_GRID_DIM) throw new UnsupportedDimensionError('a uniform grid', dim, MAX_GRID_DIM, []);
    const n = pointCount(points);
    const laying = this.#layCells(points, eps, options);
    // Sampled while the threads work.
    const sample = samplePoints(points);
    const geometry = await laying;
    const layout = chooseLayout(geometry, n, options.layout);
    const bands = layBands(sample, geometry, bandsFor(n));
    const chunks = evenBounds(n, this.#chunks(n, options));
    const arrays = takeGridArrays(this.#arena, points, geometry, {
      layout,
      bands: bands.count,
      chunks: chunks.length - 1,
    });
    const {buckets, firstCell} = await this.#fillBuckets(points, geometry, bands, chunks, arrays, options);
    const {pointOrder, sortedCoords, cellStart, bucketed} = arrays;
    const sorting = {
      geometry,
      bucketed,
      start: buckets.start,
      firstCell,
      target: {cellStart, pointOrder, sortedCoords},
    };
    const runs = evenBounds(buckets.count, this.#runs(n, options));
    // Finer than the runs: empty cells cost time too, and their number varies between buckets.
    const bounds = evenBounds(buckets.count, CHUNKS_PER_RUN * this.#runs(n, options));
    let sparse: SparseParts = {cellCoords: arrays.cellCoords, rowStart: arrays.rowStart};
    if (layout === 'dense') {
      await this.#pool.wave(tasks, 'sortDenseBuckets', {...waveOf(options, 3, bounds), input: sorting});
    } else {
      sparse = await this.#sortSparse(sorting, sparse, bounds, options);
    }
    const cellCount = firstCell[buckets.count];
    cellStart[cellCount] = n;
    return {
      grid: {
        geometry,
        layout,
        n,
        cellCount,
        cellStart: cellStart.subarray(0, cellCount + 1),
        ...sparse,
        pointOrder,
        sortedCoords,
      },
      cellBounds: runs.map((bucket) => firstCell[bucket]),
      positionBounds: runs.map((bucket) => buckets.start[bucket]),
      spare: {words: bucketed.order, coordWords: bucketed.words},
    };
  }

  /** Waves 4, 5 and 6 of a sparse grid: sorts the buckets, lists the cells, and finds the cells around each. */
  async #sortSparse(
    sorting: BucketsToSort & {readonly target: DenseTarget},
    room: SparseParts,
    bounds: readonly number[],
    options: SharedGridOptions,
  ): Promise<SparseParts> {
    const {geometry, firstCell, target} = sorting;
    await this.#pool.wave(tasks, 'sortSparseBuckets', {...waveOf(options, 3, bounds), input: sorting});
    for (let k = 0; k + 1 < firstCell.length; k++) firstCell[k + 1] += firstCell[k];
    const {cellStart} = target;
    const moving = {...sorting, cells: {cellStart, cellCoords: room.cellCoords}};
    await this.#pool.wave(tasks, 'moveBucketCells', {...waveOf(options, 4, bounds), input: moving});
    const cellCount = firstCell[firstCell.length - 1];
    const cellCoords = room.cellCoords.subarray(0, geometry.dim * cellCount);
    const rowStart = findRowStarts(cellCoords, geometry.dim, room.rowStart);
    const firsts = bounds.map((bucket) => firstCell[bucket]);
    const cellRows = await this.#findRows({geometry, cellCount, cellStart, cellCoords, rowStart}, firsts, options);
    return {cellCoords, rowStart, cellRows};
  }

  async #findRows(
    cells: SparseCells,
    bounds: readonly number[],
    options: SharedGridOptions,
  ): Promise<CellRows | undefined> {
    const rows = rowsAround(cells.geometry);
    const places = rows * cells.cellCount;
    const bytes = bytesFor(4 * places) + bytesFor(places);
    // In 1-D the cells around a cell are those beside it.
    if (rows === 1 || bytes > (options.tableBytesMax ?? 0)) return undefined;
    try {
      this.#tableArena.reserve(bytes);
    } catch (error) {
      // The engine has no such memory. Searches need no table.
      if (error instanceof RangeError) return undefined;
      throw error;
    }
    const table = {rows, rowFirst: this.#tableArena.int32(places), rowCells: this.#tableArena.uint8(places)};
    await this.#pool.wave(tasks, 'findCellRows', {...waveOf(options, 5, bounds), input: {cells, table}});
    return table;
  }

  /** Frees the memory; idempotent. Does not destroy the pool. */
  destroy(): void {
    this.#arena.clear();
    this.#tableArena.clear();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }

  #chunks(n: number, options: SharedGridOptions): number {
    const {threads} = this.#pool;
    const short = Math.min(CHUNKS_MAX, Math.ceil(n / CHUNK_POINTS_MAX));
    return Math.min(Math.max(CHUNKS_PER_THREAD * threads, short), this.#runs(n, options));
  }

  #runs(n: number, {pointsPerChunk}: SharedGridOptions): number {
    return chunksFor(n, this.#pool.threads, pointsPerChunk);
  }

  /** Wave 1: the bounding box and the check of the coordinates. */
  async #layCells(points: PointSet, eps: number, options: SharedGridOptions): Promise<GridGeometry> {
    const {dim} = points;
    const n = pointCount(points);
    // Short chunks: there are no counters to sum, and a thread that wakes late gets fewer.
    const bounds = evenBounds(n, this.#runs(n, options));
    const width = 2 * dim + 1;
    const boxes = new Float64Array(new SharedArrayBuffer(8 * width * (bounds.length - 1)));
    await this.#pool.wave(tasks, 'boundChunk', {...waveOf(options, 0, bounds), input: {points, boxes}});
    const min = boxes.slice(0, dim);
    const max = boxes.slice(dim, 2 * dim);
    for (let at = 0; at < boxes.length; at += width) {
      // The serial check names the first bad point.
      if (boxes[at + 2 * dim] === 0) validatePoints(points);
      for (let d = 0; d < dim; d++) {
        // Comparisons, as in `pointBounds`: of two zeros the first is kept, whatever its sign.
        if (boxes[at + d] < min[d]) min[d] = boxes[at + d];
        if (boxes[at + dim + d] > max[d]) max[d] = boxes[at + dim + d];
      }
    }
    return layCells(min, max, eps, options);
  }

  /** Waves 2 and 3: counts the points by band, chooses the buckets, and moves the points to them. */
  async #fillBuckets(
    points: PointSet,
    geometry: GridGeometry,
    bands: Bands,
    bounds: readonly number[],
    {counts, cursors, ofBand, start, firstCell, bucketed}: GridArrays,
    options: SharedGridOptions,
  ): Promise<{buckets: Buckets; firstCell: Int32Array}> {
    const n = pointCount(points);
    const cells = {points, geometry, bands};
    await this.#pool.wave(tasks, 'countChunk', {...waveOf(options, 1, bounds), input: {...cells, counts}});
    const plan = planBuckets(counts, bands, n, this.#runs(n, options));
    const {count, firstBand} = plan.buckets;
    ofBand.set(plan.buckets.ofBand);
    start.set(plan.buckets.start);
    cursors.set(plan.cursors);
    firstCell.set(firstCells(geometry, bands, plan.buckets));
    const buckets = {count, ofBand, firstBand, start: start.subarray(0, count + 1)};
    const input = {...cells, buckets, cursors: cursors.subarray(0, plan.cursors.length), bucketed};
    await this.#pool.wave(tasks, 'scatterChunk', {...waveOf(options, 2, bounds), input});
    return {buckets, firstCell: firstCell.subarray(0, count + 1)};
  }
}

function waveOf(
  {signal, onProgress}: SharedGridOptions,
  done: number,
  bounds: readonly number[],
): Omit<Wave<never>, 'input'> {
  const chunkCount = bounds.length - 1;
  return {
    phase: 'index',
    bounds,
    signal,
    onProgress: onProgress && ((chunks) => onProgress((done + chunks / chunkCount) / WAVES)),
  };
}
