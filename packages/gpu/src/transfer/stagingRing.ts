import {FailedRuns} from '../failedRuns.ts';
import type {Gpu, GpuBuffer} from '../gpu.ts';

/** A ring of mappable buffers that grow and are used in turn. */
export class StagingRing {
  readonly #gpu: Gpu;
  readonly #label: string;
  readonly #usage: GPUBufferUsageFlags;
  readonly #buffers: (GpuBuffer | undefined)[];
  /** Pending maps of buffers for their next use. */
  readonly #mapping = new WeakMap<GPUBuffer, Promise<undefined>>();
  readonly #failedRuns: FailedRuns;

  constructor(gpu: Gpu, label: string, length: number, usage: GPUBufferUsageFlags) {
    this.#gpu = gpu;
    this.#failedRuns = new FailedRuns(gpu);
    this.#label = label;
    this.#usage = usage;
    this.#buffers = Array.from({length}, () => undefined);
  }

  /** Returns the k-th buffer in turn, of at least `bytes`, not mapped. */
  slot(k: number, bytes: number): GPUBuffer {
    if (this.#failedRuns.hasNew()) this.destroy();
    const at = k % this.#buffers.length;
    const held = this.#buffers[at];
    if (held && held.size >= bytes) return held.buffer;
    held?.destroy();
    const made = this.#gpu.createBuffer(`${this.#label}${at}`, bytes, this.#usage);
    this.#buffers[at] = made;
    return made.buffer;
  }

  /** Returns the k-th buffer, mapped. Waits until the device has finished its last use. */
  async mapped(k: number, bytes: number, mode: GPUMapModeFlags): Promise<GPUBuffer> {
    const buffer = this.slot(k, bytes);
    await (this.#mapping.get(buffer) ?? buffer.mapAsync(mode));
    this.#mapping.delete(buffer);
    return buffer;
  }

  /** Requests the map of the k-th buffer, so that the next `mapped` need not wait. */
  mapAhead(k: number, mode: GPUMapModeFlags): void {
    const held = this.#buffers[k % this.#buffers.length];
    if (held === undefined) return;
    const mapping = held.buffer.mapAsync(mode);
    // If the buffer is destroyed first, its map rejects without a caller.
    mapping.catch(() => undefined);
    this.#mapping.set(held.buffer, mapping);
  }

  destroy(): void {
    for (let k = 0; k < this.#buffers.length; k++) {
      this.#buffers[k]?.destroy();
      this.#buffers[k] = undefined;
    }
  }
}
