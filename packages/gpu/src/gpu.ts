import {
  checkKnownOptions,
  EpsballError,
  GpuDeviceLostError,
  GpuLimitError,
  GpuUnavailableError,
  InvalidParameterError,
  InvalidPointsError,
  RunAbortedError,
  RunQueue,
} from '@epsball/clustering';
import type {AdapterChoice} from './adapterChoice.ts';
import {describeAdapter, findAdapter, kindOf, limitsByName, type AdapterInfo} from './adapters.ts';
import type {KernelCache} from './kernelSource.ts';
import {Owner} from './owner.ts';

export interface OpenGpuOptions {
  readonly adapter?: AdapterChoice;
  /** A device of the caller. It is used as it is, and never destroyed. */
  readonly device?: GPUDevice;
}

/** All kinds of errors. A device without free memory may report any of them. */
export const ERROR_FILTERS: readonly GPUErrorFilter[] = ['internal', 'out-of-memory', 'validation'];

/** Errors after which the device is in a valid state: aborts and rejected arguments. */
const HARMLESS = [RunAbortedError, InvalidParameterError, InvalidPointsError];

/** A size for GPUs, and one for software adapters, which run few invocations at a time. */
export interface BySpeed<Size> {
  readonly hardware: Size;
  readonly software: Size;
}

const WANTED_FEATURES: readonly GPUFeatureName[] = ['timestamp-query', 'subgroups'];

type AskedLimit =
  | 'maxBufferSize'
  | 'maxStorageBufferBindingSize'
  | 'maxStorageBuffersPerShaderStage'
  | 'minStorageBufferOffsetAlignment';

/**
 * Opens an adapter with all of its limits, or wraps the caller's device.
 *
 * @throws GpuUnavailableError  if there is no such adapter, or it does not create a device
 */
export async function openGpu(options: OpenGpuOptions = {}): Promise<Gpu> {
  checkKnownOptions(options, ['adapter', 'device'], 'options', "an object such as {adapter: 'hardware'}");
  if (options.device) {
    const {device} = options;
    return new Gpu(device, describeAdapter(device, kindOf(device.adapterInfo)), false);
  }
  const {adapter, kind} = await findAdapter(options.adapter);
  const info = describeAdapter(adapter, kind);
  let device: GPUDevice;
  try {
    device = await adapter.requestDevice({
      label: 'epsball',
      requiredFeatures: WANTED_FEATURES.filter((feature) => adapter.features.has(feature)),
      requiredLimits: limitsByName(adapter.limits),
    });
  } catch (error) {
    throw new GpuUnavailableError(`${info.description || info.device} did not create a device`, {cause: error});
  }
  return new Gpu(device, info, true);
}

/**
 * A device with its properties, its kernels and the number of bytes allocated on it. Owns a device that `openGpu`
 * created, borrows the caller's. Runs on it are queued.
 */
export class Gpu extends Owner {
  readonly device: GPUDevice;
  readonly info: AdapterInfo;
  /** Of `Kernel.create`. */
  readonly kernels: KernelCache = new Map();
  /** A copy of the device's limits, because each read of the original calls into the bindings. */
  readonly limits: Readonly<Record<AskedLimit, number>>;
  readonly #ownsDevice: boolean;
  #lostMessage: string | undefined;
  #allocatedBytes = 0;
  #peakBytes = 0;
  #failedRuns = 0;
  readonly #runs = new RunQueue();

  constructor(device: GPUDevice, info: AdapterInfo, ownsDevice: boolean) {
    super();
    this.device = device;
    this.info = info;
    const {limits} = device;
    this.limits = {
      maxBufferSize: limits.maxBufferSize,
      maxStorageBufferBindingSize: limits.maxStorageBufferBindingSize,
      maxStorageBuffersPerShaderStage: limits.maxStorageBuffersPerShaderStage,
      minStorageBufferOffsetAlignment: limits.minStorageBufferOffsetAlignment,
    };
    this.#ownsDevice = ownsDevice;
    void device.lost.then((lost) => {
      this.#lostMessage = `${lost.reason}: ${lost.message}`;
    });
  }

  get hasTimestamps(): boolean {
    return this.device.features.has('timestamp-query');
  }

  /** Bytes of live buffers created by `createBuffer`, without staging buffers, which are in host memory. */
  get allocatedBytes(): number {
    return this.#allocatedBytes;
  }

  /** Maximum of `allocatedBytes` since `resetPeak`. */
  get peakBytes(): number {
    return this.#peakBytes;
  }

  resetPeak(): void {
    this.#peakBytes = this.#allocatedBytes;
  }

