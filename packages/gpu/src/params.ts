import type {Gpu, GpuBuffer} from './gpu.ts';
import type {BufferSlice, StructLayout} from './kernel.ts';

/** Uniform bindings start at multiples of this on every device (`minUniformBufferOffsetAlignment` ≤ 256). */
const SLOT_BYTES = 256;

/** Values of a struct's fields: numbers for scalars, arrays for vectors and arrays. */
export type StructValues<L extends StructLayout> = {
  readonly [name in Extract<keyof L['fields'], string>]: number | readonly number[];
};

/**
 * Kernel parameters in a ring of uniform slots, so that `encode` neither allocates nor creates pipelines.
 *
 * A slot is written when it is taken and keeps its value until the ring comes round. So at most `slots` dispatches may
 * be recorded between two submits; beyond that the oldest would read the newest's parameters.
 */
export class ParamRing implements Disposable {
  readonly #device: GPUDevice;
  readonly #buffer: GpuBuffer;
  readonly #slots: number;
  readonly #bytes: DataView<ArrayBuffer> = new DataView(new ArrayBuffer(SLOT_BYTES));
  #next = 0;

  constructor(gpu: Gpu, label: string, slots = 256) {
    this.#device = gpu.device;
    this.#slots = slots;
    this.#buffer = gpu.createBuffer(label, slots * SLOT_BYTES, GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST);
  }

  /** Writes `values` into the next slot and returns it for binding. */
  write<L extends StructLayout>(layout: L, values: StructValues<L>): BufferSlice {
    const offset = this.#next * SLOT_BYTES;
    this.#next = (this.#next + 1) % this.#slots;
    const named: Readonly<Record<string, number | readonly number[]>> = values;
    for (const [name, field] of Object.entries(layout.fields)) {
      const value = named[name];
      const parts = typeof value === 'number' ? [value] : value;
      for (let k = 0; k < parts.length; k++) setWord(this.#bytes, field.offset + 4 * k, field.type, parts[k]);
    }
    this.#device.queue.writeBuffer(this.#buffer.buffer, offset, this.#bytes.buffer, 0, layout.size);
    return {buffer: this.#buffer.buffer, offset, size: layout.size};
  }

  destroy(): void {
    this.#buffer.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}

/** Component type of `f32`, `vec4f`, `array<vec4u, 2>` …: by its last letter outside brackets and counts. */
function setWord(view: DataView, offset: number, type: string, value: number): void {
  const scalar = /(?:vec\d|mat\dx\d)?([fiu])(?:32)?(?:,|>|$)/.exec(type)?.[1];
  if (scalar === 'f') view.setFloat32(offset, value, true);
  else if (scalar === 'i') view.setInt32(offset, value, true);
  else view.setUint32(offset, value, true);
}
