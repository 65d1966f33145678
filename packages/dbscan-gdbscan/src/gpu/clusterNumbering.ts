import {Kernel, ParamRing, Scratch, type DeviceLabels, type Gpu} from '@epsball/gpu';
import {Scan} from '@epsball/gpu-primitives';
import type {NeighborGraph, RowsBindings} from '@epsball/neighbor-graph';
import {numberingWgsl} from './numbering.wgsl.ts';
import {resultsWgsl} from './results.wgsl.ts';
import type {SearchBuffers} from './searchBuffers.ts';

/**
 * Turns sets of searches into labels: numbers clusters by their smallest core index, and gives border points their
 * lowest label. Labels of a search that has not ended are meaningless; they can be recorded again after it has ended.
 */
export class ClusterNumbering implements Disposable {
  readonly #kernels: NumberingKernels;
  readonly #scan: Scan;
  readonly #params: ParamRing;
  readonly #scratch: Scratch;

  private constructor(gpu: Gpu, kernels: NumberingKernels, scan: Scan) {
    this.#kernels = kernels;
    this.#scan = scan;
    this.#params = new ParamRing(gpu, 'dbscan-gdbscan/numbering.params');
    this.#scratch = new Scratch(gpu, 'dbscan-gdbscan/numbering');
  }

  static async create(gpu: Gpu): Promise<ClusterNumbering> {
    return new ClusterNumbering(gpu, await compile(gpu), await Scan.create(gpu));
  }

  /** Records the labels of the core points. Call after the search. */
  encodeCores(pass: GPUComputePassEncoder, {n, pointOrder}: NeighborGraph, search: SearchBuffers): void {
    const {findFirsts, markFirsts, labelPoints} = this.#kernels;
    const isFirst = this.#scratch.take('isFirst', 4 * (n + 1));
    const numbers = this.#numbers(n);
    const params = this.#params.write(numberingWgsl.structs.NumberingParams, {n});
    const buffers = {...search, params, pointOrder, isFirst, numbers, labels: this.#labels(n)};
    findFirsts.dispatchOver(pass, findFirsts.bind(buffers), n);
    markFirsts.dispatchOver(pass, markFirsts.bind(buffers), n);
    // One word more than points: the last sum is the number of clusters.
    this.#scan.encode(pass, {input: isFirst, output: numbers, count: n + 1});
    labelPoints.dispatchOver(pass, labelPoints.bind(buffers), n);
  }

  /** Records the labels of the border points in some rows. Call after `encodeCores`. */
  encodeBorders(
    pass: GPUComputePassEncoder,
    {n}: NeighborGraph,
    {visits}: SearchBuffers,
    rows: RowsBindings,
    rowCount: number,
  ): void {
    const {labelBorders} = this.#kernels;
    labelBorders.dispatchOver(pass, labelBorders.bind({visits, ...rows, labels: this.#labels(n)}), rowCount);
  }

  /** Records labels and core flags in the caller's order. */
  encodeResults(pass: GPUComputePassEncoder, {n, positions}: NeighborGraph, {visits}: SearchBuffers): void {
    const {writeResults} = this.#kernels;
    const params = this.#params.write(resultsWgsl.structs.ResultParams, {n});
    const {labels: labelsOut, coreMask: coreMaskOut} = this.labelsOf(n);
    const group = writeResults.bind({params, visits, positions, labels: this.#labels(n), labelsOut, coreMaskOut});
    writeResults.dispatchOver(pass, group, Math.ceil(n / 4));
  }

  /** The buffers that `encodeResults` writes. */
  labelsOf(n: number): DeviceLabels {
    return {
      labels: this.#scratch.take('labelsOut', 4 * n),
      coreMask: this.#scratch.take('coreMaskOut', n + 3),
      clusterCount: {buffer: this.#numbers(n), offset: 4 * n},
    };
  }

  #labels(n: number): GPUBuffer {
    return this.#scratch.take('labels', 4 * n);
  }

  #numbers(n: number): GPUBuffer {
    return this.#scratch.take('numbers', 4 * (n + 1));
  }

  destroy(): void {
    this.#scan.destroy();
    this.#params.destroy();
    this.#scratch.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}

interface NumberingKernels {
  readonly findFirsts: Kernel<typeof numberingWgsl, 'findFirsts'>;
  readonly markFirsts: Kernel<typeof numberingWgsl, 'markFirsts'>;
  readonly labelPoints: Kernel<typeof numberingWgsl, 'labelPoints'>;
  readonly labelBorders: Kernel<typeof numberingWgsl, 'labelBorders'>;
  readonly writeResults: Kernel<typeof resultsWgsl, 'writeResults'>;
}

async function compile(gpu: Gpu): Promise<NumberingKernels> {
  const [findFirsts, markFirsts, labelPoints, labelBorders, writeResults] = await Promise.all([
    Kernel.create(gpu, numberingWgsl, 'findFirsts'),
    Kernel.create(gpu, numberingWgsl, 'markFirsts'),
    Kernel.create(gpu, numberingWgsl, 'labelPoints'),
    Kernel.create(gpu, numberingWgsl, 'labelBorders'),
    Kernel.create(gpu, resultsWgsl, 'writeResults'),
  ]);
  return {findFirsts, markFirsts, labelPoints, labelBorders, writeResults};
}
