import {createAll, Kernels, ParamRing, type Kernel, Scratch, type Bindable, type Gpu} from '@epsball/gpu';
import {RadixSort, RunBounds, Scan} from '@epsball/gpu-primitives';
import type {GridGeometry} from '../geometry.ts';
import {binningWgsl} from './binning.wgsl.ts';
import type {DevicePoints} from './devicePoints.ts';
import {sparseCellsWgsl} from './sparseCells.wgsl.ts';

export type GridLayout = 'dense' | 'sparse' | 'ranked';

/** Cells of the box, with a margin of `reach` cells on all sides. */
export function denseCellTotal({cellCounts, reach}: GridGeometry): number {
  return cellCounts.reduce((total, count) => total * (count + 2 * reach), 1);
}

/** Limit of rows that are stored, per point: 4 bytes each, twice. */
const ROWS_PER_POINT = 2;

/** Rows of cells along axis 0 in the box, with the margin. */
function rowTotal({cellCounts, reach}: GridGeometry): number {
  return cellCounts.slice(1).reduce((total, count) => total * (count + 2 * reach), 1);
}

/**
 * Word of `cellAxes` at which the starts of rows begin, or 0 if there are too many rows to store them. Aligned for
 * bindings.
 */
export function rowsWord(n: number, geometry: GridGeometry): number {
  return rowTotal(geometry) > ROWS_PER_POINT * n ? 0 : 64 * Math.ceil((geometry.dim * n + 1) / 64);
}

/** Bytes for the ranges of all rows around all cells. */
export function rangeBytes(n: number, dim: number, reach: number): number {
  return 8 * (2 * reach + 1) ** (dim - 1) * n;
}

/** Pipeline constants of kernels that read a grid. REACH is 1 by default. */
export interface GridOverrides {
  readonly DIM: number;
  readonly IS_SPARSE: boolean;
  readonly IS_WIDE: boolean;
  readonly IS_RANKED?: boolean;
  readonly REACH?: number;
}

/** Keys with their values. */
export interface KeyedBuffers {
  readonly keys: GPUBuffer;
  readonly values: GPUBuffer;
}

/** Points, and the cells to order them by. */
export interface CellsInput {
  readonly points: DevicePoints;
  readonly geometry: GridGeometry;
  readonly grid: Bindable;
  readonly overrides: GridOverrides;
  /** The pass is recorded here. */
  readonly encoder: GPUCommandEncoder;
  readonly beginPass: (encoder: GPUCommandEncoder) => GPUComputePassEncoder;
}

export interface CellSortInput extends CellsInput {
  /** Whether `cellStart` of a sparse grid will hold ranges (grid.wgsl). */
  readonly hasRanges: boolean;
  /** Records further work in the same pass. */
  readonly after: (pass: GPUComputePassEncoder, pointOrder: GPUBuffer) => void;
}

/** Points in cell order and the extents of the cells, in the format of grid.wgsl. */
export interface OrderedCells {
  readonly cellStart: GPUBuffer;
  readonly cellIds: GPUBuffer;
  readonly cellAxes: GPUBuffer;
  readonly pointOrder: GPUBuffer;
  readonly spare: KeyedBuffers;
}

/**
 * Finds each point's cell, sorts points by cell and finds where each cell begins. Owns the buffers, which runs reuse.
 */
export class CellSort implements Disposable {
  readonly #kernels: Kernels;
  readonly #scratch: Scratch;
  readonly #params: ParamRing;
  readonly #sort: RadixSort;
  readonly #runs: RunBounds;
  readonly #starts: Scan;
  readonly #ranks: Scan;
  #layout: 'dense' | 'sparse' | undefined;

  private constructor(gpu: Gpu, parts: {sort: RadixSort; runs: RunBounds; starts: Scan; ranks: Scan}) {
    this.#kernels = new Kernels(gpu);
    this.#scratch = new Scratch(gpu, 'spatial-grid/cellSort');
    this.#params = new ParamRing(gpu, 'spatial-grid/cellSort.params', 16);
    this.#sort = parts.sort;
    this.#runs = parts.runs;
    this.#starts = parts.starts;
    this.#ranks = parts.ranks;
  }

