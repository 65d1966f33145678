import type {Gpu, GpuBuffer} from './gpu.ts';
import {Reader} from './staging.ts';

/** Passes that one run can time. */
const MAX_SPANS = 256;

/**
 * Device milliseconds by name, from timestamps at the ends of compute passes. Without the feature it times nothing
 * and `read` returns undefined.
 */
export class DeviceTimer<Name extends string = string> implements Disposable {
  readonly #querySet: GPUQuerySet | undefined;
  readonly #resolved: GpuBuffer | undefined;
  readonly #reader: Reader | undefined;
  readonly #device: GPUDevice;
  #names: Name[] = [];

  constructor(gpu: Gpu, label: string) {
    this.#device = gpu.device;
    if (!gpu.hasTimestamps) return;
    this.#querySet = gpu.device.createQuerySet({label, type: 'timestamp', count: 2 * MAX_SPANS});
    this.#resolved = gpu.createBuffer(
      `${label}/timestamps`,
      16 * MAX_SPANS,
      GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC,
    );
    this.#reader = new Reader(gpu, `${label}/timestamps`);
  }

  /** Forgets all spans. */
  reset(): void {
    this.#names = [];
  }

  /** Begins a compute pass timed as `name`; spans of one name add up. Past 256 passes the rest is untimed. */
  beginPass(encoder: GPUCommandEncoder, name: Name): GPUComputePassEncoder {
    const k = this.#names.length;
    if (!this.#querySet || k >= MAX_SPANS) return encoder.beginComputePass({label: name});
    this.#names.push(name);
    const timestampWrites = {
      querySet: this.#querySet,
      beginningOfPassWriteIndex: 2 * k,
      endOfPassWriteIndex: 2 * k + 1,
    };
    return encoder.beginComputePass({label: name, timestampWrites});
  }

  /** Milliseconds by name since `reset`, after all submitted work. */
  async read(): Promise<Partial<Record<Name, number>> | undefined> {
    if (!this.#querySet || !this.#resolved || !this.#reader || this.#names.length === 0) return undefined;
    const encoder = this.#device.createCommandEncoder();
    encoder.resolveQuerySet(this.#querySet, 0, 2 * this.#names.length, this.#resolved.buffer, 0);
    this.#device.queue.submit([encoder.finish()]);
    const raw = new Uint32Array(4 * this.#names.length);
    await this.#reader.read(this.#resolved.buffer, raw);
    const stamps = new BigUint64Array(raw.buffer);
    const ms: Partial<Record<Name, number>> = {};
    this.#names.forEach((name, k) => {
      const span = Number(BigInt.asIntN(64, stamps[2 * k + 1] - stamps[2 * k])) / 1e6;
      ms[name] = (ms[name] ?? 0) + Math.max(0, span);
    });
    return ms;
  }

  destroy(): void {
    this.#querySet?.destroy();
    this.#resolved?.destroy();
    this.#reader?.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}
