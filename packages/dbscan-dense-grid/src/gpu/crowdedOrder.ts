import {Kernel, OnDemand, Owner, Scratch, type Gpu} from '@epsball/gpu';
import {RadixSort} from '@epsball/gpu-primitives';
import type {GpuGrid} from '@epsball/spatial-grid/gpu';
import {crowdedWgsl} from './crowded.wgsl.ts';

/** Points of a block, and of a large block: as in blocks.wgsl. */
const [BLOCK, LARGE_BLOCK] = [32, 1024];
/** Bits of the Z order in a cell. */
const SUB_CELL_BITS = 16;

/**
 * Orders the points of each cell by the Z order of its sub-cells and finds the boxes of blocks, so that kernels skip
 * blocks of a crowded cell that are out of reach. Two sorts: for data with crowded cells only. Owns the buffers.
 */
export class CrowdedOrder extends Owner {
  readonly #gpu: Gpu;
  readonly #scratch: Scratch;
  readonly #sort: OnDemand<RadixSort>;

  constructor(gpu: Gpu) {
    super();
    this.#gpu = gpu;
    this.#scratch = this.own(new Scratch(gpu, 'dbscan-dense-grid/crowded'));
    this.#sort = this.own(new OnDemand(() => RadixSort.create(gpu)));
  }

  /**
   * Records the new order behind the grid's build. Waits for pipelines.
   *
   * @param grid  not modified; its cells stay as they are
   * @returns     the grid with its points in the new order; valid until the next call. `positions` is not for it
   */
  async encode(
    encoder: GPUCommandEncoder,
    beginPass: (encoder: GPUCommandEncoder) => GPUComputePassEncoder,
    grid: GpuGrid,
  ): Promise<GpuGrid> {
    const {n, bindings, pointOrder} = grid;
    const {DIM, IS_WIDE} = grid.overrides;
    const [sort, keySubCells, keyCells, reorder, boxBlocks, boxLargeBlocks] = await Promise.all([
      this.#sort.get(),
      Kernel.create(this.#gpu, crowdedWgsl, 'keySubCells', {DIM}),
      Kernel.create(this.#gpu, crowdedWgsl, 'keyCells'),
      Kernel.create(this.#gpu, crowdedWgsl, 'reorder', {DIM, IS_WIDE}),
      Kernel.create(this.#gpu, crowdedWgsl, 'boxBlocks', {DIM}),
      Kernel.create(this.#gpu, crowdedWgsl, 'boxLargeBlocks', {DIM}),
    ]);
    const blocks = Math.ceil(n / BLOCK);
    const large = Math.ceil(n / LARGE_BLOCK);
    const coordsOut = this.#scratch.take('coords', 4 * DIM * (n + 2 * (blocks + large)));
    const wideOut = this.#scratch.take('wideCoords', IS_WIDE ? 8 * DIM * n : 16);
    const orderOut = this.#scratch.take('order', 4 * n);
    const [from, to] = [this.#pair('A', n), this.#pair('B', n)];
    sort.reserve(n);
    const bound = {...bindings, pointOrder, orderOut, coordsOut, wideOut};

    const pass = beginPass(encoder);
    keySubCells.dispatchOver(pass, keySubCells.bind({...bound, ...from}), n);
    const byKey = sort.encode(pass, {input: from, other: to, count: n, endBit: SUB_CELL_BITS});
    keyCells.dispatchOver(pass, keyCells.bind({...bound, ...byKey}), n);
    const other = byKey === from ? to : from;
    const endBit = Math.max(1, Math.ceil(Math.log2(n + 1)));
    const byCell = sort.encode(pass, {input: byKey, other, count: n, endBit});
    reorder.dispatchOver(pass, reorder.bind({...bound, values: byCell.values}), n);
    boxBlocks.dispatchOver(pass, boxBlocks.bind(bound), blocks);
    boxLargeBlocks.dispatchOver(pass, boxLargeBlocks.bind(bound), large);
    pass.end();
    return {
      ...grid,
      bindings: {...bindings, sortedCoords: coordsOut, sortedWideCoords: wideOut},
      pointOrder: orderOut,
    };
  }

  #pair(which: string, n: number): {readonly keys: GPUBuffer; readonly values: GPUBuffer} {
    const take = (what: string): GPUBuffer => this.#scratch.take(`${what}${which}`, 4 * n);
    return {keys: take('keys'), values: take('values')};
  }

  /** Frees the buffers; the next call allocates again. */
  release(): void {
    this.#scratch.clear();
  }
}
