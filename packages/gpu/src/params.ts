import type {Gpu, GpuBuffer} from './gpu.ts';
import type {BufferSlice, StructLayout} from './kernel.ts';

/** Uniform bindings start at multiples of this on every device (`minUniformBufferOffsetAlignment` ≤ 256). */
const SLOT_BYTES = 256;

/** Values of a struct's fields: numbers for scalars, arrays of components for vectors and arrays. */
export type StructValues<L extends StructLayout> = {
  readonly [name in FieldName<L>]: number | readonly number[];
};

type FieldName<L extends StructLayout> = Extract<keyof L['fields'], string>;

/**
 * Lays out `values` as WGSL reads them. A struct's layout comes from the generated `.wgsl.ts`, so no offset is written
 * by hand. Arrays are packed without gaps: elements of 4, 8 or 16 bytes, in uniform buffers of 16.
 *
 * @param values  one or more components a field; missing ones stay 0. A float64 is two u32: `float64Words`
 * @param into    receives them, at least `layout.size` bytes; a new buffer unless given
 * @returns       the bytes of `into`
 */
export function packStruct<L extends StructLayout>(
  layout: L,
  values: StructValues<L>,
  into: DataView<ArrayBuffer> = new DataView(new ArrayBuffer(layout.size)),
): ArrayBuffer {
  const named: Readonly<Record<string, number | readonly number[]>> = values;
  for (const [name, field] of Object.entries(layout.fields)) {
    const value = named[name];
    const parts = typeof value === 'number' ? [value] : value;
    for (let k = 0; k < parts.length; k++) setWord(into, field.offset + 4 * k, field.type, parts[k]);
  }
  return into.buffer;
}

/** Where the first word of field `name` stands in an array of the struct's words. */
export function wordOf<L extends StructLayout>(layout: L, name: FieldName<L>): number {
  const fields: StructLayout['fields'] = layout.fields;
  return fields[name].offset / 4;
}

/** A float64 as kernels take it: the low word, then the high one. */
export function float64Words(value: number): readonly [low: number, high: number] {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value, true);
  return [view.getUint32(0, true), view.getUint32(4, true)];
}

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
    this.#buffer = gpu.createBuffer(
      label,
      slots * SLOT_BYTES,
      GPUBufferUsage.UNIFORM | GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST,
    );
  }

  /** Writes `values` into the next slot and returns it for binding. */
  write<L extends StructLayout>(layout: L, values: StructValues<L>): BufferSlice {
    const offset = this.#next * SLOT_BYTES;
    this.#next = (this.#next + 1) % this.#slots;
    const bytes = packStruct(layout, values, this.#bytes);
    this.#device.queue.writeBuffer(this.#buffer.buffer, offset, bytes, 0, layout.size);
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
