import {
  DestroyedError,
  GpuDeviceLostError,
  GpuLimitError,
  GpuUnavailableError,
  InvalidParameterError,
  RunAbortedError,
} from '../errors.ts';
import {rankChoices, validateRequest, type Choice, type RankedRow, type VariantRequest} from './chooseVariant.ts';
import {InstanceCache} from './instanceCache.ts';
import {resolveOptions, type OptionValue, type VariantOptionValues} from './variantOptions.ts';
import type {Backend, VariantRow} from './variantRow.ts';

/** An open GPU: `Gpu` of `@epsball/gpu`. */
interface OpenGpu {
  readonly info: unknown;
  destroy(): void;
}

/** What a caller of a front door requests. */
export interface RunnerOptions<Gpu> {
  /** Default: `auto`. */
  readonly algorithm?: string | undefined;
  /** Default: `auto`. */
  readonly backend?: Backend | 'auto' | undefined;
  /** Default: `auto`. Any other value requests the GPU. */
  readonly adapter?: string | undefined;
  /** A `GPUDevice` to run on. Requests the GPU. */
  readonly device?: object | undefined;
  /** An open GPU to run on; borrowed. Requests the GPU. */
  readonly gpu?: Gpu | undefined;
  readonly threads?: number | undefined;
  readonly options?: VariantOptionValues | undefined;
}

/** The parts of a front door. */
export interface VariantRunnerParts<Algorithm, Gpu> {
  /** Name in messages: `dbscan`. */
  readonly name: string;
  readonly catalogue: readonly VariantRow<Algorithm, Gpu>[];
  /** As in `ChoiceInput`. */
  readonly gpuPaysFrom: number;
  /** Opens the requested adapter or device; with `hardware`, a hardware adapter. The runner destroys the result. */
  readonly openGpu: (adapter?: 'hardware') => Promise<Gpu>;
}

/** A run of a front door. */
export interface VariantRun<Algorithm, Result> {
  /** Checks the whole input. Called before a device is opened. Without one, the variant's own check is enough. */
  readonly checkInput: () => void;
  readonly run: (algorithm: Algorithm) => Promise<Result>;
}

/** The fields that the runner adds to a result. */
export interface VariantRan<Gpu extends OpenGpu> {
  /** The catalogue id of the variant that ran. */
  readonly algorithm: string;
  readonly backend: Backend;
  /** The options of the variant on this backend, defaults included. */
  readonly options: Readonly<Record<string, OptionValue>>;
  /** The adapter, if the backend is `gpu`. */
  readonly adapter?: Gpu['info'];
}

/** The key of the one GPU that a runner opens. */
const GPU_KEY = 'gpu';

/**
 * Runs the variants of a front door. Chooses a variant and a backend for each run, opens a GPU if a run needs one, and
 * keeps both until `destroy()`.
 */
export class VariantRunner<Algorithm extends {destroy(): void}, Gpu extends OpenGpu> {
  readonly #parts: VariantRunnerParts<Algorithm, Gpu>;
  readonly #options: RunnerOptions<Gpu>;
  readonly #request: VariantRequest;
  readonly #gpuRequested: boolean;
  /** By `id/backend`. */
  readonly #algorithms = new InstanceCache<Algorithm>();
  /** The GPU that the runner has opened, under one key. */
  readonly #opened = new InstanceCache<Gpu>();
  /** The GPU in use: opened by the runner, or the caller's. */
  #gpu: Gpu | undefined;
  /** A search found no hardware adapter. Another search would cost as much as opening one. */
  #hasNoHardware = false;
  #isDestroyed = false;