  static async create(gpu: Gpu): Promise<CellSort> {
    const [sort, runs, starts, ranks] = await createAll([
      RadixSort.create(gpu),
      RunBounds.create(gpu),
      // An empty cell begins where the last occupied cell before it ends.
      Scan.create(gpu, {operator: 'max'}),
      Scan.create(gpu, {isInclusive: true}),
    ]);
    return new CellSort(gpu, {sort, runs, starts, ranks});
  }

  /** Waits for the pipelines and records. */
  async run(input: CellSortInput): Promise<OrderedCells> {
    const layout = input.overrides.IS_SPARSE ? 'sparse' : 'dense';
    // The layouts have few buffers in common; keeping both would take a third more memory than either.
    if (layout !== this.#layout) this.#scratch.clear();
    this.#layout = layout;
    return input.overrides.IS_SPARSE ? this.#sortSparse(input) : this.#sortDense(input);
  }

  async #sortDense(input: CellSortInput): Promise<OrderedCells> {
    const {points, geometry, encoder, beginPass} = input;
    const {n} = points;
    const total = denseCellTotal(geometry);
    const [unsorted, other] = this.#keyedPair(n);
    const ends = this.#scratch.take('ends', 4 * (total + 1));
    const cellStart = this.#scratch.take('cellStart', 4 * (total + 1));
    const cellAxes = this.#scratch.take('cellAxes', 16);
    const bin = await this.#binning(input, unsorted.keys, unsorted.values);
    this.#sort.reserve(n);

    encoder.clearBuffer(ends, 0, 4 * (total + 1));
    const pass = beginPass(encoder);
    bin(pass);
    const sorted = this.#sort.encode(pass, {input: unsorted, other, count: n, endBit: Math.ceil(Math.log2(total))});
    // The scan below overwrites `starts` of the runs.
    this.#runs.encode(pass, {keys: sorted.keys, starts: cellStart, ends, count: n, keyCount: total + 1});
    this.#starts.encode(pass, {input: ends, output: cellStart, count: total + 1});
    input.after(pass, sorted.values);
    pass.end();
    const spare = sorted === unsorted ? other : unsorted;
    return {cellStart, cellIds: sorted.keys, cellAxes, pointOrder: sorted.values, spare};
  }

  async #sortSparse(input: CellSortInput): Promise<OrderedCells> {
    const {points, geometry, grid, overrides, encoder, beginPass} = input;
    const {n, dim} = points;
    const {DIM, REACH} = overrides;
    const rows = REACH === undefined ? {DIM} : {DIM, REACH};
    const pointCells = this.#scratch.take('pointCells', 4 * dim * n);
    const cellStart = this.#scratch.take('cellStart', 4 * (n + 1));
    const cellIds = this.#scratch.take('cellIds', 4 * n);
    const rowsAt = rowsWord(n, geometry);
    const rowStarts = rowTotal(geometry) + 1;
    const cellAxes = this.#scratch.take('cellAxes', 4 * (rowsAt === 0 ? dim * n + 1 : rowsAt + rowStarts));
    const rowEnds = this.#scratch.take('rowEnds', 4 * (rowsAt === 0 ? 1 : rowStarts));
    let [from, to] = this.#keyedPair(n);
    const bin = await this.#binning(input, pointCells, from.values);
    const [gatherAxis, markHeads, writeCells, markRowEnds, writeRanges] = await Promise.all([
      this.#kernels.get(sparseCellsWgsl, 'gatherAxis', {DIM}),
      this.#kernels.get(sparseCellsWgsl, 'markHeads', {DIM}),
      this.#kernels.get(sparseCellsWgsl, 'writeCells', {DIM}),
      this.#kernels.get(sparseCellsWgsl, 'markRowEnds', {DIM}),
      this.#kernels.get(sparseCellsWgsl, 'writeRanges', rows),
    ]);
    this.#sort.reserve(n);

