import type {Gpu} from '../gpu.ts';
import {Scratch} from '../scratch.ts';
import {copyBytes, type HostArray} from './copyBytes.ts';
import {Owner} from '../owner.ts';

/**
 * Two large staging buffers, used in turn. Each chunk costs the host some 0.4 ms beside its copy. On an H200 120 MB
 * take 12.5 to 15.1 ms in chunks of 24 MiB, 12.7 to 16.9 in chunks of 16, and up to 18.4 in four of 4; larger chunks
 * are level. `writeBuffer` takes 27 ms for 80 MB.
 */
const CHUNK_BYTES = 24 * 1024 * 1024;
const RING = 2;

/** Writes bytes [start, end) of a transfer to `target`, which is mapped memory. Allows conversion during the copy. */
export type FillChunk = (target: ArrayBuffer, start: number, end: number) => void;

/** Host-to-device copies through mapped staging buffers that are kept. One upload at a time. */
export class Uploader extends Owner {
  readonly #gpu: Gpu;
  readonly #staging: Scratch;
  /** Maps of staging buffers for their next use, which wait until the device has finished the last. */
  readonly #mapping = new WeakMap<GPUBuffer, Promise<undefined>>();

  constructor(gpu: Gpu, label: string) {
    super();
    this.#gpu = gpu;
    this.#staging = this.own(new Scratch(gpu, `${label}/upload`, GPUBufferUsage.MAP_WRITE | GPUBufferUsage.COPY_SRC));
  }

  /** Copies `source`, a multiple of 4 bytes, to the start of `target`. Submits, with the commands of `behind`. */
  async upload(source: HostArray, target: GPUBuffer, behind?: (encoder: GPUCommandEncoder) => void): Promise<void> {
    const bytes = new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
    const fillChunk: FillChunk = (mapped, start, end) =>
      copyBytes(new Uint8Array(mapped, 0, end - start), bytes.subarray(start, end));
    await this.fill(source.byteLength, target, fillChunk, behind);
  }

  /** Uploads `totalBytes`, a multiple of 4, that `fillChunk` writes. Submits, with the commands of `behind`. */
  async fill(
    totalBytes: number,
    target: GPUBuffer,
    fillChunk: FillChunk,
    behind?: (encoder: GPUCommandEncoder) => void,
  ): Promise<void> {
    for (let start = 0, k = 0; start < totalBytes; start += CHUNK_BYTES, k++) {
      const end = Math.min(start + CHUNK_BYTES, totalBytes);
      const staging = await this.#mapped(k % RING, Math.min(totalBytes, CHUNK_BYTES));
      write(staging, end - start, (mapped) => fillChunk(mapped, start, end));
      const encoder = this.#gpu.device.createCommandEncoder();
      encoder.copyBufferToBuffer(staging, 0, target, start, end - start);
      if (end === totalBytes) behind?.(encoder);
      this.#gpu.device.queue.submit([encoder.finish()]);
      this.#mapAhead(staging);
    }
  }

  async #mapped(slot: number, bytes: number): Promise<GPUBuffer> {
    const staging = this.#staging.take(`${slot}`, bytes);
    await (this.#mapping.get(staging) ?? staging.mapAsync(GPUMapMode.WRITE));
    this.#mapping.delete(staging);
    return staging;
  }

  #mapAhead(staging: GPUBuffer): void {
    const mapping = staging.mapAsync(GPUMapMode.WRITE);
    // If the buffer is destroyed first, its map rejects without a caller.
    mapping.catch(() => undefined);
    this.#mapping.set(staging, mapping);
  }
}

function write(staging: GPUBuffer, bytes: number, fill: (mapped: ArrayBuffer) => void): void {
  try {
    fill(staging.getMappedRange(0, bytes));
  } finally {
    staging.unmap();
  }
}
