import {Kernel, type DeviceLabels, type Gpu} from '@epsball/gpu';
import {Scan} from '@epsball/gpu-primitives';
import {bordersWgsl} from './borders.wgsl.ts';
import {exactBordersWgsl} from './exactBorders.wgsl.ts';
import {numberingWgsl} from './numbering.wgsl.ts';
import {exactOverrides, gridOverrides} from './overrides.ts';
import {resultsWgsl} from './results.wgsl.ts';
import type {StepInput} from './runBuffers.ts';

/** Workgroups that stride over border points with undecided pairs, which are few except on lattices. */
const EXACT_GROUPS = {hardware: 1024, software: 1};

/** From disjoint sets to labels: numbers by the smallest core point, then borders by their lowest label. */
export class ClusterLabels implements Disposable {
  readonly #gpu: Gpu;
  readonly #scan: Scan;

  private constructor(gpu: Gpu, scan: Scan) {
    this.#gpu = gpu;
    this.#scan = scan;
  }

  static async create(gpu: Gpu): Promise<ClusterLabels> {
    return new ClusterLabels(gpu, await Scan.create(gpu));
  }

  /** Records the labels of all points, behind the union; waits for pipelines only. */
  async encode(encoder: GPUCommandEncoder, {grid, buffers, run}: StepInput): Promise<DeviceLabels> {
    const {hasWholeCells} = buffers;
    const {n, pointOrder, positions} = grid;
    const [findFirsts, markFirsts, labelCores, labelBorders, labelBordersExactly, writeResults] = await Promise.all([
      Kernel.create(this.#gpu, numberingWgsl, 'findFirsts', {HAS_WHOLE_CELLS: hasWholeCells}),
      Kernel.create(this.#gpu, numberingWgsl, 'markFirsts', {HAS_WHOLE_CELLS: hasWholeCells}),
      Kernel.create(this.#gpu, numberingWgsl, 'labelCores', {HAS_WHOLE_CELLS: hasWholeCells}),
      Kernel.create(this.#gpu, bordersWgsl, 'labelBorders', gridOverrides(grid, buffers)),
      Kernel.create(this.#gpu, exactBordersWgsl, 'labelBordersExactly', exactOverrides(grid, buffers)),
      Kernel.create(this.#gpu, resultsWgsl, 'writeResults'),
    ]);
    const {isFirst, numbers, labelsOut, coreMaskOut, firstCores} = buffers;
    const bound = {...grid.bindings, ...buffers, pointOrder, positions};
    const groups = this.#gpu.pick(EXACT_GROUPS);
    encoder.clearBuffer(firstCores, 0, 4 * buffers.setCount);
    run.record(encoder, 'borders', (pass) => {
      findFirsts.dispatchOver(pass, findFirsts.bind(bound), n);
      markFirsts.dispatchOver(pass, markFirsts.bind(bound), n);
      this.#scan.encode(pass, {input: isFirst, output: numbers, count: n + 1});
      labelCores.dispatchOver(pass, labelCores.bind(bound), n);
      labelBorders.dispatchOver(pass, labelBorders.bind(bound), n);
      labelBordersExactly.dispatch(pass, labelBordersExactly.bind(bound), [groups, 1, 1]);
    });
    run.record(encoder, 'readBack', (pass) =>
      writeResults.dispatchOver(pass, writeResults.bind(bound), Math.ceil(n / 4)),
    );
    return {labels: labelsOut, coreMask: coreMaskOut, clusterCount: {buffer: numbers, offset: 4 * n}};
  }

  destroy(): void {
    this.#scan.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}
