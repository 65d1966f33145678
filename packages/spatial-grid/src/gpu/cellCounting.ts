import {Kernels, Scratch, type Gpu} from '@epsball/gpu';
import {Scan} from '@epsball/gpu-primitives';
import {binningWgsl} from './binning.wgsl.ts';
import {denseCellTotal, type CellsInput, type OrderedCells} from './cellSort.ts';
import {PointPlacing, type GatheredBuffers} from './pointPlacing.ts';

/**
 * Orders points by the cells of a dense grid with counters: every point takes the next place in its cell. So the order
 * within a cell varies from run to run. Five dispatches; a sort takes fourteen. Owns the buffers; the next run reuses
 * them.
 *
 * @source  Green 2010, Particle Simulation using CUDA, “Building the Grid using Atomic Operations”
 */
export class CellCounting implements Disposable {
  readonly #kernels: Kernels;
  readonly #scratch: Scratch;
  readonly #starts: Scan;
  readonly #placing: PointPlacing;

  private constructor(gpu: Gpu, starts: Scan) {
    this.#kernels = new Kernels(gpu);
    this.#scratch = new Scratch(gpu, 'spatial-grid/cellCounting');
    this.#starts = starts;
    this.#placing = new PointPlacing(gpu);
  }

  static async create(gpu: Gpu): Promise<CellCounting> {
    return new CellCounting(gpu, await Scan.create(gpu));
  }

  /** Waits for the pipelines and records. Fills `gathered`. */
  async run(input: CellsInput, gathered: GatheredBuffers): Promise<OrderedCells> {
    const {points, geometry, grid, overrides, encoder, beginPass} = input;
    // A caller's buffer of one float32 is too small to stand in for wide coordinates, which kernels bind in any case.
    const {n, coords, wideCoords = this.#scratch.take('noWideCoords', 16)} = points;
    const {DIM, IS_WIDE} = overrides;
    const [count, place] = await Promise.all([
      this.#kernels.get(binningWgsl, 'countCells', overrides),
      this.#placing.prepare({DIM, IS_WIDE}),
    ]);
    const words = denseCellTotal(geometry) + 1;
    const counts = this.#scratch.take('counts', 4 * words);
    const cellStart = this.#scratch.take('cellStart', 4 * words);
    const [cells, ranks] = [this.#scratch.take('cells', 4 * n), this.#scratch.take('ranks', 4 * n)];
    const [pointOrder, cellIds] = [this.#scratch.take('pointOrder', 4 * n), this.#scratch.take('cellIds', 4 * n)];

    encoder.clearBuffer(counts, 0, 4 * words);
    const pass = beginPass(encoder);
    count.dispatchOver(pass, count.bind({coords, wideCoords, cells, counts, ranks, grid}), n);
    this.#starts.encode(pass, {input: counts, output: cellStart, count: words});
    place(pass, {
      points: {n, coords, wideCoords},
      cells: {cells, ranks, cellStart},
      pointOrder,
      cellIds,
      grid,
      gathered,
    });
    pass.end();
    // Kernels bind this buffer; a dense grid does not use it.
    const cellAxes = this.#scratch.take('cellAxes', 16);
    return {cellStart, cellIds, cellAxes, pointOrder, spare: {keys: cells, values: ranks}};
  }

  /** Frees the buffers; the next run allocates again. */
  release(): void {
    this.#scratch.clear();
  }

  destroy(): void {
    this.#starts.destroy();
    this.#scratch.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}