  /**
   * @param label  `package/what`
   * @param bytes  rounded up to a multiple of 4, and to at least 16
   * @param mappedAtCreation  whether the buffer is mapped from the start
   * @throws GpuLimitError  if the device allows no such buffer or binding
   * @throws GpuDeviceLostError  if the device is lost
   */
  createBuffer(label: string, bytes: number, usage: GPUBufferUsageFlags, mappedAtCreation = false): GpuBuffer {
    this.throwIfLost();
    const size = Math.max(16, Math.ceil(bytes / 4) * 4);
    const {maxBufferSize, maxStorageBufferBindingSize} = this.limits;
    const bound = (usage & GPUBufferUsage.STORAGE) !== 0;
    const allowed = bound ? Math.min(maxBufferSize, maxStorageBufferBindingSize) : maxBufferSize;
    if (size > allowed) {
      throw new GpuLimitError(`bytes of ${label}`, size, allowed, 'fewer points or backend "sequential" would fit');
    }
    const buffer = this.device.createBuffer({label, size, usage, mappedAtCreation});
    // On a discrete GPU mappable buffers are in host memory.
    const isStaging = (usage & (GPUBufferUsage.MAP_READ | GPUBufferUsage.MAP_WRITE)) !== 0;
    const deviceBytes = isStaging ? 0 : size;
    this.#allocatedBytes += deviceBytes;
    this.#peakBytes = Math.max(this.#peakBytes, this.#allocatedBytes);
    return new GpuBuffer(buffer, () => (this.#allocatedBytes -= deviceBytes));
  }

  /** Number of failed runs. After one, kept buffers may be invalid without any sign, or stay mapped. */
  get failedRuns(): number {
    return this.#failedRuns;
  }

  /** Which of two sizes suits the adapter. All software adapters count as one kind. */
  get speed(): keyof BySpeed<unknown> {
    return this.info.kind === 'hardware' ? 'hardware' : 'software';
  }

  /** Chooses a size that depends on how many invocations run at a time. */
  pick<Size>(sizes: BySpeed<Size>): Size {
    return sizes[this.speed];
  }

  /**
   * Runs `work` inside error scopes and converts errors of the device. Calls are queued, because error scopes are a
   * stack of the device and runs share buffers. Calls must not be nested. A signal takes a call that waits out of the
   * queue.
   *
   * @throws RunAbortedError  if the signal has fired before `work` starts
   * @throws GpuLimitError  if the device runs out of memory
   * @throws GpuDeviceLostError  if the device is lost during the call
   */
  async guard<T>(what: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#runs.add(() => this.#guardAlone(what, work), signal);
  }

  async #guardAlone<T>(what: string, work: () => Promise<T>): Promise<T> {
    this.throwIfLost();
    for (const filter of ERROR_FILTERS) this.device.pushErrorScope(filter);
    const [outcome] = await Promise.allSettled([work()]);
    const errors = await Promise.all(ERROR_FILTERS.map(() => this.device.popErrorScope().catch(() => null)));
    const failure = errors.find((error) => error !== null);
    const error: unknown = outcome.status === 'rejected' ? outcome.reason : undefined;
    const isHarmless = HARMLESS.some((Kind) => error instanceof Kind);
    if (failure || (outcome.status === 'rejected' && !isHarmless)) this.#failedRuns++;
    this.throwIfLost(error);
    if (failure instanceof GPUOutOfMemoryError) {
      throw new GpuLimitError(`device memory for ${what}`, this.#allocatedBytes, Number.NaN, failure.message);
    }
    if (error instanceof EpsballError) throw error;
    // The device's own message first, because an error of `work` is usually its consequence.
    if (failure) throw new Error(`${what}: ${failure.message}`, {cause: error});
    if (outcome.status === 'rejected') throw error;
    return outcome.value;
  }

  throwIfLost(cause?: unknown): void {
    if (this.#lostMessage === undefined) return;
    throw new GpuDeviceLostError(`GPU device lost (${this.#lostMessage})`, {cause});
  }

  override destroy(): void {
    if (this.#ownsDevice) this.device.destroy();
    this.#lostMessage ??= 'destroyed by its owner';
  }
}

/** A buffer that is no longer counted by its `Gpu` after it is destroyed. */
export class GpuBuffer extends Owner {
  readonly buffer: GPUBuffer;
  /** Bytes. A copy, because each read of the buffer's own size calls into the bindings. */
  readonly size: number;
  #release: (() => void) | undefined;

  constructor(buffer: GPUBuffer, release: () => void) {
    super();
    this.buffer = buffer;
    this.size = buffer.size;
    this.#release = release;
  }

  override destroy(): void {
    this.#release?.();
    this.#release = undefined;
    this.buffer.destroy();
  }
}
