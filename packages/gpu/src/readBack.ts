import {FailedRuns} from './failedRuns.ts';
import type {Gpu, GpuBuffer} from './gpu.ts';

/** The first bytes of a buffer, or those from an offset on; multiples of 4. */
export interface ReadBackPart {
  readonly source: GPUBuffer;
  readonly offset?: number;
  readonly bytes: number;
}

/** Parts on their way to the host. */
export interface ComingParts {
  /**
   * Waits for them.
   *
   * @param copy  gets mapped memory, and where each part begins in it; the memory is gone when it returns
   */
  take<Result>(copy: (memory: ArrayBuffer, starts: readonly number[]) => Result): Promise<Result>;
  /** Waits for them, and lets them go. */
  drop(): Promise<void>;
}

/** Bytes. Where `copyBytes` has no memcpy, V8 copies to shared memory by words of 8 bytes, but by single bytes where source and target are aligned differently. */
const ALIGNMENT = 16;

/** Brings parts of several buffers to the host in one go, through a staging buffer that is kept. One go at a time. */
export class ReadBack implements Disposable {
  readonly #gpu: Gpu;
  readonly #label: string;
  #staging: GpuBuffer | undefined;
  readonly #failedRuns: FailedRuns;

  /** @param label  `package/what` */
  constructor(gpu: Gpu, label: string) {
    this.#gpu = gpu;
    this.#failedRuns = new FailedRuns(gpu);
    this.#label = label;
  }

  /** Records the copies, behind what makes the parts; call the returned function when that is submitted. */
  encode(encoder: GPUCommandEncoder, parts: readonly ReadBackPart[]): () => ComingParts {
    const starts: number[] = [];
    let end = 0;
    for (const {bytes} of parts) {
      const start = Math.ceil(end / ALIGNMENT) * ALIGNMENT;
      starts.push(start);
      end = start + bytes;
    }
    const {buffer} = this.#roomFor(end);
    parts.forEach(({source, offset = 0, bytes}, k) => {
      encoder.copyBufferToBuffer(source, offset, buffer, starts[k], bytes);
    });
    return () => {
      const mapped = buffer.mapAsync(GPUMapMode.READ, 0, end);
      // A run that fails before anybody waits says why by itself.
      mapped.catch(() => undefined);
      return {
        take: async (copy) => {
          await mapped;
          const result = copy(buffer.getMappedRange(0, end), starts);
          buffer.unmap();
          return result;
        },
        drop: async () => {
          await mapped;
          buffer.unmap();
        },
      };
    };
  }

  #roomFor(bytes: number): GpuBuffer {
    const isFresh = !this.#failedRuns.hasNew();
    if (this.#staging && isFresh && this.#staging.size >= bytes && this.#staging.buffer.mapState === 'unmapped') {
      return this.#staging;
    }
    this.#staging?.destroy();
    const usage = GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST;
    return (this.#staging = this.#gpu.createBuffer(this.#label, bytes, usage));
  }

  destroy(): void {
    this.#staging?.destroy();
    this.#staging = undefined;
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}