    if (rowsAt !== 0) encoder.clearBuffer(rowEnds, 0, 4 * rowStarts);
    const pass = beginPass(encoder);
    bin(pass);
    // Least significant axis first; the sort is stable.
    for (let axis = 0; axis < dim; axis++) {
      const params = this.#params.write(sparseCellsWgsl.structs.AxisParams, {axis});
      const group = gatherAxis.bind({pointCells, pointOrder: from.values, keys: from.keys, params, grid});
      gatherAxis.dispatchOver(pass, group, n);
      const endBit = Math.ceil(Math.log2(geometry.cellCounts[axis] + 2 * geometry.reach));
      const sorted = this.#sort.encode(pass, {input: from, other: to, count: n, endBit});
      if (sorted !== from) [from, to] = [to, from];
    }
    const [flags, ranks] = [from.keys, to.keys];
    const pointOrder = from.values;
    markHeads.dispatchOver(pass, markHeads.bind({pointCells, pointOrder, flags, grid}), n);
    this.#ranks.encode(pass, {input: flags, output: ranks, count: n});
    const cells = {
      pointCells,
      pointOrder,
      ranks,
      cellIdsOut: cellIds,
      cellStartOut: cellStart,
      cellAxesOut: cellAxes,
      grid,
    };
    writeCells.dispatchOver(pass, writeCells.bind(cells), n);
    if (rowsAt !== 0) {
      markRowEnds.dispatchOver(pass, markRowEnds.bind({cellAxes, rowEnds, grid}), n);
      const output = {buffer: cellAxes, offset: 4 * rowsAt, size: 4 * rowStarts};
      this.#starts.encode(pass, {input: rowEnds, output, count: rowStarts});
    }
    const ranges = input.hasRanges ? this.#encodeRanges(pass, input, writeRanges, {cellStart, cellAxes}) : undefined;
    input.after(pass, pointOrder);
    pass.end();
    const spare = {keys: from.keys, values: to.values};
    return {cellStart: ranges ?? cellStart, cellIds, cellAxes, pointOrder, spare};
  }

  /** Records the kernels that find the ranges, and returns the buffer that receives them. */
  #encodeRanges(
    pass: GPUComputePassEncoder,
    {points: {n, dim}, geometry, grid}: CellSortInput,
    kernel: Kernel<typeof sparseCellsWgsl, 'writeRanges'>,
    cells: {readonly cellStart: GPUBuffer; readonly cellAxes: GPUBuffer},
  ): GPUBuffer {
    const rangesOut = this.#scratch.take('ranges', rangeBytes(n, dim, geometry.reach));
    kernel.dispatchOver(pass, kernel.bind({...cells, rangesOut, grid}), n);
    return rangesOut;
  }

  /** Loads the binning kernel and returns a function that records it. */
  async #binning(
    input: CellSortInput,
    cells: GPUBuffer,
    pointOrder: GPUBuffer,
  ): Promise<(pass: GPUComputePassEncoder) => void> {
    const {points, grid, overrides} = input;
    const {coords, wideCoords = this.#scratch.take('noWideCoords', 16), n} = points;
    const kernel = await this.#kernels.get(binningWgsl, 'computeBinning', overrides);
    const group = kernel.bind({coords, wideCoords, cells, pointOrder, grid});
    return (pass) => kernel.dispatchOver(pass, group, n);
  }

  /** Frees the buffers of points and cells; the next run allocates again. */
  release(): void {
    this.#scratch.clear();
  }

  #keyedPair(n: number): [KeyedBuffers, KeyedBuffers] {
    const take = (which: string): KeyedBuffers => ({
      keys: this.#scratch.take(`keys${which}`, 4 * n + 32),
      values: this.#scratch.take(`values${which}`, 4 * n),
    });
    return [take('A'), take('B')];
  }

  destroy(): void {
    this.#sort.destroy();
    this.#runs.destroy();
    this.#starts.destroy();
    this.#ranks.destroy();
    this.#params.destroy();
    this.#scratch.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}
