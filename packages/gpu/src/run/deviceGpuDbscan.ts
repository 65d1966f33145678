import {
  checkRunNames,
  emptyResult,
  throwIfAborted,
  toWeights,
  validateDbscanParams,
  validateFeatures,
  type DbscanParams,
  type DbscanPhase,
  type DbscanRunOptions,
} from '@epsball/clustering';
import type {Gpu} from '../gpu.ts';
import {Scratch} from '../scratch.ts';
import {
  validateDeviceInput,
  type DeviceDbscanAlgorithm,
  type DeviceDbscanParams,
  type DeviceInput,
  type DeviceResult,
} from './deviceResult.ts';
import {GpuDbscan, type GpuDbscanOptions} from './gpuDbscan.ts';
import type {GpuRun} from './gpuRun.ts';

/** A `GpuDbscan` that also clusters points which are on the device already: a variant adds `clusterOnDevice`. */
export abstract class DeviceGpuDbscan<Span extends string = DbscanPhase>
  extends GpuDbscan<Span>
  implements DeviceDbscanAlgorithm
{
  readonly #options: GpuDbscanOptions;
  readonly #scratch: Scratch;

  constructor(gpu: Gpu, options: GpuDbscanOptions) {
    const scratch = new Scratch(gpu, options.label);
    super(gpu, {...options, owned: [...options.owned, scratch]});
    this.#options = options;
    this.#scratch = scratch;
  }

  /**
   * Clusters points whose numbers are checked, at least one, and leaves the labels on the device.
   *
   * @param run  ends when this settles
   */
  protected abstract clusterOnDevice(
    input: DeviceInput,
    params: DbscanParams,
    run: GpuRun<DbscanPhase, Span>,
  ): Promise<DeviceResult>;

  async runOnDevice(
    input: DeviceInput,
    params: DeviceDbscanParams,
    options: DbscanRunOptions = {},
  ): Promise<DeviceResult> {
    this.frame.throwIfDestroyed();
    const {name, maxDim, takesWeights, counters} = this.#options;
    checkRunNames(params, options);
    validateDbscanParams(params);
    validateFeatures(params, {variant: `${name} with points on a device`, takesWeights});
    validateDeviceInput(input, name, maxDim);
    const sampleWeight = params.sampleWeight && toWeights(params.sampleWeight, input.n);
    throwIfAborted(options.signal, 'start');
    if (input.n === 0) {
      const empty = this.#scratch.take('empty', 0);
      return {...emptyResult(counters), labels: empty, coreMask: empty};
    }
    return this.frame.run(input.n, options, (run) => this.clusterOnDevice(input, {...params, sampleWeight}, run));
  }
}
