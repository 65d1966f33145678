import {Kernels, Scratch, type DeviceBitLabels, type Gpu, type Kernel} from '@epsball/gpu';
import {BitRanks} from '@epsball/gpu-primitives';
import {bordersWgsl} from './borders.wgsl.ts';
import {exactBordersWgsl} from './exactBorders.wgsl.ts';
import {numberingWgsl} from './numbering.wgsl.ts';
import {exactOverrides, narrowedOverrides} from './overrides.ts';
import {resultsWgsl} from './results.wgsl.ts';
import {bitWords, type StepInput} from './runBuffers.ts';

/** Workgroups that stride over border points with undecided pairs, which are few except on lattices. */
const EXACT_GROUPS = {hardware: 1024, software: 1};

interface LabelKernels {
  readonly findFirsts: Kernel<typeof numberingWgsl, 'findFirsts'>;
  readonly markFirsts: Kernel<typeof numberingWgsl, 'markFirsts'>;
  readonly labelCores: Kernel<typeof numberingWgsl, 'labelCores'>;
  readonly labelBorders: Kernel<typeof bordersWgsl, 'labelBorders'>;
  readonly labelBordersExactly: Kernel<typeof exactBordersWgsl, 'labelBordersExactly'>;
  readonly writeListed: Kernel<typeof exactBordersWgsl, 'writeListed'>;
}

/** From disjoint sets to labels: numbers by the smallest core point, then borders by their lowest label. */
export class ClusterLabels implements Disposable {
  readonly #gpu: Gpu;
  readonly #kernels: Kernels;
  readonly #bitRanks: BitRanks;
  readonly #scratch: Scratch;

  private constructor(gpu: Gpu, bitRanks: BitRanks) {
    this.#gpu = gpu;
    this.#kernels = new Kernels(gpu);
    this.#scratch = new Scratch(gpu, 'dbscan-dense-grid');
    this.#bitRanks = bitRanks;
  }

  static async create(gpu: Gpu): Promise<ClusterLabels> {
    return new ClusterLabels(gpu, await BitRanks.create(gpu));
  }

  /** The kernels of `encode`. */
  async kernels({grid, buffers}: StepInput): Promise<LabelKernels> {
    const {hasWholeCells} = buffers;
    const exact = exactOverrides(grid, buffers);
    const [findFirsts, markFirsts, labelCores, labelBorders, labelBordersExactly, writeListed] = await Promise.all([
      this.#kernels.get(numberingWgsl, 'findFirsts', {HAS_WHOLE_CELLS: hasWholeCells}),
      this.#kernels.get(numberingWgsl, 'markFirsts'),
      this.#kernels.get(numberingWgsl, 'labelCores', {HAS_WHOLE_CELLS: hasWholeCells}),
      this.#kernels.get(bordersWgsl, 'labelBorders', narrowedOverrides(grid, buffers)),
      this.#kernels.get(exactBordersWgsl, 'labelBordersExactly', exact),
      this.#kernels.get(exactBordersWgsl, 'writeListed'),
    ]);
    return {findFirsts, markFirsts, labelCores, labelBorders, labelBordersExactly, writeListed};
  }

  /** Records the labels of all points, behind the union. */
  encode(
    encoder: GPUCommandEncoder,
    {grid, buffers, run}: StepInput,
    {findFirsts, markFirsts, labelCores, labelBorders, labelBordersExactly, writeListed}: LabelKernels,
  ): DeviceBitLabels {
    const {firstBits, firstRanks, firstCores, labelsOut, coreBits} = buffers;
    const {n, pointOrder} = grid;
    const bound = {...grid.bindings, ...buffers, pointOrder};
    const groups = this.#gpu.pick(EXACT_GROUPS);
    const words = bitWords(n);
    encoder.clearBuffer(firstCores, 0, 4 * n);
    run.record(encoder, 'borders', (pass) => {
      findFirsts.dispatchOver(pass, findFirsts.bind(bound), n);
      markFirsts.dispatchOver(pass, markFirsts.bind(bound), n);
      this.#bitRanks.encode(pass, {bits: firstBits, pairs: firstRanks, words});
      labelCores.dispatchOver(pass, labelCores.bind(bound), n);
      labelBorders.dispatchOver(pass, labelBorders.bind(bound), n);
      labelBordersExactly.dispatch(pass, labelBordersExactly.bind(bound), [groups, 1, 1]);
      writeListed.dispatch(pass, writeListed.bind(bound), [groups, 1, 1]);
    });
    // Behind the last pair's 0 the number of all bits.
    return {labels: labelsOut, coreBits, clusterCount: {buffer: firstRanks, offset: 8 * words + 4}};
  }

  /** Records the core mask of one byte a point, for callers on the device. */
  async encodeMask(encoder: GPUCommandEncoder, {grid, buffers, run}: StepInput): Promise<GPUBuffer> {
    const kernel = await this.#kernels.get(resultsWgsl, 'writeCoreMask');
    const coreMaskOut = this.#scratch.take('coreMask', grid.n + 3);
    const group = kernel.bind({coreBits: buffers.coreBits, coreMaskOut, grid: grid.bindings.grid});
    run.record(encoder, 'readBack', (pass) => kernel.dispatchOver(pass, group, Math.ceil(grid.n / 4)));
    return coreMaskOut;
  }

  destroy(): void {
    this.#bitRanks.destroy();
    this.#scratch.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}
