import {FailedRuns} from './failedRuns.ts';
import type {Gpu, GpuBuffer} from './gpu.ts';
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
  readonly #failedRuns: FailedRuns;
  #isDestroyed = false;

  constructor(gpu: Gpu, prefix: string, usage: GPUBufferUsageFlags = WORK_USAGE()) {
    super();
    this.#gpu = gpu;
    this.#failedRuns = new FailedRuns(gpu);
    this.#prefix = prefix;
    this.#usage = usage;
  }

  /** Returns a buffer of at least `bytes`: the previous one if it is large enough. */
  take(what: string, bytes: number): GPUBuffer {
    if (this.#isDestroyed) throw new Error(`${this.#prefix}/${what} taken after destroy()`);
    if (this.#failedRuns.hasNew()) this.clear();
    const held = this.#buffers.get(what);
    if (held && held.size >= bytes) return held.buffer;
    // Free the old buffer first, to keep the peak low. Its content is not needed.
    held?.destroy();
    this.#buffers.delete(what);
    const made = this.#gpu.createBuffer(`${this.#prefix}/${what}`, bytes, this.#usage);
    this.#buffers.set(what, made);
    return made.buffer;
  }

  /** Frees all buffers. The next `take` creates a new one. */
  clear(): void {
    for (const buffer of this.#buffers.values()) buffer.destroy();
    this.#buffers.clear();
  }

  override destroy(): void {
    this.#isDestroyed = true;
    this.clear();
  }
}
