import {ERROR_FILTERS, type Gpu, type GpuBuffer} from './gpu.ts';
import {Owner} from './owner.ts';

/** Default usage, for kernels: uniform or storage, copied both ways, and read for indirect dispatch. */
const WORK_USAGE = (): GPUBufferUsageFlags =>
  GPUBufferUsage.STORAGE |
  GPUBufferUsage.UNIFORM |
  GPUBufferUsage.COPY_SRC |
  GPUBufferUsage.COPY_DST |
  GPUBufferUsage.INDIRECT;

/** Named work buffers that are kept between runs. Growth discards the content. */
export class Scratch extends Owner {
  readonly #gpu: Gpu;
  readonly #prefix: string;
  readonly #usage: GPUBufferUsageFlags;
  readonly #buffers = new Map<string, GpuBuffer>();
  #failedRuns: number;
  #isDestroyed = false;

  constructor(gpu: Gpu, prefix: string, usage: GPUBufferUsageFlags = WORK_USAGE()) {
    super();
    this.#gpu = gpu;
    this.#failedRuns = gpu.failedRuns;
    this.#prefix = prefix;
    this.#usage = usage;
  }

  /** Returns a buffer of at least `bytes`: the previous one if it is large enough. */
  take(what: string, bytes: number): GPUBuffer {
    const held = this.#find(what, bytes);
    if (held) return held;
    // Free the old buffer first, to keep the peak low. Its content is not needed.
    this.#free(what);
    const made = this.#gpu.createBuffer(`${this.#prefix}/${what}`, bytes, this.#usage);
    this.#buffers.set(what, made);
    return made.buffer;
  }

  /** As `take`; undefined if the device lacks memory. */
  async takeIfFree(what: string, bytes: number): Promise<GPUBuffer | undefined> {
    const held = this.#find(what, bytes);
    if (held) return held;
    const {device} = this.#gpu;
    for (const filter of ERROR_FILTERS) device.pushErrorScope(filter);
    let refusals: (GPUError | null)[] = [];
    try {
      this.take(what, bytes);
    } finally {
      refusals = await Promise.all(ERROR_FILTERS.map(() => device.popErrorScope()));
    }
    if (refusals.some((refusal) => refusal !== null)) this.#free(what);
    return this.#buffers.get(what)?.buffer;
  }

  #find(what: string, bytes: number): GPUBuffer | undefined {
    if (this.#isDestroyed) throw new Error(`${this.#prefix}/${what} taken after destroy()`);
    if (this.#failedRuns !== this.#gpu.failedRuns) this.clear();
    const held = this.#buffers.get(what);
    return held && held.size >= bytes ? held.buffer : undefined;
  }

  #free(what: string): void {
    this.#buffers.get(what)?.destroy();
    this.#buffers.delete(what);
  }

  /** Frees all buffers. The next `take` creates a new one. */
  clear(): void {
    for (const buffer of this.#buffers.values()) buffer.destroy();
    this.#buffers.clear();
    this.#failedRuns = this.#gpu.failedRuns;
  }

  override destroy(): void {
    this.#isDestroyed = true;
    this.clear();
  }
}