  /** @throws InvalidParameterError  if a requested value is not allowed; lists the allowed ones */
  constructor(parts: VariantRunnerParts<Algorithm, Gpu>, requested: RunnerOptions<Gpu>) {
    const {algorithm = 'auto', backend = 'auto', options, adapter = 'auto', device, gpu, threads} = requested;
    this.#parts = parts;
    this.#options = requested;
    this.#request = {algorithm, backend, options};
    this.#gpuRequested = adapter !== 'auto' || device !== undefined || gpu !== undefined;
    if (threads !== undefined && (!Number.isInteger(threads) || threads < 1)) {
      throw new InvalidParameterError('threads', threads, 'an integer ≥ 1');
    }
    validateRequest(parts.catalogue, this.#request);
  }

  /** @throws DestroyedError  after `destroy()` */
  throwIfDestroyed(): void {
    if (this.#isDestroyed) throw new DestroyedError(this.#parts.name);
  }

  /**
   * The variants and backends to try, best first.
   *
   * @throws UnsupportedDimensionError  if no requested row takes the dimensions
   */
  choose(n: number, dim: number): readonly Choice<VariantRow<Algorithm, Gpu>>[] {
    const {catalogue, gpuPaysFrom} = this.#parts;
    return rankChoices(catalogue, this.#request, {n, dim, gpuRequested: this.#gpuRequested, gpuPaysFrom});
  }

  /**
   * Runs on the best choice. If the caller did not request the GPU, the next choice follows where there is no hardware
   * adapter or too little device memory.
   *
   * @param choices  as `choose` returns them, at least one
   * @throws what `openGpu`, a row's `create` and `run` throw
   */
  async run<Result extends object>(
    choices: readonly Choice<VariantRow<Algorithm, Gpu>>[],
    {checkInput, run}: VariantRun<Algorithm, Result>,
  ): Promise<Result & VariantRan<Gpu>> {
    const mayOpen = this.#gpu === undefined && !this.#hasNoHardware;
    if (mayOpen && choices.some(({backend}) => backend === 'gpu')) checkInput();
    for (const choice of choices.slice(0, -1)) {
      if (!this.#isOptionalGpu(choice)) return this.#runOn(choice, run);
      if (!(await this.#openHardware())) continue;
      try {
        return await this.#runOn(choice, run);
      } catch (error) {
        // The next choice is not a GPU, so it has more memory.
        if (!(error instanceof GpuLimitError)) throw error;
      }
    }
    return this.#runOn(choices[choices.length - 1], run);
  }

  /** Creates the variant before its first run, if there is one choice only. Opens its GPU. */
  async prepare(choices: readonly Choice<VariantRow<Algorithm, Gpu>>[]): Promise<void> {
    if (choices.length > 1) return;
    const [choice] = choices;
    await this.#ready(choice, choice.backend === 'gpu' ? await this.openGpu() : undefined);
  }

  /** Opens an adapter, once. Default: the requested one. */
  async openGpu(adapter?: 'hardware'): Promise<Gpu> {
    const {gpu} = this.#options;
    return (this.#gpu = gpu ?? (await this.#opened.get(GPU_KEY, () => this.#parts.openGpu(adapter))));
  }

  /** Destroys the variants and the GPU that the runner has created. Safe to call twice. */
  destroy(): void {
    this.#isDestroyed = true;
    const reason = new DestroyedError(this.#parts.name);
    this.#algorithms.close(reason);
    this.#opened.close(reason);
    this.#gpu = undefined;
  }

  /** Whether a choice is a GPU that the caller did not request. It must be hardware and large enough. */
  #isOptionalGpu({backend}: Choice<RankedRow>): boolean {
    return backend === 'gpu' && this.#request.backend === 'auto' && !this.#gpuRequested;
  }

  async #runOn<Result extends object>(
    choice: Choice<VariantRow<Algorithm, Gpu>>,
    run: (algorithm: Algorithm) => Promise<Result>,
  ): Promise<Result & VariantRan<Gpu>> {
    const {row, backend} = choice;
    const gpu = backend === 'gpu' ? await this.openGpu() : undefined;
    try {
      const result = await run(await this.#ready(choice, gpu));
      return {
        ...result,
        algorithm: row.id,
        backend,
        options: resolveOptions(row.options[backend] ?? [], this.#request.options ?? {}, row.id),
        ...(gpu === undefined ? {} : {adapter: gpu.info}),
      };
    } catch (error) {
      if (this.#isDestroyed && !(error instanceof DestroyedError || error instanceof RunAbortedError)) {
        throw new DestroyedError(this.#parts.name, {cause: error});
      }
      // A lost device never comes back. Without it, the next run opens another.
      if (error instanceof GpuDeviceLostError && gpu === this.#gpu) this.#forgetGpu(error);
      throw error;
    }
  }

  #ready({row, backend}: Choice<VariantRow<Algorithm, Gpu>>, gpu: Gpu | undefined): Promise<Algorithm> {
    const {threads, options} = this.#options;
    return this.#algorithms.get(`${row.id}/${backend}`, () => row.create({backend, gpu, threads, options}));
  }

  /** Opens a hardware adapter if there is one. A software adapter is opened only on request. */
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

  /** Destroys the variants on the GPU, and the GPU if the runner has opened it. */
  #forgetGpu(reason: Error): void {
    for (const key of this.#algorithms.keys()) if (key.endsWith('/gpu')) this.#algorithms.drop(key, reason);
    this.#opened.drop(GPU_KEY, reason);
    this.#gpu = undefined;
  }
}
