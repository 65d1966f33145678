import type {Gpu, GpuBuffer} from './gpu.ts';
import {ReadBack} from './transfer/readBack.ts';
import {Owner} from './owner.ts';

/** Maximum number of passes between two collections. */
const MAX_SPANS = 256;

/** Device milliseconds by name, from timestamps of passes. Without timestamps `read` returns undefined. */
export class DeviceTimer<Name extends string = string> extends Owner {
  readonly #querySet: GPUQuerySet | undefined;
  readonly #resolved: GpuBuffer | undefined;
  readonly #readBack: ReadBack | undefined;
  readonly #device: GPUDevice;
  #names: Name[] = [];
  #ms: Partial<Record<Name, number>> = {};

  constructor(gpu: Gpu, label: string) {
    super();
    this.#device = gpu.device;
    if (!gpu.hasTimestamps) return;
    this.#querySet = this.own(gpu.device.createQuerySet({label, type: 'timestamp', count: 2 * MAX_SPANS}));
    const usage = GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC;
    this.#resolved = this.own(gpu.createBuffer(`${label}/timestamps`, 16 * MAX_SPANS, usage));
    this.#readBack = this.own(new ReadBack(gpu, `${label}/timestamps`));
  }

  reset(): void {
    this.#names = [];
    this.#ms = {};
  }

  /** Begins a compute pass timed as `name`. Spans of one name add up. Long loops must call `makeRoom` first. */
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

  /** Waits for the device and collects the spans if there is no room for `spans` more. */
  async makeRoom(spans = 1): Promise<void> {
    if (this.#names.length + spans > MAX_SPANS) await this.#collect();
  }

  /** Returns milliseconds by name since `reset`, after all submitted work. */
  async read(): Promise<Partial<Record<Name, number>> | undefined> {
    if (!this.#querySet) return undefined;
    await this.#collect();
    return {...this.#ms};
  }

  async #collect(): Promise<void> {
    const names = this.#names;
    if (!this.#querySet || !this.#resolved || !this.#readBack || names.length === 0) return;
    const encoder = this.#device.createCommandEncoder();
    encoder.resolveQuerySet(this.#querySet, 0, 2 * names.length, this.#resolved.buffer, 0);
    this.#device.queue.submit([encoder.finish()]);
    const stamps = new BigInt64Array(2 * names.length);
    await this.#readBack.read(this.#resolved.buffer, stamps);
    names.forEach((name, k) => {
      const span = Number(stamps[2 * k + 1] - stamps[2 * k]) / 1e6;
      this.#ms[name] = (this.#ms[name] ?? 0) + Math.max(0, span);
    });
    this.#names = [];
  }
}
