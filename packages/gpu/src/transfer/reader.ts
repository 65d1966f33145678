import type {Gpu} from '../gpu.ts';
import {copyBytes, type HostArray} from './copyBytes.ts';
import {StagingRing} from './stagingRing.ts';

/** Four small staging buffers, used in turn: their copies to the target overlap with the device's. */
const CHUNK_BYTES = 4 * 1024 * 1024;
const RING = 4;

/** Device-to-host copies through staging buffers that are kept. One read at a time. */
export class Reader implements Disposable {
  readonly #gpu: Gpu;
  readonly #ring: StagingRing;

  constructor(gpu: Gpu, label: string) {
    this.#gpu = gpu;
    this.#ring = new StagingRing(gpu, `${label}/read`, RING, GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST);
  }

  /**
   * Copies bytes of `source` into `target` after all work submitted so far.
   *
   * @param target  of any byte length; the source is read up to the next multiple of 4
   */
  async read(source: GPUBuffer, target: HostArray, sourceOffset = 0): Promise<void> {
    const bytes = new Uint8Array(target.buffer, target.byteOffset, target.byteLength);
    const {device} = this.#gpu;
    const chunks = Math.ceil(bytes.length / CHUNK_BYTES);
    const capacity = Math.min(CHUNK_BYTES, Math.ceil(bytes.length / 4) * 4);
    const copyAndMap = async (k: number): Promise<void> => {
      const start = k * CHUNK_BYTES;
      const size = Math.ceil(Math.min(CHUNK_BYTES, bytes.length - start) / 4) * 4;
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
    for (let k = 0; k < Math.min(RING, chunks); k++) request(k);
    for (let k = 0; k < chunks; k++) {
      await pending[k];
      const start = k * CHUNK_BYTES;
      const part = bytes.subarray(start, Math.min(start + CHUNK_BYTES, bytes.length));
      const staging = this.#ring.slot(k, capacity);
      const mapped = staging.getMappedRange(0, Math.ceil(part.length / 4) * 4);
      copyBytes(part, new Uint8Array(mapped, 0, part.length));
      staging.unmap();
      if (k + RING < chunks) request(k + RING);
    }
  }

  destroy(): void {
    this.#ring.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}
