import {
  InvalidParameterError,
  pointCount,
  throwIfAborted,
  validateDbscanParams,
  validatePoints,
  type DbscanAlgorithm,
  type DbscanParams,
  type DbscanResult,
  type DbscanRunOptions,
  type PointSet,
} from '@epsball/clustering';
import {VariantRunner, type Backend, type OptionValue, type VariantOptionValues} from '@epsball/clustering/catalogue';
import type {AdapterChoice, Gpu} from '@epsball/gpu';
import {catalogue} from './catalogue.ts';
import {GPU_PAYS_FROM} from './choose.ts';

export interface CreateDbscanOptions {
  /** A catalogue id, or `auto` (the default). */
  readonly algorithm?: string | undefined;
  /** Where to run, or `auto` (the default): see `rankChoices` for the rule. */
  readonly backend?: Backend | 'auto' | undefined;
  /** The kind of adapter. Naming one other than `auto` asks for the GPU. */
  readonly adapter?: AdapterChoice | undefined;
  /** A device to run on; borrowed. Asks for the GPU. */
  readonly device?: GPUDevice | undefined;
  /** An open `Gpu` to run on; borrowed. Asks for the GPU. */
  readonly gpu?: Gpu | undefined;
  /** Worker threads, integer ≥ 1; only variants with workers look at it. */
  readonly threads?: number | undefined;
  /** The algorithm's own options, by name: `{index: 'none'}`. The catalogue lists them; they need a named algorithm. */
  readonly options?: VariantOptionValues | undefined;
}

export type DbscanOptions = DbscanParams & CreateDbscanOptions & DbscanRunOptions;

/** A result that says who made it. */
export interface DbscanOutcome extends DbscanResult {
  /** The catalogue id of the variant that ran. */
  readonly algorithm: string;
  readonly backend: Backend;
  /** The variant's own options on this backend, defaults included. */
  readonly options: Readonly<Record<string, OptionValue>>;
  /** The adapter, where the backend is `gpu`. */
  readonly adapter?: Gpu['info'];
}

/** DBSCAN that keeps its device and pipelines between runs, and chooses anew for each point set. */
export interface Dbscan extends DbscanAlgorithm {
  run(points: PointSet, params: DbscanParams, options?: DbscanRunOptions): Promise<DbscanOutcome>;
}

/**
 * Clusters a point set: the labels of `sklearn.cluster.DBSCAN(eps, min_samples=minPts, algorithm='kd_tree')`.
 *
 * Opens what it needs and frees it before it resolves. For many runs, keep a `createDbscan`.
 *
 * @param points   not modified
 * @param options  `eps` and `minPts`; without more, the variant and the backend are chosen for you: a hardware
 *                 GPU when there is one and the data is large enough to pay, else the calling thread, and never
 *                 a software GPU unless asked
 * @returns        arrays owned by the caller
 * @throws InvalidParameterError, InvalidPointsError, UnsupportedDimensionError, GpuUnavailableError,
 *         GpuLimitError, GpuDeviceLostError, WorkerFailedError, RunAbortedError
 */
export async function dbscan(points: PointSet, options: DbscanOptions): Promise<DbscanOutcome> {
  if (options === undefined || options === null) {
    throw new InvalidParameterError('options', options, 'an object with eps and minPts');
  }
  const reusable = new ChoosingDbscan(options);
  try {
    return await reusable.run(points, {eps: options.eps, minPts: options.minPts}, options);
  } finally {
    reusable.destroy();
  }
}

/**
 * Readies DBSCAN for many runs. Opens a device when a run needs one, at once where the backend is `gpu`, and
 * keeps it until `destroy()`. A device or `Gpu` of the caller's is borrowed and never destroyed.
 *
 * @param options  what to run and where; all `auto` unless named
 * @returns        owned by the caller, who destroys it before a device that it borrowed
 * @throws InvalidParameterError  if an option is out of range; lists the choices
 * @throws GpuUnavailableError    if the backend is `gpu` and there is no such adapter
 */
export async function createDbscan(options: CreateDbscanOptions = {}): Promise<Dbscan> {
  const reusable = new ChoosingDbscan(options);
  if (options.backend === 'gpu') await reusable.openGpu();
  return reusable;
}

class ChoosingDbscan implements Dbscan {
  readonly #runner: VariantRunner<DbscanAlgorithm, Gpu>;

  constructor(options: CreateDbscanOptions) {
    const {adapter = 'auto', device} = options;
    this.#runner = new VariantRunner<DbscanAlgorithm, Gpu>(
      {
        name: 'dbscan',
        catalogue,
        gpuPaysFrom: GPU_PAYS_FROM,
        // A `Gpu` around the caller's device leaves the device alone.
        openGpu: async (kind?: 'hardware') => {
          const {openGpu} = await import('@epsball/gpu');
          return openGpu(device === undefined ? {adapter: kind ?? adapter} : {device});
        },
      },
      options,
    );
  }

  async run(points: PointSet, params: DbscanParams, options: DbscanRunOptions = {}): Promise<DbscanOutcome> {
    this.#runner.throwIfDestroyed();
    const choices = this.#choose(points, params, options.signal);
    return this.#runner.run(choices, {
      checkInput: () => validatePoints(points),
      run: (algorithm) => algorithm.run(points, params, options),
    });
  }

  /** Opens the wished adapter, once. */
  async openGpu(): Promise<void> {
    await this.#runner.openGpu();
  }

  destroy(): void {
    this.#runner.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }

  /** What to try. An error of the points comes before one of the parameters, and that before one of the choice. */
  #choose(
    points: PointSet,
    params: DbscanParams,
    signal: AbortSignal | undefined,
  ): ReturnType<VariantRunner<DbscanAlgorithm, Gpu>['choose']> {
    try {
      validateDbscanParams(params);
      throwIfAborted(signal, 'start');
      return this.#runner.choose(pointCount(points), points.dim);
    } catch (error) {
      validatePoints(points);
      throw error;
    }
  }
}
