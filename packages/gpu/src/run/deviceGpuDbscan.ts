import {
  checkInteger,
  checkRunNames,
  emptyResult,
  InvalidParameterError,
  throwIfAborted,
  toWeights,
  validateDbscanParams,
  validateDim,
  validateFeatures,
  type DbscanAlgorithm,
  type DbscanOutputOptions,
  type DbscanParams,
  type DbscanPhase,
  type DbscanResult,
  type DbscanRunOptions,
  type DbscanStats,
  type PointSet,
} from '@epsball/clustering';
import type {Gpu} from '../gpu.ts';
import {Scratch} from '../scratch.ts';
import {GpuDbscan, type GpuDbscanOptions} from './gpuDbscan.ts';
import type {GpuRun} from './gpuRun.ts';

/** float32 points that a caller keeps on the device of the algorithm's `Gpu`. */
export interface DeviceInput {
  /** `n · dim` finite float32, point-major; usage STORAGE; not modified, not checked. */
  readonly coords: GPUBuffer;
  /** Points; an integer ≥ 0. */
  readonly n: number;
  readonly dim: number;
}

/** Parameters of a run on points which are on the device already. */
export interface DeviceDbscanParams extends Omit<DbscanParams, 'sampleWeight'> {
  /**
   * One finite weight a point, of any sign, in memory of the host. The run checks the weights and sends them. Their
   * sums must be exact in int32, as those of integers and quarters are. Default: 1 for each point. Not modified.
   */
  readonly sampleWeight?: ArrayLike<number> | undefined;
}

/** Labels that stay on the device. */
export interface DeviceResult {
  /** `n` int32 labels by point; −1 is noise. Valid until the algorithm's next run; do not destroy. */
  readonly labels: GPUBuffer;
  /** One byte a point, 1 = core, four to a word. Valid as `labels` is. */
  readonly coreMask: GPUBuffer;
  readonly clusterCount: number;
  readonly stats: DbscanStats;
}

/** A variant that also clusters points which are on the device already. */
export interface DeviceDbscanAlgorithm extends DbscanAlgorithm {
  run(points: PointSet, params: DbscanParams, options?: DbscanRunOptions & DbscanOutputOptions): Promise<DbscanResult>;
  /**
   * Clusters points on the device and leaves the labels there.
   *
   * @throws as `run` does; a coordinate that is not finite is reported without its index
   * @throws InvalidParameterError  if `n` or `dim` is not a whole number in range, or `coords` is too small for them
   * @throws GpuLimitError          also if int32 does not hold the sums of the weights
   */
  runOnDevice(input: DeviceInput, params: DeviceDbscanParams, options?: DbscanRunOptions): Promise<DeviceResult>;
}

/** A `GpuDbscan` that also clusters points which are on the device already: a variant adds `clusterOnDevice`. */
export abstract class DeviceGpuDbscan<Span extends string = DbscanPhase>
  extends GpuDbscan<Span>
  implements DeviceDbscanAlgorithm
{
  readonly #scratch: Scratch;

  constructor(gpu: Gpu, options: GpuDbscanOptions) {
    const scratch = new Scratch(gpu, options.label);
    super(gpu, {...options, owned: [...options.owned, scratch]});
    this.#scratch = scratch;
  }

  /** Clusters checked points, at least one, and leaves the labels on the device. The run ends when this settles. */
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
    const {name, maxDim, takesWeights, counters} = this.options;
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

/** Checks the numbers, not the coordinates. The bounding box shows coordinates that are not finite. */
function validateDeviceInput({coords, n, dim}: DeviceInput, name: string, maxDim: number): void {
  checkInteger('dim', dim, 1);
  validateDim(dim, name, maxDim);
  checkInteger('n', n, 0);
  const bytes = 4 * dim * n;
  if (coords.size < bytes) {
    throw new InvalidParameterError('coords.size', coords.size, `at least ${bytes} bytes for n = ${n}, dim = ${dim}`);
  }
}
