import {
  DestroyedError,
  GpuDeviceLostError,
  GpuLimitError,
  GpuUnavailableError,
  InvalidParameterError,
  pointCount,
  RunAbortedError,
  throwIfAborted,
  validateDbscanParams,
  validatePoints,
  type DbscanAlgorithm,
  type DbscanParams,
  type DbscanResult,
  type DbscanRunOptions,
  type PointSet,
} from '@epsball/clustering';
import type {AdapterChoice, Gpu} from '@epsball/gpu';
import {BACKENDS, type Backend} from './catalogueRow.ts';
import {rankChoices, validateWish, type Choice, type Wish} from './choose.ts';
import {InstanceCache} from './instanceCache.ts';
import {resolveOptions, type OptionValue, type VariantOptionValues} from './variantOptions.ts';

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

/** The key of the one `Gpu` that an object opens. */
const GPU_KEY = 'gpu';

class ChoosingDbscan implements Dbscan {
  readonly #wish: Wish;
  readonly #options: CreateDbscanOptions;
  readonly #gpuAsked: boolean;
  /** By `id/backend`. */
  readonly #algorithms = new InstanceCache<DbscanAlgorithm>();
  /** The `Gpu` that was opened here, under one key. A `Gpu` around the caller's device leaves the device alone. */
  readonly #opened = new InstanceCache<Gpu>();
  /** The `Gpu` in use: opened here, or the caller's. */
  #gpu: Gpu | undefined;
  /** A look for a hardware adapter found none; looking again costs as much as opening one. */
  #hasNoHardware = false;
  #isDestroyed = false;

  constructor(options: CreateDbscanOptions) {
    this.#wish = {
      algorithm: options.algorithm ?? 'auto',
      backend: options.backend ?? 'auto',
      options: options.options,
    };
    this.#options = options;
    const {adapter = 'auto', device, gpu, threads} = options;
    this.#gpuAsked = adapter !== 'auto' || device !== undefined || gpu !== undefined;
    if (this.#wish.backend !== 'auto' && !BACKENDS.includes(this.#wish.backend)) {
      throw new InvalidParameterError('backend', this.#wish.backend, `one of auto, ${BACKENDS.join(', ')}`);
    }
    if (threads !== undefined && (!Number.isInteger(threads) || threads < 1)) {
      throw new InvalidParameterError('threads', threads, 'an integer ≥ 1');
    }
    validateWish(this.#wish);
  }

  async run(points: PointSet, params: DbscanParams, options: DbscanRunOptions = {}): Promise<DbscanOutcome> {
    if (this.#isDestroyed) throw new DestroyedError('dbscan');
    const choices = this.#choose(points, params, options.signal);
    // Checked before a device is opened for nothing. Elsewhere the variant's own check is enough: a million points take milliseconds.
    const mayOpen = this.#gpu === undefined && !this.#hasNoHardware;
    if (mayOpen && choices.some(({backend}) => backend === 'gpu')) validatePoints(points);
    for (const choice of choices.slice(0, -1)) {
      if (!this.#isHope(choice)) return this.#runOn(choice, points, params, options);
      if (!(await this.#openHardware())) continue;
      try {
        return await this.#runOn(choice, points, params, options);
      } catch (error) {
        // A GPU that nobody asked for is too small for these points: the next choice is not.
        if (!(error instanceof GpuLimitError)) throw error;
      }
    }
    return this.#runOn(choices[choices.length - 1], points, params, options);
  }

  destroy(): void {
    this.#isDestroyed = true;
    const reason = new DestroyedError('dbscan');
    this.#algorithms.close(reason);
    this.#opened.close(reason);
    this.#gpu = undefined;
  }

  [Symbol.dispose](): void {
    this.destroy();
  }

  /** Opens an adapter, once: the wished one by default. */
  async openGpu(adapter: AdapterChoice = this.#options.adapter ?? 'auto'): Promise<Gpu> {
    const {gpu, device} = this.#options;
    if (gpu !== undefined) return (this.#gpu = gpu);
    const opened = await this.#opened.get(GPU_KEY, async () => {
      const {openGpu} = await import('@epsball/gpu');
      return openGpu(device === undefined ? {adapter} : {device});
    });
    return (this.#gpu = opened);
  }

  /** What to try. Throws what is wrong with the points, else with the parameters, else with the choice; not every coordinate is looked at. */
  #choose(points: PointSet, params: DbscanParams, signal: AbortSignal | undefined): readonly Choice[] {
    try {
      validateDbscanParams(params);
      throwIfAborted(signal, 'start');
      return rankChoices(this.#wish, pointCount(points), points.dim, this.#gpuAsked);
    } catch (error) {
      validatePoints(points);
      throw error;
    }
  }

  /** A GPU that nobody asked for: taken only where it is hardware and large enough. */
  #isHope({backend}: Choice): boolean {
    return backend === 'gpu' && this.#wish.backend === 'auto' && !this.#gpuAsked;
  }

  async #runOn(
    choice: Choice,
    points: PointSet,
    params: DbscanParams,
    options: DbscanRunOptions,
  ): Promise<DbscanOutcome> {
    const gpu = choice.backend === 'gpu' ? await this.openGpu() : undefined;
    try {
      const algorithm = await this.#ready(choice, gpu);
      const result = await algorithm.run(points, params, options);
      return {
        ...result,
        algorithm: choice.row.id,
        backend: choice.backend,
        options: this.#resolve(choice),
        ...(gpu === undefined ? {} : {adapter: gpu.info}),
      };
    } catch (error) {
      if (this.#isDestroyed && !(error instanceof DestroyedError || error instanceof RunAbortedError)) {
        throw new DestroyedError('dbscan', {cause: error});
      }
      // A lost device never comes back. Without it, the next run opens another.
      if (error instanceof GpuDeviceLostError && gpu === this.#gpu) this.#forgetGpu(error);
      throw error;
    }
  }

  /** Opens a hardware adapter where there is one; a software one is never opened unasked. */
  async #openHardware(): Promise<boolean> {
    if (this.#hasNoHardware) return false;
    try {
      await this.openGpu('hardware');
      return true;
    } catch (error) {
      if (!(error instanceof GpuUnavailableError)) throw error;
    }
    this.#hasNoHardware = true;
    return false;
  }

  #ready({row, backend}: Choice, gpu: Gpu | undefined): Promise<DbscanAlgorithm> {
    const {threads, options} = this.#options;
    return this.#algorithms.get(`${row.id}/${backend}`, () => row.create({backend, gpu, threads, options}));
  }

  #resolve({row, backend}: Choice): Readonly<Record<string, OptionValue>> {
    return resolveOptions(row.options[backend] ?? [], this.#wish.options ?? {}, row.id);
  }

  /** Destroys what was built on the GPU, and the GPU where it was opened here. */
  #forgetGpu(reason: Error): void {
    for (const key of this.#algorithms.keys()) if (key.endsWith('/gpu')) this.#algorithms.drop(key, reason);
    this.#opened.drop(GPU_KEY, reason);
    this.#gpu = undefined;
  }
}
