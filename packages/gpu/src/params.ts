import type {Gpu, GpuBuffer} from './gpu.ts';
import type {BufferSlice, StructLayout} from './kernelSource.ts';
import {Owner} from './owner.ts';

/** Uniform bindings start at multiples of this on every device (`minUniformBufferOffsetAlignment` ≤ 256). */
const SLOT_BYTES = 256;
const SLOT_WORDS: number = SLOT_BYTES / 4;
/** Number of blocks that are kept. Older blocks belong to work that was submitted long ago. */
const MAX_BLOCKS = 32;

interface Block {
  readonly kept: GpuBuffer;
  readonly words: Uint32Array;
  used: number;
  last: number;
}

/** Values of a struct's fields: numbers for scalars, arrays of components for vectors and arrays. */
export type StructValues<L extends StructLayout> = {
  readonly [name in FieldName<L>]: number | readonly number[];
};

type FieldName<L extends StructLayout> = Extract<keyof L['fields'], string>;

/**
 * Packs `values` in the layout of WGSL. The layout comes from the generated `.wgsl.ts`, so no offset is written by
 * hand. Arrays are packed without gaps: elements of 4, 8 or 16 bytes, in uniform buffers of 16.
 *
 * @param values  one or more components per field; missing components stay 0. A float64 is two u32: `float64Words`
 * @param into    receives the bytes, at least `layout.size`. Default: a new buffer
 * @returns       the bytes of `into`
 */
export function packStruct<L extends StructLayout>(
  layout: L,
  values: StructValues<L>,
  into: DataView<ArrayBuffer> = new DataView(new ArrayBuffer(layout.size)),
): ArrayBuffer {
  const named: Readonly<Record<string, number | readonly number[]>> = values;
  for (const {name, offset, scalar} of fieldsOf(layout)) {
    const value = named[name];
    if (typeof value === 'number') setWord(into, offset, scalar, value);
    else for (let k = 0; k < value.length; k++) setWord(into, offset + 4 * k, scalar, value[k]);
  }
  return into.buffer;
}

/** Returns the index of the first word of field `name` in an array of the struct's words. */
export function wordOf<L extends StructLayout>(layout: L, name: FieldName<L>): number {
  const fields: StructLayout['fields'] = layout.fields;
  return fields[name].offset / 4;
}

/** A float64 as two words, in the order that kernels read: low, high. */
export function float64Words(value: number): readonly [low: number, high: number] {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value, true);
  return [view.getUint32(0, true), view.getUint32(4, true)];
}

/**
 * Kernel parameters in uniform slots, so that recording rarely creates a buffer.
 *
 * A slot is written once. Equal parameters share a slot; other parameters take the next one. A full block of slots is
 * followed by a new block, and the last `MAX_BLOCKS` blocks are kept. So recorded work with up to 31 · `slots`
 * different parameters reads its own parameters, whenever it is submitted. With more, the submit fails with an error
 * that names the destroyed buffer.
 */
export class ParamRing extends Owner {
  readonly #gpu: Gpu;
  readonly #label: string;
  readonly #slots: number;
  readonly #bytes: DataView<ArrayBuffer> = new DataView(new ArrayBuffer(SLOT_BYTES));
  readonly #words: Uint32Array = new Uint32Array(this.#bytes.buffer);
  /** Oldest first. Slots are taken from the last block. */
  #blocks: Block[] = [];
  #failedRuns: number;
  #isDestroyed = false;

  /** @param slots  slots per block, 256 bytes each */
  constructor(gpu: Gpu, label: string, slots = 32) {
    super();
    this.#gpu = gpu;
    this.#label = label;
    this.#slots = slots;
    this.#failedRuns = gpu.failedRuns;
    this.#addBlock();
  }

  /** Returns the slot that holds `values`, for `Kernel.bind`; writes the next one if there is none. */
  write<L extends StructLayout>(layout: L, values: StructValues<L>): BufferSlice {
    if (this.#isDestroyed) throw new Error(`${this.#label} written after destroy()`);
    if (this.#failedRuns !== this.#gpu.failedRuns) this.#clear();
    const {size} = layout;
    this.#words.fill(0);
    packStruct(layout, values, this.#bytes);
    const block = this.#blocks.at(-1);
    const held = block ? findSlot(block, this.#words) : -1;
    if (block && held >= 0) return {buffer: block.kept.buffer, offset: held * SLOT_BYTES, size};
    const into = block && block.used < this.#slots ? block : this.#addBlock();
    const slot = (into.last = into.used++);
    const offset = slot * SLOT_BYTES;
    into.words.set(this.#words, slot * SLOT_WORDS);
    this.#gpu.device.queue.writeBuffer(into.kept.buffer, offset, this.#bytes.buffer, 0, size);
    return {buffer: into.kept.buffer, offset, size};
  }

  #addBlock(): Block {
    const usage = GPUBufferUsage.UNIFORM | GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST;
    if (this.#blocks.length === MAX_BLOCKS) this.#blocks.shift()?.kept.destroy();
    const kept = this.#gpu.createBuffer(this.#label, this.#slots * SLOT_BYTES, usage);
    const block = {kept, words: new Uint32Array(this.#slots * SLOT_WORDS), used: 0, last: 0};
    this.#blocks.push(block);
    return block;
  }

  #clear(): void {
    for (const {kept} of this.#blocks) kept.destroy();
    this.#blocks = [];
    this.#failedRuns = this.#gpu.failedRuns;
  }

  override destroy(): void {
    this.#isDestroyed = true;
    this.#clear();
  }
}

/** The slot that holds these words, or −1. Runs write the same parameters in the same order. */
function findSlot(block: Block, words: Uint32Array): number {
  for (let k = 1; k <= block.used; k++) {
    const slot = (block.last + k) % block.used;
    if (!holds(block.words, slot * SLOT_WORDS, words)) continue;
    block.last = slot;
    return slot;
  }
  return -1;
}

function holds(block: Uint32Array, from: number, words: Uint32Array): boolean {
  for (let k = 0; k < SLOT_WORDS; k++) if (block[from + k] !== words[k]) return false;
  return true;
}

type Scalar = 'f' | 'i' | 'u';

interface Field {
  readonly name: string;
  readonly offset: number;
  readonly scalar: Scalar;
}

/** Cache of fields by layout, because parameters are written for every dispatch. */
const knownFields = new WeakMap<StructLayout, readonly Field[]>();

function fieldsOf(layout: StructLayout): readonly Field[] {
  let fields = knownFields.get(layout);
  if (fields === undefined) {
    fields = Object.entries(layout.fields).map(([name, {offset, type}]) => ({name, offset, scalar: scalarOf(type)}));
    knownFields.set(layout, fields);
  }
  return fields;
}

/** Component type of `f32`, `vec4f`, `array<vec4u, 2>` …: the last letter outside brackets and counts. */
function scalarOf(type: string): Scalar {
  const scalar = /(?:vec\d|mat\dx\d)?([fiu])(?:32)?(?:,|>|$)/.exec(type)?.[1];
  return scalar === 'f' || scalar === 'i' ? scalar : 'u';
}

function setWord(view: DataView, offset: number, scalar: Scalar, value: number): void {
  if (scalar === 'f') view.setFloat32(offset, value, true);
  else if (scalar === 'i') view.setInt32(offset, value, true);
  else view.setUint32(offset, value, true);
}
