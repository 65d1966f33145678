import {FailedRuns} from '../failedRuns.ts';
import type {Gpu, GpuBuffer} from '../gpu.ts';

/** The first bytes of a buffer, or those from `offset` on; multiples of 4. */
export interface ReadBackPart {
  readonly source: GPUBuffer;
  readonly offset?: number;
  readonly bytes: number;
}

/** Parts that are being copied to the host. */
export interface ComingParts {
  /**
   * Waits for the parts.
   *
   * @param copy  receives mapped memory and the offset of each part in it; the memory is detached when `copy` returns
   */
  take<Result>(copy: (memory: ArrayBuffer, starts: readonly number[]) => Result): Promise<Result>;
  /**
   * Waits for the parts and leaves them in mapped memory, until `release()`, the next transfer or `destroy()`. Then the
   * memory is detached.
   */
  hold<Result>(look: (memory: ArrayBuffer, starts: readonly number[]) => Result): Promise<Result>;
  /** Ends a `hold`. Safe to call twice. */
  release(): void;
  /** Waits for the parts and discards them. */
  drop(): Promise<void>;
}

/**
 * Alignment of the parts, in bytes. If `copyBytes` uses no memcpy, V8 copies to shared memory by words of 8 bytes, but
 * by single bytes if source and target are aligned differently.
 */
const ALIGNMENT = 16;

/**
 * Copies parts of several buffers to the host in one transfer, through a staging buffer that is kept. One transfer at a
 * time.
 */
export class ReadBack implements Disposable {
  readonly #gpu: Gpu;
  readonly #label: string;
  #staging: GpuBuffer | undefined;
  readonly #failedRuns: FailedRuns;
  /** Tells the holder of the mapped memory that it is no longer its own. */
  #hold: (() => void) | undefined;

  /** @param label  `package/what` */
  constructor(gpu: Gpu, label: string) {
    this.#gpu = gpu;
    this.#failedRuns = new FailedRuns(gpu);
    this.#label = label;
  }

  /**
   * Records the copies. Record them after the commands that write the parts, and call the returned function after the
   * submit.
   */
  encode(encoder: GPUCommandEncoder, parts: readonly ReadBackPart[]): () => ComingParts {
    const starts: number[] = [];
    let end = 0;
    for (const {bytes} of parts) {
      const start = Math.ceil(end / ALIGNMENT) * ALIGNMENT;
      starts.push(start);
      end = start + bytes;
    }
    this.#endHold();
    const {buffer} = this.#roomFor(end);
    parts.forEach(({source, offset = 0, bytes}, k) => {
      encoder.copyBufferToBuffer(source, offset, buffer, starts[k], bytes);
    });
    return () => this.#ask(buffer, starts, end);
  }

  #ask(buffer: GPUBuffer, starts: readonly number[], end: number): ComingParts {
    const mapped = buffer.mapAsync(GPUMapMode.READ, 0, end);
    // A run that fails before `take` rejects by itself.
    mapped.catch(() => undefined);
    let isHeld = false;
    return {
      take: async (copy) => {
        await mapped;
        const result = copy(buffer.getMappedRange(0, end), starts);
        buffer.unmap();
        return result;
      },
      hold: async (look) => {
        await mapped;
        isHeld = true;
        this.#hold = () => (isHeld = false);
        return look(buffer.getMappedRange(0, end), starts);
      },
      release: () => {
        if (isHeld && buffer.mapState === 'mapped') buffer.unmap();
        isHeld = false;
      },
      drop: async () => {
        await mapped;
        buffer.unmap();
      },
    };
  }

  /** Takes the memory of the last hold back. */
  #endHold(): void {
    this.#hold?.();
    this.#hold = undefined;
    if (this.#staging?.buffer.mapState === 'mapped') this.#staging.buffer.unmap();
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
