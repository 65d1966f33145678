import type {IntegerWeights} from '@epsball/clustering';
import {Kernel, OnDemand, Scratch, Owner, type Gpu} from '@epsball/gpu';
import {Scan} from '@epsball/gpu-primitives';
import type {GpuGrid} from './gpuGrid.ts';
import {orderWeightsWgsl} from './orderWeights.wgsl.ts';

/** Sums of weights before each position of a grid, for kernels that import `spatial_grid::gpu::weights`. */
export class PointWeights extends Owner {
  readonly #gpu: Gpu;
  readonly #scratch: Scratch;
  /** Made for the first weights: runs without weights compile and allocate nothing. */
  readonly #scan: OnDemand<Scan>;

  constructor(gpu: Gpu, label: string) {
    super();
    this.#gpu = gpu;
    this.#scratch = this.own(new Scratch(gpu, `${label}/weights`));
    this.#scan = this.own(new OnDemand(() => Scan.create(gpu)));
  }

  /**
   * Sends the weights, by index, and records their sums behind the build of the grid.
   *
   * @returns  the buffer that kernels bind as `weightsBefore`; valid until the next call
   */
  async encode(
    encoder: GPUCommandEncoder,
    beginPass: (encoder: GPUCommandEncoder) => GPUComputePassEncoder,
    grid: GpuGrid,
    weights: IntegerWeights,
  ): Promise<GPUBuffer> {
    const {n} = grid;
    const scan = await this.#scan.get();
    const orderWeights = await Kernel.create(this.#gpu, orderWeightsWgsl, 'orderWeights');
    const {queue} = this.#gpu.device;
    const byIndex = this.#scratch.take('byIndex', 4 * n);
    const sortedWeights = this.#scratch.take('sorted', 4 * (n + 1));
    const weightsBefore = this.#scratch.take('before', 4 * (n + 3));
    queue.writeBuffer(byIndex, 0, weights.values);
    queue.writeBuffer(weightsBefore, 4 * (n + 1), Int32Array.of(weights.threshold, weights.stopAt));
    const bound = {weights: byIndex, pointOrder: grid.pointOrder, sortedWeights, grid: grid.bindings.grid};
    const pass = beginPass(encoder);
    orderWeights.dispatchOver(pass, orderWeights.bind(bound), n + 1);
    // Sums wrap as i32 does.
    scan.encode(pass, {input: sortedWeights, output: weightsBefore, count: n + 1});
    pass.end();
    return weightsBefore;
  }
}
