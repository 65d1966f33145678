import {copyBytes, type HostArray} from './copyBytes.ts';
import {FailedRuns} from './failedRuns.ts';
import type {Gpu, GpuBuffer} from './gpu.ts';

/** Size of a transfer's chunks, and staging buffers that are used in turn. */
interface RingShape {
  readonly chunkBytes: number;
  readonly length: number;
}

/**
 * On an H200 two large buffers send 80 MB in 7.4 ms and four of 4 MiB in 11.5; `writeBuffer` takes 27. The other way
 * small chunks overlap with the copy to the target.
 */
const UPLOAD: RingShape = {chunkBytes: 16 * 1024 * 1024, length: 2};
const READ: RingShape = {chunkBytes: 4 * 1024 * 1024, length: 4};

/** Writes bytes [start, end) of a transfer to `target`, which is mapped memory. Allows conversion during the copy. */
export type FillChunk = (target: ArrayBuffer, start: number, end: number) => void;

/** Host-to-device copies through mapped staging buffers that are kept. One upload at a time. */
export class Uploader implements Disposable {
  readonly #gpu: Gpu;
  readonly #ring: StagingRing;

  constructor(gpu: Gpu, label: string) {
    this.#gpu = gpu;
    this.#ring = new StagingRing(
      gpu,
      `${label}/upload`,
      UPLOAD.length,
      GPUBufferUsage.MAP_WRITE | GPUBufferUsage.COPY_SRC,
    );
  }

  /**
   * Copies `source` to the start of `target`. Its byte length must be a multiple of 4. Submits, together with the
   * commands of `behind`.
   */
  async upload(source: HostArray, target: GPUBuffer, behind?: (encoder: GPUCommandEncoder) => void): Promise<void> {
    const bytes = new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
    const fillChunk: FillChunk = (mapped, start, end) =>
      copyBytes(new Uint8Array(mapped, 0, end - start), bytes.subarray(start, end));
    await this.fill(source.byteLength, target, fillChunk, behind);
  }

  /**
   * Uploads `totalBytes` (a multiple of 4) that `fillChunk` writes chunk by chunk. Submits, together with the commands
   * of `behind`.
   */
  async fill(
    totalBytes: number,
    target: GPUBuffer,
    fillChunk: FillChunk,
    behind?: (encoder: GPUCommandEncoder) => void,
  ): Promise<void> {
    const {device} = this.#gpu;
    for (let start = 0, k = 0; start < totalBytes; start += UPLOAD.chunkBytes, k++) {
      const end = Math.min(start + UPLOAD.chunkBytes, totalBytes);
      const staging = await this.#ring.mapped(k, Math.min(totalBytes, UPLOAD.chunkBytes), GPUMapMode.WRITE);
      try {
        fillChunk(staging.getMappedRange(0, end - start), start, end);
      } finally {
        staging.unmap();
      }
      const encoder = device.createCommandEncoder();
      encoder.copyBufferToBuffer(staging, 0, target, start, end - start);
      if (end === totalBytes) behind?.(encoder);
      device.queue.submit([encoder.finish()]);
      this.#ring.mapAhead(k, GPUMapMode.WRITE);
    }
  }

  destroy(): void {
    this.#ring.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}

/** Device-to-host copies through staging buffers that are kept. One read at a time. */
export class Reader implements Disposable {
  readonly #gpu: Gpu;
  readonly #ring: StagingRing;

  constructor(gpu: Gpu, label: string) {
    this.#gpu = gpu;
    this.#ring = new StagingRing(gpu, `${label}/read`, READ.length, GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST);
  }

  /**
   * Copies bytes of `source` into `target` after all work submitted so far.
   *
   * @param target  of any byte length; the source is read up to the next multiple of 4
   */
  async read(source: GPUBuffer, target: HostArray, sourceOffset = 0): Promise<void> {
    const bytes = new Uint8Array(target.buffer, target.byteOffset, target.byteLength);
    const {device} = this.#gpu;
    const chunks = Math.ceil(bytes.length / READ.chunkBytes);
    const capacity = Math.min(READ.chunkBytes, Math.ceil(bytes.length / 4) * 4);
    const copyAndMap = async (k: number): Promise<void> => {
      const start = k * READ.chunkBytes;
      const size = Math.ceil(Math.min(READ.chunkBytes, bytes.length - start) / 4) * 4;
      const staging = this.#ring.slot(k, capacity);
      const encoder = device.createCommandEncoder();
      encoder.copyBufferToBuffer(source, sourceOffset + start, staging, 0, size);
      device.queue.submit([encoder.finish()]);
      await staging.mapAsync(GPUMapMode.READ, 0, size);
    };
    const pending: Promise<void>[] = [];
    const request = (k: number): void => {
      const mapped = copyAndMap(k);
      // A lost device fails all of them at once. The loop reports the first failure; the others must not be unhandled.
      mapped.catch(() => undefined);
      pending.push(mapped);
    };
    for (let k = 0; k < Math.min(READ.length, chunks); k++) request(k);
    for (let k = 0; k < chunks; k++) {
      await pending[k];
      const start = k * READ.chunkBytes;
      const part = bytes.subarray(start, Math.min(start + READ.chunkBytes, bytes.length));
      const staging = this.#ring.slot(k, capacity);
      const mapped = staging.getMappedRange(0, Math.ceil(part.length / 4) * 4);
      copyBytes(part, new Uint8Array(mapped, 0, part.length));
      staging.unmap();
      if (k + READ.length < chunks) request(k + READ.length);
    }
  }

  destroy(): void {
    this.#ring.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}

/** A ring of mappable buffers that grow and are used in turn. */
class StagingRing {
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
