import {createAll, Kernel, ParamRing, Scratch, type Bindable, Owner, type Gpu} from '@epsball/gpu';
import {RadixSort, RunBounds, Scan} from '@epsball/gpu-primitives';
import type {GridGeometry} from '../geometry.ts';
import {binningWgsl} from './binning.wgsl.ts';
import type {DevicePoints} from './devicePoints.ts';
import {gatherWgsl} from './gather.wgsl.ts';
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

/** Word of `cellAxes` at which the starts of rows begin, aligned for bindings; 0: too many rows to store. */
export function rowsWord(n: number, geometry: GridGeometry): number {
  return rowTotal(geometry) > ROWS_PER_POINT * n ? 0 : 64 * Math.ceil((geometry.dim * n + 1) / 64);
}

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

export interface KeyedBuffers {
  readonly keys: GPUBuffer;
  readonly values: GPUBuffer;
}

/** Points in cell order, by position, and the position of each point; a build writes them. */
export interface GatheredBuffers {
  readonly sortedCoords: GPUBuffer;
  readonly sortedWideCoords: GPUBuffer;
  readonly positions: GPUBuffer;
}

export interface CellsInput {
  /** Kernels bind `wideCoords` in any case. */
  readonly points: DevicePoints & {readonly wideCoords: GPUBuffer};
  readonly geometry: GridGeometry;
  readonly grid: Bindable;
  readonly overrides: GridOverrides;
  /** Whether `cellStart` of a sparse grid will hold ranges (grid.wgsl). */
  readonly hasRanges: boolean;
  readonly encoder: GPUCommandEncoder;
  readonly beginPass: (encoder: GPUCommandEncoder) => GPUComputePassEncoder;
  /** Ends a part of the build, from 0 to 1. Returns the pass to go on with. */
  readonly endPart: (pass: GPUComputePassEncoder, part: number) => Promise<GPUComputePassEncoder>;
  readonly gathered: GatheredBuffers;
}

/** Points in cell order and the extents of the cells, in the format of grid.wgsl. */
export interface OrderedCells {
  readonly cellStart: GPUBuffer;
  readonly cellIds: GPUBuffer;
  readonly cellAxes: GPUBuffer;
  readonly pointOrder: GPUBuffer;
  readonly spare: KeyedBuffers;
}

interface SortParts {
  readonly sort: RadixSort;
  readonly runs: RunBounds;
  readonly starts: Scan;
  readonly ranks: Scan;
}

/** Sorts points by cell and finds where each cell begins. Owns the buffers, which runs reuse. */
export class CellSort extends Owner {
  readonly #gpu: Gpu;
  readonly #scratch: Scratch;
  readonly #params: ParamRing;
  readonly #parts: SortParts;
  #isSparse: boolean | undefined;

