import type {Gpu} from '../gpu.ts';
import type {Bindable} from '../kernelSource.ts';
import {Scratch} from '../scratch.ts';
import {copyBytes, type HostArray} from './copyBytes.ts';
import {Owner} from '../owner.ts';

/** The first bytes of a buffer, or those from `offset` on; multiples of 4. */
export interface ReadBackPart {
  readonly source: GPUBuffer;
  readonly offset?: number;
  readonly bytes: number;
}

/** Parts that are being copied to the host. */
export interface ComingParts {
  /** @param copy  receives mapped memory, detached when it returns, and the offset of each part */
  take<Result>(copy: (memory: ArrayBuffer, starts: readonly number[]) => Result): Promise<Result>;
  /**
   * Waits for the parts and leaves them in mapped memory, until `release()`, the next transfer or `destroy()`. Then the
   * memory is detached.
   */
  hold<Result>(look: (memory: ArrayBuffer, starts: readonly number[]) => Result): Promise<Result>;
  /** Ends a `hold`. Safe to call twice. */
  release(): void;
  drop(): Promise<void>;
}

/**
 * Alignment of the parts, in bytes. If `copyBytes` uses no memcpy, V8 copies to shared memory by words of 8 bytes, but
 * by single bytes if source and target are aligned differently.
 */
const ALIGNMENT = 16;

/** Copies buffers, or parts of several, to the host in one transfer at a time, through kept staging. */
export class ReadBack extends Owner {
  readonly #gpu: Gpu;
  readonly #staging: Scratch;
  /** Tells the holder of the mapped memory that it is no longer its own. */
  #endHold: (() => void) | undefined;

  constructor(gpu: Gpu, label: string) {
    super();
    this.#gpu = gpu;
    this.#staging = this.own(new Scratch(gpu, `${label}/read`, GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST));
  }

  /** Copies bytes of `source`, up to the next multiple of 4, after all work submitted so far. Returns `target`. */
  async read<Target extends HostArray>(source: Bindable, target: Target, offset = 0): Promise<Target> {
    const {byteLength} = target;
    if (byteLength === 0) return target;
    const encoder = this.#gpu.device.createCommandEncoder();
    const {buffer, offset: start = 0} = 'buffer' in source ? source : {buffer: source};
    const part = {source: buffer, offset: start + offset, bytes: 4 * Math.ceil(byteLength / 4)};
    const ask = this.encode(encoder, [part]);
    this.#gpu.device.queue.submit([encoder.finish()]);
    await ask().take((memory) => copyBytes(target, new Uint8Array(memory, 0, byteLength)));
    return target;
  }

  /** Records the copies, behind what writes the parts. Call the returned function after the submit. */
  encode(encoder: GPUCommandEncoder, parts: readonly ReadBackPart[]): () => ComingParts {
    const starts: number[] = [];
    let end = 0;
    for (const {bytes} of parts) {
      const start = Math.ceil(end / ALIGNMENT) * ALIGNMENT;
      starts.push(start);
      end = start + bytes;
    }
    this.#endHold?.();
    this.#endHold = undefined;
    const buffer = this.#roomFor(end);
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
    const release = (): void => {
      if (isHeld && buffer.mapState === 'mapped') buffer.unmap();
      isHeld = false;
    };
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
        this.#endHold = release;
        return look(buffer.getMappedRange(0, end), starts);
      },
      release,
      drop: async () => {
        await mapped;
        buffer.unmap();
      },
    };
  }

  #roomFor(bytes: number): GPUBuffer {
    const kept = this.#staging.take('staging', bytes);
    if (kept.mapState === 'unmapped') return kept;
    // An earlier transfer was not waited for.
    this.#staging.clear();
    return this.#staging.take('staging', bytes);
  }
}
