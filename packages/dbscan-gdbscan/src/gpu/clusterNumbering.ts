import type {DbscanPhase} from '@epsball/clustering';
import {Kernel, ParamRing, Scratch, type DeviceTimer, type Gpu} from '@epsball/gpu';
import {Scan} from '@epsball/gpu-primitives';
import type {NeighborGraph, RowsBindings} from '@epsball/neighbor-graph';
import type {SearchBuffers} from './graphSearch.ts';
import {numberingWgsl} from './numbering.wgsl.ts';
import {resultsWgsl} from './results.wgsl.ts';

/** Labels on the device, in the caller's order. Valid until the next run. */
export interface DeviceLabels {
  readonly labels: GPUBuffer;
  readonly coreMask: GPUBuffer;
  /** The number of clusters is its word n. */
  readonly numbers: GPUBuffer;
}

type Encode = (pass: GPUComputePassEncoder) => void;

/** From sets of searches to labels: clusters by their smallest core index, borders by their lowest label. */
export class ClusterNumbering implements Disposable {
  readonly #gpu: Gpu;
  readonly #scan: Scan;
  readonly #params: ParamRing;
  readonly #scratch: Scratch;

  private constructor(gpu: Gpu, scan: Scan) {
    this.#gpu = gpu;
    this.#scan = scan;
    this.#params = new ParamRing(gpu, 'dbscan-gdbscan/numbering.params');
    this.#scratch = new Scratch(gpu, 'dbscan-gdbscan/numbering');
  }

  static async create(gpu: Gpu): Promise<ClusterNumbering> {
    return new ClusterNumbering(gpu, await Scan.create(gpu));
  }

  /** Labels the core points, after the search; submits. */
  async labelCores(graph: NeighborGraph, search: SearchBuffers, timer: DeviceTimer<DbscanPhase>): Promise<void> {
    const {n, pointOrder} = graph;
    const [findFirsts, markFirsts, labelPoints] = await Promise.all([
      Kernel.create(this.#gpu, numberingWgsl, 'findFirsts'),
      Kernel.create(this.#gpu, numberingWgsl, 'markFirsts'),
      Kernel.create(this.#gpu, numberingWgsl, 'labelPoints'),
    ]);
    const isFirst = this.#scratch.take('isFirst', 4 * (n + 1));
    const numbers = this.#scratch.take('numbers', 4 * (n + 1));
    const params = this.#params.write(numberingWgsl.structs.NumberingParams, {n});
    const buffers = {...search, params, pointOrder, isFirst, numbers, labels: this.#labels(n)};
    this.#submit(timer, 'borders', (pass) => {
      findFirsts.dispatchOver(pass, findFirsts.bind(buffers), n);
      markFirsts.dispatchOver(pass, markFirsts.bind(buffers), n);
      // One word more than points: what comes behind the last number is how many there are.
      this.#scan.encode(pass, {input: isFirst, output: numbers, count: n + 1});
      labelPoints.dispatchOver(pass, labelPoints.bind(buffers), n);
    });
  }

  /** @returns what records the labels of the border points in these rows, after `labelCores` */
  async loadBorders({visits}: SearchBuffers, rows: RowsBindings, n: number, rowCount: number): Promise<Encode> {
    const kernel = await Kernel.create(this.#gpu, numberingWgsl, 'labelBorders');
    const group = kernel.bind({visits, ...rows, labels: this.#labels(n)});
    return (pass) => kernel.dispatchOver(pass, group, rowCount);
  }

  /** Labels and core flags in the caller's order; submits. */
  async writeResults(
    {n, positions}: NeighborGraph,
    {visits}: SearchBuffers,
    timer: DeviceTimer<DbscanPhase>,
  ): Promise<DeviceLabels> {
    const kernel = await Kernel.create(this.#gpu, resultsWgsl, 'writeResults');
    const params = this.#params.write(resultsWgsl.structs.ResultParams, {n});
    const labelsOut = this.#scratch.take('labelsOut', 4 * n);
    const coreMaskOut = this.#scratch.take('coreMaskOut', n + 3);
    const group = kernel.bind({params, visits, positions, labels: this.#labels(n), labelsOut, coreMaskOut});
    this.#submit(timer, 'readBack', (pass) => kernel.dispatchOver(pass, group, Math.ceil(n / 4)));
    return {labels: labelsOut, coreMask: coreMaskOut, numbers: this.#scratch.take('numbers', 4 * (n + 1))};
  }

  #labels(n: number): GPUBuffer {
    return this.#scratch.take('labels', 4 * n);
  }

  #submit(timer: DeviceTimer<DbscanPhase>, phase: DbscanPhase, encode: (pass: GPUComputePassEncoder) => void): void {
    const encoder = this.#gpu.device.createCommandEncoder();
    const pass = timer.beginPass(encoder, phase);
    encode(pass);
    pass.end();
    this.#gpu.device.queue.submit([encoder.finish()]);
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
