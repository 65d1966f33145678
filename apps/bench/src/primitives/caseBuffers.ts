import type {Gpu, GpuBuffer} from '@epsball/gpu';
import type {DeviceCase} from './operation.ts';
import type {Words} from './words.ts';

/** Device buffers of a case, by name. */
export class CaseBuffers {
  readonly #case: DeviceCase;
  readonly #held = new Map<string, GpuBuffer>();
  #elsewhere: Readonly<Partial<Record<string, GPUBuffer>>> = {};

  constructor(gpu: Gpu, prepared: DeviceCase) {
    this.#case = prepared;
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
    const sizes: Record<string, number> = {};
    const add = (arrays: Readonly<Record<string, Words>>): void => {
      for (const [name, {byteLength}] of Object.entries(arrays)) sizes[name] = byteLength;
    };
    add(prepared.input);
    add(prepared.output);
    for (const [name, words] of Object.entries(prepared.scratchWords)) sizes[name] = 4 * words;
    for (const name of prepared.overwrites) sizes[pristineName(name)] = prepared.input[name].byteLength;
    try {
      for (const [name, bytes] of Object.entries(sizes)) {
        this.#held.set(name, gpu.createBuffer(`bench/primitives.${name}`, bytes, usage));
      }
    } catch (error) {
      this.destroy();
      throw error;
    }
  }

  /** The buffer that receives an input. Inputs that encodes overwrite have a separate copy. */
  pristine(name: string): GPUBuffer {
    return this.#get(this.#case.overwrites.includes(name) ? pristineName(name) : name);
  }

  /** Restores the inputs that an encode overwrote. */
  restore(encoder: GPUCommandEncoder): void {
    for (const name of this.#case.overwrites) {
      encoder.copyBufferToBuffer(
        this.#get(pristineName(name)),
        0,
        this.#get(name),
        0,
        this.#case.input[name].byteLength,
      );
    }
  }

  encode(pass: GPUComputePassEncoder): void {
    this.#elsewhere = this.#case.encode(pass, (name) => this.#get(name));
  }

  /** Of the last encode. */
  outputOf(name: string): GPUBuffer {
    return this.#elsewhere[name] ?? this.#get(name);
  }

  #get(name: string): GPUBuffer {
    const held = this.#held.get(name);
    if (held === undefined) throw new Error(`buffer = "${name}"; expected one of ${[...this.#held.keys()].join(', ')}`);
    return held.buffer;
  }

  destroy(): void {
    for (const buffer of this.#held.values()) buffer.destroy();
    this.#held.clear();
  }
}

function pristineName(name: string): string {
  return `${name}.pristine`;
}
