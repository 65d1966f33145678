import {extendResult} from '../dbscanOutput.ts';
import {
  DestroyedError,
  GpuDeviceLostError,
  GpuLimitError,
  GpuUnavailableError,
  InvalidParameterError,
  InvalidPointsError,
  RunAbortedError,
  UnsupportedDimensionError,
  WorkerFailedError,
  WorkersUnavailableError,
} from '../errors.ts';
import {
  rankChoices,
  refusedByWeights,
  validateRequest,
  type Choice,
  type ChoiceInput,
  type RankedRow,
  type RunNeeds,
  type VariantRequest,
} from './chooseVariant.ts';
import {checkInteger} from '../knownOptions.ts';
import {NOT_INT32} from '../weights/integerWeights.ts';
import {InstanceCache} from './instanceCache.ts';
import {oneShots} from './oneShots.ts';
import {resolveOptions} from './variantOptions.ts';
import type {Backend, VariantRow} from './variantRow.ts';
import {
  withFallback,
  type Fallback,
  type OpenGpu,
  type RunnerOptions,
  type VariantRan,
  type VariantRun,
  type VariantRunnerParts,
} from './variantRun.ts';

/** Errors that the next choice would cause as well, or that end the run. */
const FINAL = [
  InvalidParameterError,
  InvalidPointsError,
  UnsupportedDimensionError,
  RunAbortedError,
  DestroyedError,
] as const;

/** Errors of a run that another backend avoids. Any other error of a run may be the caller's, from `onProgress`. */
const AVOIDABLE = [
  GpuDeviceLostError,
  GpuLimitError,
  GpuUnavailableError,
  WorkerFailedError,
  WorkersUnavailableError,
] as const;

const GPU_KEY = 'gpu';

/**
 * Runs the variants of a front door. Chooses a variant and a backend for each run, opens a GPU if a run needs one, and
 * keeps both until `destroy()`.
 */
export class VariantRunner<
  Algorithm extends {destroy(): void},
  Gpu extends OpenGpu,
  Adapter extends string,
  Device extends object,
