import {createAll, Kernels, Scratch, type Gpu} from '@epsball/gpu';
import {BitRanks, Scan} from '@epsball/gpu-primitives';
import type {GridGeometry} from '../geometry.ts';
import {binningWgsl} from './binning.wgsl.ts';
import {denseCellTotal, type CellsInput, type OrderedCells} from './cellSort.ts';
import {occupancyWgsl} from './occupancy.wgsl.ts';
import {PointPlacing, type GatheredBuffers} from './pointPlacing.ts';

/** Cells of the box per point: their bits and ranks take 2 bits a cell, so 32 bytes a point. */
const CELLS_PER_POINT = 128;
/** Cells that are always allowed: 8 MiB. */
const FREE_CELLS = 2 ** 25;

/** Words of 32 cells that cover the box. */
export function occupancyWords(geometry: GridGeometry): number {
  return Math.ceil(denseCellTotal(geometry) / 32);
}

/** Word of `cellAxes` at which the bits of the cells begin. Aligned for bindings. */
export function occupancyAt(n: number): number {
  return 64 * Math.ceil(n / 64);
}

/** Whether the cells of the box are few enough for one bit each: memory and time follow n, not the box. */
export function fitsOccupancy(geometry: GridGeometry, n: number, mostBytes: number): boolean {
  const cells = denseCellTotal(geometry);
  if (cells > Math.max(FREE_CELLS, CELLS_PER_POINT * n) || cells >= 2 ** 32) return false;
  return 4 * occupancyAt(n) + 8 * (occupancyWords(geometry) + 1) <= mostBytes;
}

/**
 * Orders points by the occupied cells of a box: one bit per cell of the box gives an occupied cell its rank, points of
 * a cell are counted, and every point takes the next place in its cell. So the order within a cell varies from run to
 * run. Owns the buffers; the next run reuses them.
 *
 * @source  rank by bits: Jacobson 1989, Space-efficient static trees and graphs; places by counters: Green 2010,
 *          Particle Simulation using CUDA, “Building the Grid using Atomic Operations”
 */
export class CellRanking implements Disposable {
  readonly #kernels: Kernels;
  readonly #scratch: Scratch;
  readonly #bitRanks: BitRanks;
  readonly #starts: Scan;
  readonly #placing: PointPlacing;

  private constructor(gpu: Gpu, bitRanks: BitRanks, starts: Scan) {
    this.#kernels = new Kernels(gpu);
    this.#scratch = new Scratch(gpu, 'spatial-grid/cellRanking');
    this.#bitRanks = bitRanks;
    this.#starts = starts;
    this.#placing = new PointPlacing(gpu);
  }

  static async create(gpu: Gpu): Promise<CellRanking> {
    return new CellRanking(gpu, ...(await createAll([BitRanks.create(gpu), Scan.create(gpu)])));
  }

  /** Waits for the pipelines and records. Fills `gathered`. */
  async run(input: CellsInput, gathered: GatheredBuffers): Promise<OrderedCells> {
    const {points, geometry, grid, overrides, encoder, beginPass} = input;
    // A caller's buffer of one float32 is too small to stand in for wide coordinates, which kernels bind in any case.
    const {n, coords, wideCoords = this.#scratch.take('noWideCoords', 16)} = points;
    const {DIM, IS_WIDE} = overrides;
    const [occupy, rankCells, place] = await Promise.all([
      this.#kernels.get(binningWgsl, 'occupyCells', {DIM, IS_WIDE, ...reachOf(overrides)}),
      this.#kernels.get(occupancyWgsl, 'rankCells'),
      this.#placing.prepare({DIM, IS_WIDE}),
    ]);
    const words = occupancyWords(geometry);
    const pairsAt = 4 * occupancyAt(n);
    const occupancy = this.#scratch.take('occupancy', 4 * words);
    const cellAxes = this.#scratch.take('cellAxes', pairsAt + 8 * (words + 1));
    const counts = this.#scratch.take('counts', 4 * (n + 1));
    const cellStart = this.#scratch.take('cellStart', 4 * (n + 1));
    const [cells, ranks] = [this.#scratch.take('cells', 4 * n + 32), this.#scratch.take('ranks', 4 * n)];
    const [pointOrder, cellIds] = [this.#scratch.take('pointOrder', 4 * n), this.#scratch.take('cellIds', 4 * n)];

    encoder.clearBuffer(occupancy, 0, 4 * words);
    encoder.clearBuffer(counts, 0, 4 * (n + 1));
    const pass = beginPass(encoder);
    occupy.dispatchOver(pass, occupy.bind({coords, wideCoords, cells, occupancy, grid}), n);
    const pairs = {buffer: cellAxes, offset: pairsAt, size: 8 * (words + 1)};
    this.#bitRanks.encode(pass, {bits: occupancy, pairs, words});
    rankCells.dispatchOver(pass, rankCells.bind({cellAxesOut: cellAxes, cells, counts, ranks, grid}), n);
    this.#starts.encode(pass, {input: counts, output: cellStart, count: n + 1});
    place(pass, {
      points: {n, coords, wideCoords},
      cells: {cells, ranks, cellStart},
      pointOrder,
      cellIds,
      grid,
      gathered,
    });
    pass.end();
    return {cellStart, cellIds, cellAxes, pointOrder, spare: {keys: cells, values: ranks}};
  }

  /** Frees the buffers; the next run allocates again. */
  release(): void {
    this.#bitRanks.release();
    this.#scratch.clear();
  }

  destroy(): void {
    this.#bitRanks.destroy();
    this.#starts.destroy();
    this.#scratch.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}

function reachOf({REACH}: CellsInput['overrides']): {readonly REACH?: number} {
  return REACH === undefined ? {} : {REACH};
}
