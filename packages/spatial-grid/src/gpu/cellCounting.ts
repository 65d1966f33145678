import {createAll, Kernel, Scratch, Owner, type Gpu} from '@epsball/gpu';
import {BitRanks, Scan} from '@epsball/gpu-primitives';
import type {GridGeometry} from '../geometry.ts';
import {binningWgsl} from './binning.wgsl.ts';
import {denseCellTotal, type CellsInput, type OrderedCells} from './cellSort.ts';
import {gatherWgsl} from './gather.wgsl.ts';
import {occupancyWgsl} from './occupancy.wgsl.ts';

/** Cells of the box per point: their bits and ranks take 2 bits a cell, so 32 bytes a point. */
const CELLS_PER_POINT = 128;
/** Cells that are always allowed: 8 MiB. */
const FREE_CELLS = 2 ** 25;

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
 * Every point takes the next place in its cell, so the order within a cell varies from run to run. In a dense grid that
 * takes five dispatches; a sort takes fourteen. In a ranked grid bits give an occupied cell its rank first.
 *
 * @source  Green 2010, Particle Simulation using CUDA; Jacobson 1989, Space-efficient static trees and graphs
 */
export class CellCounting extends Owner {
  readonly #gpu: Gpu;
  readonly #scratch: Scratch;
  readonly #bitRanks: BitRanks;
  readonly #starts: Scan;
  #isRanked: boolean | undefined;

  private constructor(gpu: Gpu, bitRanks: BitRanks, starts: Scan) {
    super();
    this.#gpu = gpu;
    this.#scratch = this.own(new Scratch(gpu, 'spatial-grid/cellCounting'));
    this.#bitRanks = this.own(bitRanks);
    this.#starts = this.own(starts);
  }

  static async create(gpu: Gpu): Promise<CellCounting> {
    return new CellCounting(gpu, ...(await createAll([BitRanks.create(gpu), Scan.create(gpu)])));
  }

  async run(input: CellsInput): Promise<OrderedCells> {
    const {points, geometry, grid, overrides, encoder, beginPass, endPart, gathered} = input;
    const {n, coords, wideCoords} = points;
    const {IS_RANKED: isRanked = false, ...binned} = overrides;
    const {DIM, IS_WIDE} = overrides;
    const [countCells, occupyCells, rankCells, place, copy] = await Promise.all([
      isRanked ? undefined : Kernel.create(this.#gpu, binningWgsl, 'countCells', binned),
      isRanked ? Kernel.create(this.#gpu, binningWgsl, 'occupyCells', binned) : undefined,
      isRanked ? Kernel.create(this.#gpu, occupancyWgsl, 'rankCells') : undefined,
      Kernel.create(this.#gpu, gatherWgsl, 'placePoints', {DIM}),
      Kernel.create(this.#gpu, gatherWgsl, 'copyPoints', {DIM, IS_WIDE}),
    ]);
    // The layouts have few buffers in common.
    if (isRanked !== this.#isRanked) this.release();
    this.#isRanked = isRanked;
    const take = (what: string, bytes: number): GPUBuffer => this.#scratch.take(what, bytes);
    const cellWords = isRanked ? n + 1 : denseCellTotal(geometry) + 1;
    const bitWords = occupancyWords(geometry);
    const pairs = {offset: 4 * occupancyAt(n), size: 8 * (bitWords + 1)};
    const [counts, cellStart] = [take('counts', 4 * cellWords), take('cellStart', 4 * cellWords)];
    const [cells, ranks] = [take('cells', 4 * n + 32), take('ranks', 4 * n)];
    const [pointOrder, cellIds] = [take('pointOrder', 4 * n), take('cellIds', 4 * n)];
    // Kernels bind it; a dense grid does not use it.
    const cellAxes = take('cellAxes', isRanked ? pairs.offset + pairs.size : 16);
    const occupancy = take('occupancy', isRanked ? 4 * bitWords : 16);
    const bound = {coords, wideCoords, cells, counts, ranks, occupancy, grid, cellStart, ...gathered};

    encoder.clearBuffer(counts, 0, 4 * cellWords);
    if (isRanked) encoder.clearBuffer(occupancy, 0, 4 * bitWords);
    let pass = beginPass(encoder);
    countCells?.dispatchOver(pass, countCells.bind(bound), n);
    occupyCells?.dispatchOver(pass, occupyCells.bind(bound), n);
    pass = await endPart(pass, 0.3);
    if (isRanked) this.#bitRanks.encode(pass, {bits: occupancy, pairs: {buffer: cellAxes, ...pairs}, words: bitWords});
    rankCells?.dispatchOver(pass, rankCells.bind({...bound, cellAxesOut: cellAxes}), n);
    this.#starts.encode(pass, {input: counts, output: cellStart, count: cellWords});
    pass = await endPart(pass, 0.6);
    place.dispatchOver(pass, place.bind(bound), n);
    copy.dispatchOver(pass, copy.bind({...bound, orderOut: pointOrder, cellIdsOut: cellIds}), n);
    pass.end();
    return {cellStart, cellIds, cellAxes, pointOrder, spare: {keys: cells, values: ranks}};
  }

  release(): void {
    this.#bitRanks.release();
    this.#scratch.clear();
  }
}
