// What a front door gives to its runner, and what it gets.
import type {OptionValue, VariantOptionValues} from './variantOptions.ts';
import type {Backend, VariantRow} from './variantRow.ts';

/** An open GPU: `Gpu` of `@epsball/gpu`. */
export interface OpenGpu {
  readonly info: unknown;
  destroy(): void;
}

/** What a caller of a front door requests: which variant runs, and where. */
export interface RunnerOptions<Gpu, Adapter extends string = string, Device extends object = object> {
  /** A catalogue id, or `auto`. Default: `auto`. */
  readonly algorithm?: string | undefined;
  /** Default: `auto`, which chooses for each run. It never takes a software GPU unless the GPU is requested. */
  readonly backend?: Backend | 'auto' | undefined;
  /** The kind of adapter. Any value but `auto` requests the GPU. Default: `auto`. */
  readonly adapter?: Adapter | undefined;
  /** A device to run on; borrowed. Requests the GPU. */
  readonly device?: Device | undefined;
  /** An open `Gpu` to run on; borrowed. Requests the GPU. */
  readonly gpu?: Gpu | undefined;
  /** Worker threads, integer ≥ 1. Variants without worker threads ignore it. Default: one per processor. */
  readonly threads?: number | undefined;
  /** Options of the named algorithm: `{index: 'none'}`. The catalogue lists them. */
  readonly options?: VariantOptionValues | undefined;
}

export const RUNNER_OPTIONS = ['algorithm', 'backend', 'adapter', 'device', 'gpu', 'threads', 'options'] as const;

/** The options of the runner among those of a one-shot call. */
export function runnerOptionsOf<Gpu, Adapter extends string, Device extends object>(
  options: RunnerOptions<Gpu, Adapter, Device>,
): RunnerOptions<Gpu, Adapter, Device> {
  const {algorithm, backend, adapter, device, gpu, threads, options: own} = options;
  return {algorithm, backend, adapter, device, gpu, threads, options: own};
}

/** `@epsball/gpu`, as far as a runner uses it. */
interface GpuPackage<Gpu, Adapter, Device> {
  readonly openGpu: (
    options: {readonly adapter: Adapter | 'hardware' | 'auto'} | {readonly device: Device},
  ) => Promise<Gpu>;
}

export interface VariantRunnerParts<Algorithm, Gpu, Adapter, Device> {
  /** Name in messages: `dbscan`. */
  readonly name: string;
  readonly catalogue: readonly VariantRow<Algorithm, Gpu>[];
  readonly gpuPaysFrom?: number | undefined;
  /** Whether one-shot calls share the runner: then its runs take turns with those of other such runners. */
  readonly isShared?: boolean;
  /** Imports `@epsball/gpu` when a run needs it. A `Gpu` that wraps the caller's device does not destroy the device. */
  readonly loadGpu: () => Promise<GpuPackage<Gpu, Adapter, Device>>;
}

/** A run of a front door. */
export interface VariantRun<Algorithm, Result> {
  /** Checks the whole input. Called before a device is opened. Without one, the variant's own check is enough. */
  readonly checkInput: () => void;
  readonly run: (algorithm: Algorithm) => Promise<Result>;
  /** Takes a run that waits for its turn out of the queue. */
  readonly signal?: AbortSignal | undefined;
  /** Better choices that the choices leave out, for `fallback` of the result. Default: none. */
  readonly refused?: readonly Fallback[];
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
  /** The better choices that could not run, best first. Absent if there are none, as with a named backend. */
  readonly fallback?: readonly Fallback[];
}

/** A better choice that could not run. */
export interface Fallback {
  /** The catalogue id of the variant. */
  readonly algorithm: string;
  readonly backend: Backend;
  /** Why, and what to install or change. */
  readonly reason: string;
}

/** Adds the choices that could not run, if there are any. */
export function withFallback<Result extends object>(result: Result, fallback: readonly Fallback[]): Result {
  return fallback.length === 0 ? result : {...result, fallback};
}
