import {checkInteger, InvalidParameterError} from '@epsball/clustering';
import {foldDispatch, Kernel, type Bindable, type Gpu} from '@epsball/gpu';
import {writeCounted, atMostOf, checkRecord, type Count} from './count.ts';
import {gatherWgsl} from './gather.wgsl.ts';
import type {Element, ElementArrays} from './operators.ts';
import {Primitive, type EncodeTarget} from './primitive.ts';

/** Invocations per workgroup in gather.wgsl. */
const WIDTH = 256;
/** Words per invocation: independent reads hide the latency of distant addresses. */
const ITEMS = 4;

export interface GatherBuffers {
  /** `inputCount` records of `stride` words; not modified. */
  readonly input: Bindable;
  /** Records in `input`; an index ≥ `inputCount` is out of range. */
  readonly inputCount: number;
  /** `count` words, each the position of a record in `input`; not modified. */
  readonly indices: Bindable;
  /** Receives `count` records, zeros where the index is out of range; must not overlap the others. */
  readonly output: Bindable;
  readonly count: Count;
  /** Words per record, integer ≥ 1. Default: 1. */
  readonly stride?: number;
}

export interface ScatterBuffers {
  /** `count` records of `stride` words; not modified. */
  readonly input: Bindable;
  /** `count` words, each the destination of a record in `output`; not modified. */
  readonly indices: Bindable;
  /** Records without an index keep their words. If several records share an index, each word comes from one of them. */
  readonly output: Bindable;
  /** Records in `output`; a record with an index ≥ `outputCount` is ignored. */
  readonly outputCount: number;
  readonly count: Count;
  /** Words per record, integer ≥ 1. Default: 1. */
  readonly stride?: number;
}

/** The common part of gather and scatter; they differ in the side that the indices refer to. */
abstract class Mover extends Primitive<Kernel<typeof gatherWgsl, 'gatherRecords' | 'scatterRecords'>> {
  /** @param range  records on the side `named`, which the indices refer to */
  protected move(
    target: EncodeTarget,
    {input, indices, output, count, stride = 1}: Omit<GatherBuffers, 'inputCount'>,
    named: 'input' | 'output',
    range: number,
  ): void {
    const atMost = atMostOf(count);
    checkRecord(stride);
    checkInteger(`${named}Count`, range, 0, 0xffff_ffff, 'an integer, 0 … 2^32 − 1');
    if (atMost === 0) return;
    const recordsOf = (side: 'input' | 'output'): number => (side === named ? range : atMost);
    const buffers = {
      input: this.bind('input', input, recordsOf('input') * stride),
      indices: this.bind('indices', indices, atMost),
      output: this.bind('output', output, recordsOf('output') * stride),
      ...writeCounted(this.params, gatherWgsl.structs.GatherParams, count, {stride, range}),
    };
    this.record(target, this.parts.encode(buffers, foldDispatch(Math.ceil((atMost * stride) / (WIDTH * ITEMS)))));
  }
}

/** Copies records by an index list: output[i] = input[indices[i]]. */
export class Gather extends Mover {
  /** Compiles the pipeline; it serves every count and record size. */
  static async create(gpu: Gpu): Promise<Gather> {
    return new Gather(gpu, 'gather', await Kernel.create(gpu, gatherWgsl, 'gatherRecords', {ITEMS}));
  }

  /** Records one dispatch. Throws for an invalid count, stride, buffer size or offset. */
  encode(target: EncodeTarget, {inputCount, ...buffers}: GatherBuffers): void {
    this.move(target, buffers, 'input', inputCount);
  }

  /**
   * Gathers from a typed array: upload, copy, read-back.
   *
   * @param values   records of `stride` words; words after the last whole record are ignored
   * @param indices  record numbers
   * @param into     receives indices.length · stride words
   * @returns        `into`
   */
  async run<T extends ElementArrays[Element]>(values: T, indices: Uint32Array, into: T, stride = 1): Promise<T> {
    const count = indices.length;
    return this.call(async ({upload, room, submit, read}) => {
      checkLength('into', into, count * stride);
      const [input, list] = [await upload(values), await upload(indices)];
      const output = room(into.length);
      const inputCount = Math.floor(values.length / stride);
      submit((pass) => this.encode(pass, {input, inputCount, indices: list, output, count, stride}));
      return read(output, into);
    });
  }
}

/** Copies the records of a list to the places in an index list: output[indices[i]] = input[i]. */
export class Scatter extends Mover {
  /** Compiles the pipeline; it serves every count and record size. */
  static async create(gpu: Gpu): Promise<Scatter> {
    return new Scatter(gpu, 'scatter', await Kernel.create(gpu, gatherWgsl, 'scatterRecords', {ITEMS}));
  }

  /** Records one dispatch. Throws for an invalid count, stride, buffer size or offset. */
  encode(target: EncodeTarget, {outputCount, ...buffers}: ScatterBuffers): void {
    this.move(target, buffers, 'output', outputCount);
  }

  /**
   * Scatters a typed array: upload, copy, read-back.
   *
   * @param values   indices.length records of `stride` words
   * @param indices  record numbers in `into`
   * @param into     whole records; those without an index keep their words
   * @returns        `into`
   */
  async run<T extends ElementArrays[Element]>(values: T, indices: Uint32Array, into: T, stride = 1): Promise<T> {
    const count = indices.length;
    return this.call(async ({upload, submit, read}) => {
      checkLength('values', values, count * stride);
      const [input, list, output] = [await upload(values), await upload(indices), await upload(into)];
      const outputCount = Math.floor(into.length / stride);
      submit((pass) => this.encode(pass, {input, indices: list, output, outputCount, count, stride}));
      return read(output, into);
    });
  }
}

function checkLength(name: string, {length}: ElementArrays[Element], expected: number): void {
  if (length !== expected) {
    throw new InvalidParameterError(`${name}.length`, length, `indices.length · stride = ${expected}`);
  }
}