  private constructor(gpu: Gpu, parts: SortParts) {
    super();
    this.#gpu = gpu;
    this.#scratch = this.own(new Scratch(gpu, 'spatial-grid/cellSort'));
    this.#params = this.own(new ParamRing(gpu, 'spatial-grid/cellSort.params', 16));
    this.#parts = parts;
    for (const part of Object.values(parts)) this.own(part);
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

  async run(input: CellsInput): Promise<OrderedCells> {
    const isSparse = input.overrides.IS_SPARSE;
    // The layouts have few buffers in common; keeping both would take a third more memory than either.
    if (isSparse !== this.#isSparse) this.#scratch.clear();
    this.#isSparse = isSparse;
    return isSparse ? this.#sortSparse(input) : this.#sortDense(input);
  }

  async #sortDense(input: CellsInput): Promise<OrderedCells> {
    const {points, geometry, encoder, beginPass, endPart} = input;
    const {n} = points;
    const total = denseCellTotal(geometry);
    const [unsorted, other] = this.#keyedPair(n);
    const ends = this.#scratch.take('ends', 4 * (total + 1));
    const cellStart = this.#scratch.take('cellStart', 4 * (total + 1));
    const cellAxes = this.#scratch.take('cellAxes', 16);
    const [bin, gather] = await this.#pointKernels(input, unsorted.keys, unsorted.values);
    this.#parts.sort.reserve(n);

    encoder.clearBuffer(ends, 0, 4 * (total + 1));
    let pass = beginPass(encoder);
    bin(pass);
    pass = await endPart(pass, 0.2);
    const sorted = this.#parts.sort.encode(pass, {
      input: unsorted,
      other,
      count: n,
      endBit: Math.ceil(Math.log2(total)),
    });
    pass = await endPart(pass, 0.7);
    // The scan below overwrites `starts` of the runs.
    this.#parts.runs.encode(pass, {keys: sorted.keys, starts: cellStart, ends, count: n, keyCount: total + 1});
    this.#parts.starts.encode(pass, {input: ends, output: cellStart, count: total + 1});
    gather(pass, sorted.values);
    pass.end();
    const spare = sorted === unsorted ? other : unsorted;
    return {cellStart, cellIds: sorted.keys, cellAxes, pointOrder: sorted.values, spare};
  }

  async #sortSparse(input: CellsInput): Promise<OrderedCells> {
    const {points, geometry, grid, overrides, encoder, beginPass, endPart} = input;
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
    const [bin, gather] = await this.#pointKernels(input, pointCells, from.values);
    const [gatherAxis, markHeads, writeCells, markRowEnds, writeRanges] = await Promise.all([
      Kernel.create(this.#gpu, sparseCellsWgsl, 'gatherAxis', {DIM}),
      Kernel.create(this.#gpu, sparseCellsWgsl, 'markHeads', {DIM}),
      Kernel.create(this.#gpu, sparseCellsWgsl, 'writeCells', {DIM}),
      Kernel.create(this.#gpu, sparseCellsWgsl, 'markRowEnds', {DIM}),
      Kernel.create(this.#gpu, sparseCellsWgsl, 'writeRanges', rows),
    ]);
    this.#parts.sort.reserve(n);

    if (rowsAt !== 0) encoder.clearBuffer(rowEnds, 0, 4 * rowStarts);
    let pass = beginPass(encoder);
    bin(pass);
    pass = await endPart(pass, 0.1);
    // Least significant axis first; the sort is stable.
    for (let axis = 0; axis < dim; axis++) {
      const params = this.#params.write(sparseCellsWgsl.structs.AxisParams, {axis});
      const group = gatherAxis.bind({pointCells, pointOrder: from.values, keys: from.keys, params, grid});
      gatherAxis.dispatchOver(pass, group, n);
      const endBit = Math.ceil(Math.log2(geometry.cellCounts[axis] + 2 * geometry.reach));
      const sorted = this.#parts.sort.encode(pass, {input: from, other: to, count: n, endBit});
      if (sorted !== from) [from, to] = [to, from];
      pass = await endPart(pass, 0.1 + (0.7 * (axis + 1)) / dim);
    }
    const [flags, ranks] = [from.keys, to.keys];
    const pointOrder = from.values;
    markHeads.dispatchOver(pass, markHeads.bind({pointCells, pointOrder, flags, grid}), n);
    this.#parts.ranks.encode(pass, {input: flags, output: ranks, count: n});
    const cells = {cellIdsOut: cellIds, cellStartOut: cellStart, cellAxesOut: cellAxes, grid};
    writeCells.dispatchOver(pass, writeCells.bind({pointCells, pointOrder, ranks, ...cells}), n);
    if (rowsAt !== 0) {
      markRowEnds.dispatchOver(pass, markRowEnds.bind({cellAxes, rowEnds, grid}), n);
      const output = {buffer: cellAxes, offset: 4 * rowsAt, size: 4 * rowStarts};
      this.#parts.starts.encode(pass, {input: rowEnds, output, count: rowStarts});
    }
    let ranges: GPUBuffer | undefined;
    if (input.hasRanges) {
      ranges = this.#scratch.take('ranges', rangeBytes(n, dim, geometry.reach));
      writeRanges.dispatchOver(pass, writeRanges.bind({cellStart, cellAxes, rangesOut: ranges, grid}), n);
    }
    gather(pass, pointOrder);
    pass.end();
    const spare = {keys: from.keys, values: to.values};
    return {cellStart: ranges ?? cellStart, cellIds, cellAxes, pointOrder, spare};
  }

  /** Loads the kernels over points, and returns functions that record them: the binning, and the copy in cell order. */
  async #pointKernels(
    {points, grid, overrides, gathered}: CellsInput,
    cells: GPUBuffer,
    pointOrder: GPUBuffer,
  ): Promise<
    [bin: (pass: GPUComputePassEncoder) => void, gather: (pass: GPUComputePassEncoder, order: GPUBuffer) => void]
  > {
    const {coords, wideCoords, n} = points;
    const {DIM, IS_WIDE} = overrides;
    const [bin, gather] = await Promise.all([
      Kernel.create(this.#gpu, binningWgsl, 'computeBinning', overrides),
      Kernel.create(this.#gpu, gatherWgsl, 'gatherPoints', {DIM, IS_WIDE}),
    ]);
    const bound = {coords, wideCoords, grid, ...gathered};
    return [
      (pass) => bin.dispatchOver(pass, bin.bind({...bound, cells, pointOrder}), n),
      (pass, order) => gather.dispatchOver(pass, gather.bind({...bound, pointOrder: order}), n),
    ];
  }

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
}