> {
  readonly #parts: VariantRunnerParts<Algorithm, Gpu, Adapter, Device>;
  readonly #options: RunnerOptions<Gpu, Adapter, Device>;
  readonly #request: VariantRequest;
  /** Whether the caller named an adapter, a device or a `Gpu`. */
  readonly gpuRequested: boolean;
  readonly #algorithms = new InstanceCache<Algorithm>();
  readonly #opened = new InstanceCache<Gpu>();
  /** The GPU in use: opened by the runner, or the caller's. */
  #gpu: Gpu | undefined;
  /** Why a search found no hardware adapter. Another search would cost as much as opening one. */
  #noHardware: Error | undefined;
  #isDestroyed = false;

  /** @throws InvalidParameterError  if a requested value is not allowed; lists the allowed ones */
  constructor(
    parts: VariantRunnerParts<Algorithm, Gpu, Adapter, Device>,
    requested: RunnerOptions<Gpu, Adapter, Device>,
  ) {
    const {algorithm = 'auto', backend = 'auto', options, adapter = 'auto', device, gpu, threads} = requested;
    this.#parts = parts;
    this.#options = requested;
    this.#request = {algorithm, backend, options};
    this.gpuRequested = adapter !== 'auto' || device !== undefined || gpu !== undefined;
    if (threads !== undefined) checkInteger('threads', threads, 1);
    validateRequest(parts.catalogue, this.#request);
  }

  throwIfDestroyed(): void {
    if (this.#isDestroyed) throw new DestroyedError(this.#parts.name);
  }

  /** The variants and backends to try, best first. Throws as `rankChoices`. */
  choose(
    n: number,
    dim: number,
    needs?: RunNeeds,
    order?: readonly Backend[],
  ): readonly Choice<VariantRow<Algorithm, Gpu>>[] {
    return rankChoices(this.#parts.catalogue, this.#request, this.#input(n, dim, needs, order));
  }

  /** The better choices that weights exclude, with the reason; for `VariantRun.refused`. */
  refused(n: number, dim: number, needs?: RunNeeds, order?: readonly Backend[]): readonly Fallback[] {
    const choices = refusedByWeights(this.#parts.catalogue, this.#request, this.#input(n, dim, needs, order));
    return choices.map(({row, backend}) => ({algorithm: row.id, backend, reason: NOT_INT32}));
  }

  #input(n: number, dim: number, needs?: RunNeeds, order?: readonly Backend[]): ChoiceInput {
    return {n, dim, gpuRequested: this.gpuRequested, gpuPaysFrom: this.#parts.gpuPaysFrom, needs, order};
  }

  /**
   * Runs on the best choice, at least one. If the caller named no backend and did not request the GPU, the next choice
   * follows a GPU or worker threads that cannot be opened, fail, or have too little memory. The result says so.
   */
  async run<Result extends object>(
    choices: readonly Choice<VariantRow<Algorithm, Gpu>>[],
    {checkInput, run, signal, refused = []}: VariantRun<Algorithm, Result>,
  ): Promise<Result & VariantRan<Gpu>> {
    const mayOpen = this.#gpu === undefined && this.#noHardware === undefined;
    if (mayOpen && choices.some(({backend}) => backend === 'gpu')) checkInput();
    const fallback: Fallback[] = [];
    for (const choice of choices.slice(0, -1)) {
      if (!this.#isOptional(choice)) break;
      const outcome = await this.#tryOn(choice, run, signal);
      if (!(outcome instanceof Error)) return withFallback(outcome, [...refused, ...fallback]);
      fallback.push({algorithm: choice.row.id, backend: choice.backend, reason: outcome.message});
    }
    return withFallback(await this.#runOn(choices[fallback.length], run, signal), [...refused, ...fallback]);
  }

  /** Creates the variant before its first run, if there is one choice only. Opens its GPU. */
  async prepare(choices: readonly Choice<VariantRow<Algorithm, Gpu>>[]): Promise<void> {
    if (choices.length > 1) return;
    const [choice] = choices;
    await this.#ready(choice, choice.backend === 'gpu' ? await this.openGpu() : undefined);
  }

  /** Opens the requested adapter or device; with `hardware`, a hardware adapter. */
  async openGpu(kind?: 'hardware'): Promise<Gpu> {
    const {gpu, adapter = 'auto', device} = this.#options;
    const open = async (): Promise<Gpu> => {
      const {openGpu} = await this.#parts.loadGpu();
      return openGpu(device === undefined ? {adapter: kind ?? adapter} : {device});
    };
    return (this.#gpu = gpu ?? (await this.#opened.get(GPU_KEY, open)));
  }

  /** Destroys the variants and the GPU that the runner has created. Safe to call twice. */
  destroy(): void {
    this.#isDestroyed = true;
    oneShots.forget(this);
    const reason = new DestroyedError(this.#parts.name);
    this.#algorithms.close(reason);
    this.#opened.close(reason);
    this.#gpu = undefined;
  }

  /** Whether a choice is a GPU or threads that the caller did not request. A GPU must be hardware and large enough. */
  #isOptional({backend}: Choice<RankedRow>): boolean {
    return backend !== 'sequential' && this.#request.backend === 'auto' && !this.gpuRequested;
  }

  /** Runs on an optional choice. Returns the error if another choice may avoid it. */
  async #tryOn<Result extends object>(
    choice: Choice<VariantRow<Algorithm, Gpu>>,
    run: (algorithm: Algorithm) => Promise<Result>,
    signal: AbortSignal | undefined,
  ): Promise<(Result & VariantRan<Gpu>) | Error> {
    let hasBegun = false;
    const begin = (algorithm: Algorithm): Promise<Result> => {
      hasBegun = true;
      return run(algorithm);
    };
    try {
      if (choice.backend === 'gpu') await this.#openHardware();
      return await this.#runOn(choice, begin, signal);
    } catch (error) {
      const isOneOf = (kinds: typeof FINAL | typeof AVOIDABLE): boolean => kinds.some((Kind) => error instanceof Kind);
      if (error instanceof Error && (hasBegun ? isOneOf(AVOIDABLE) : !isOneOf(FINAL))) return error;
      throw error;
    }
  }

  async #runOn<Result extends object>(
    choice: Choice<VariantRow<Algorithm, Gpu>>,
    run: (algorithm: Algorithm) => Promise<Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result & VariantRan<Gpu>> {
    const {row, backend} = choice;
    const gpu = backend === 'gpu' ? await this.openGpu() : undefined;
    try {
      const result = await this.#inTurn(choice, async () => run(await this.#ready(choice, gpu)), signal);
      return extendResult(result, {
        algorithm: row.id,
        backend,
        options: resolveOptions(row.on[backend]?.options ?? [], this.#request.options ?? {}, row.id),
        ...(gpu === undefined ? {} : {adapter: gpu.info}),
      });
    } catch (error) {
      if (this.#isDestroyed && !(error instanceof DestroyedError || error instanceof RunAbortedError)) {
        throw new DestroyedError(this.#parts.name, {cause: error});
      }
      // A lost device never comes back. Without it, the next run opens another.
      if (error instanceof GpuDeviceLostError && gpu === this.#gpu) this.#forgetGpu(error);
      throw error;
    }
  }

  #inTurn<Result>(
    choice: Choice<RankedRow>,
    run: () => Promise<Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    if (this.#parts.isShared !== true) return run();
    const key = keyOf(choice);
    const release = (): void => this.#algorithms.drop(key, new DestroyedError(this.#parts.name));
    return oneShots.turn(choice.backend, {owner: this, key, release}, run, signal);
  }

  #ready({row, backend}: Choice<VariantRow<Algorithm, Gpu>>, gpu: Gpu | undefined): Promise<Algorithm> {
    const {threads, options} = this.#options;
    return this.#algorithms.get(keyOf({row, backend}), () => row.create({backend, gpu, threads, options}));
  }

  async #openHardware(): Promise<void> {
    if (this.#noHardware !== undefined) throw this.#noHardware;
    try {
      await this.openGpu('hardware');
    } catch (error) {
      if (error instanceof GpuUnavailableError) this.#noHardware = error;
      throw error;
    }
  }

  /** Destroys the variants on the GPU, and the GPU if the runner has opened it. */
  #forgetGpu(reason: Error): void {
    for (const key of this.#algorithms.keys()) if (key.endsWith('/gpu')) this.#algorithms.drop(key, reason);
    this.#opened.drop(GPU_KEY, reason);
    this.#gpu = undefined;
  }
}

function keyOf({row, backend}: Choice<RankedRow>): string {
  return `${row.id}/${backend}`;
}
