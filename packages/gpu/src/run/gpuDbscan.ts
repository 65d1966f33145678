import {
  deliver,
  emptyResult,
  GpuLimitError,
  integerWeights,
  NOT_INT32,
  pointCount,
  validateOutput,
  validatePointShape,
  validateRun,
  type DbscanAlgorithm,
  type DbscanOutputOptions,
  type DbscanParams,
  type DbscanPhase,
  type DbscanResult,
  type DbscanRunOptions,
  type IntegerWeights,
  type PointSet,
} from '@epsball/clustering';
import type {Gpu} from '../gpu.ts';
import type {GpuRun} from './gpuRun.ts';
import {AlgorithmFrame, type AlgorithmFrameOptions} from './algorithmFrame.ts';
import {Owner} from '../owner.ts';

export interface GpuDbscanOptions extends AlgorithmFrameOptions {
  /** Most dimensions that the variant takes. */
  readonly maxDim: number;
  /** The option that limits the dimensions, for the error: `index grid`. */
  readonly limitedBy?: string | undefined;
  /** Whether the variant's first pass finds coordinates that are not finite, for float32 points. */
  readonly looksForNonFinite?: boolean | undefined;
  /** Whether it takes weights whose sums are exact in int32. Default: false. */
  readonly takesWeights?: boolean | undefined;
  /** Counters of a run without points. */
  readonly counters: Readonly<Record<string, number>>;
}

/** A DBSCAN variant on a device: it adds `cluster`, the steps of its paper, to checks and frame of a run. */
export abstract class GpuDbscan<Span extends string = DbscanPhase> extends Owner implements DbscanAlgorithm {
  protected readonly gpu: Gpu;
  protected readonly frame: AlgorithmFrame<DbscanPhase, Span>;
  protected readonly options: GpuDbscanOptions;

  constructor(gpu: Gpu, options: GpuDbscanOptions) {
    super();
    this.gpu = gpu;
    this.frame = this.own(new AlgorithmFrame(gpu, options));
    this.options = options;
  }

  /** Clusters checked points, at least one. `output` is for `LabelReadBack`. The run ends when this settles. */
  protected abstract cluster(
    points: PointSet,
    params: DbscanParams,
    run: GpuRun<DbscanPhase, Span>,
    output: DbscanOutputOptions,
  ): Promise<DbscanResult>;

  /** Refuses points that the variant's options do not fit, before anything is sent to the device. */
  protected check(_points: PointSet): void {}

  async run(
    points: PointSet,
    params: DbscanParams,
    options: DbscanRunOptions & DbscanOutputOptions = {},
  ): Promise<DbscanResult> {
    this.frame.throwIfDestroyed();
    const {name, maxDim, limitedBy, takesWeights, counters} = this.options;
    const variant = limitedBy === undefined ? name : `${name} with ${limitedBy}`;
    validatePointShape(points);
    const looksForNonFinite = this.options.looksForNonFinite === true && points.coords instanceof Float32Array;
    validateRun(points, params, {variant, maxDim, looksForNonFinite, takesWeights, options});
    this.check(points);
    const n = pointCount(points);
    validateOutput(options, n);
    if (n === 0) return deliver(emptyResult(counters), options);
    return deliver(await this.frame.run(n, options, (run) => this.cluster(points, params, run, options)), options);
  }
}

/** @throws GpuLimitError  if int32 does not hold the sums of the weights */
export function deviceWeights({sampleWeight, minPts}: DbscanParams): IntegerWeights | undefined {
  if (sampleWeight === undefined) return undefined;
  const weights = integerWeights(sampleWeight, minPts);
  if (weights !== undefined) return weights;
  const magnitude = sampleWeight.reduce((sum, weight) => sum + Math.abs(weight), 0);
  throw new GpuLimitError('sum of |sampleWeight|', magnitude, Number.NaN, NOT_INT32);
}
