import {InvalidParameterError} from '@epsball/clustering';
import {foldDispatch, Kernel, ParamRing, type Bindable, type Gpu} from '@epsball/gpu';
import {bindWords} from './bindWords.ts';
import {atMostOf, writeCounted, type Count} from './count.ts';
import {encodeInto, type EncodeTarget} from './encodeTarget.ts';
import {gatherWgsl} from './gather.wgsl.ts';
import {HostCalls, type HostCall} from './hostCalls.ts';
import type {Element, ElementArrays} from './operators.ts';
import {checkStride} from './records.ts';

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

/** Copies records by an index list: output[i] = input[indices[i]]. */
export class Gather implements Disposable {
  readonly #mover: Mover;

  private constructor(mover: Mover) {
    this.#mover = mover;
  }

  /** Compiles the pipeline; it serves every count and record size. */
  static async create(gpu: Gpu): Promise<Gather> {
    return new Gather(await Mover.create(gpu, 'gather'));
  }

  /**
   * Records one dispatch.
   *
   * @throws InvalidParameterError, GpuLimitError  for an invalid count, stride, buffer size or offset
   */
  encode(target: EncodeTarget, {inputCount, ...buffers}: GatherBuffers): void {
    this.#mover.encode(target, buffers, 'input', inputCount);
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
    return this.#mover.run(async (call) => {
      if (into.length !== count * stride) {
        throw new InvalidParameterError('into.length', into.length, `indices.length · stride = ${count * stride}`);
      }
      const [input, list] = [await call.upload(values), await call.upload(indices)];
      const output = call.room(into.length);
      const inputCount = Math.floor(values.length / stride);
      call.submit((pass) => this.encode(pass, {input, inputCount, indices: list, output, count, stride}));
      return call.read(output, into);
    });
  }

  destroy(): void {
    this.#mover.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}

/** Copies the records of a list to the places in an index list: output[indices[i]] = input[i]. */
export class Scatter implements Disposable {
  readonly #mover: Mover;

  private constructor(mover: Mover) {
    this.#mover = mover;
  }

  /** Compiles the pipeline; it serves every count and record size. */
  static async create(gpu: Gpu): Promise<Scatter> {
    return new Scatter(await Mover.create(gpu, 'scatter'));
  }

  /**
   * Records one dispatch.
   *
   * @throws InvalidParameterError, GpuLimitError  for an invalid count, stride, buffer size or offset
   */
  encode(target: EncodeTarget, {outputCount, ...buffers}: ScatterBuffers): void {
    this.#mover.encode(target, buffers, 'output', outputCount);
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
    return this.#mover.run(async (call) => {
      if (values.length !== count * stride) {
        throw new InvalidParameterError('values.length', values.length, `indices.length · stride = ${count * stride}`);
      }
      const [input, list] = [await call.upload(values), await call.upload(indices)];
      const output = await call.upload(into);
      const outputCount = Math.floor(into.length / stride);
      call.submit((pass) => this.encode(pass, {input, indices: list, output, outputCount, count, stride}));
      return call.read(output, into);
    });
  }

  destroy(): void {
    this.#mover.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}

/** Buffers for either direction. */
interface MovedBuffers {
  readonly input: Bindable;
  readonly indices: Bindable;
  readonly output: Bindable;
  readonly count: Count;
  readonly stride?: number;
}

/** The common part of gather and scatter; they differ in the side that the indices refer to. */
class Mover {
  readonly #gpu: Gpu;
  readonly #label: string;
  readonly #kernel: Kernel<typeof gatherWgsl, 'gatherRecords' | 'scatterRecords'>;
  readonly #params: ParamRing;
  #host: HostCalls | undefined;

  private constructor(gpu: Gpu, label: string, kernel: Kernel<typeof gatherWgsl, 'gatherRecords' | 'scatterRecords'>) {
    this.#gpu = gpu;
    this.#label = label;
    this.#kernel = kernel;
    this.#params = new ParamRing(gpu, `${label}.params`);
  }

  static async create(gpu: Gpu, which: 'gather' | 'scatter'): Promise<Mover> {
    const kernel = await Kernel.create(gpu, gatherWgsl, `${which}Records`, {ITEMS});
    return new Mover(gpu, `gpu-primitives/${which}`, kernel);
  }

  /**
   * @param named  the side that the indices refer to
   * @param range  number of records on that side
   */
  encode(
    target: EncodeTarget,
    {input, indices, output, count, stride = 1}: MovedBuffers,
    named: 'input' | 'output',
    range: number,
  ): void {
    const atMost = atMostOf(count);
    checkStride(stride);
    if (!Number.isInteger(range) || range < 0 || range > 0xffff_ffff) {
      throw new InvalidParameterError(`${named}Count`, range, 'an integer, 0 … 2^32 − 1');
    }
    if (atMost === 0) return;
    const recordsOf = (side: 'input' | 'output'): number => (side === named ? range : atMost);
    const group = this.#kernel.bind({
      input: bindWords(this.#gpu, 'input', input, recordsOf('input') * stride),
      indices: bindWords(this.#gpu, 'indices', indices, atMost),
      output: bindWords(this.#gpu, 'output', output, recordsOf('output') * stride),
      ...writeCounted(this.#params, gatherWgsl.structs.GatherParams, count, {stride, range}),
    });
    const groups = Math.ceil((atMost * stride) / (WIDTH * ITEMS));
    encodeInto(target, this.#label, (pass) => this.#kernel.dispatch(pass, group, foldDispatch(groups)));
  }

  run<T>(work: (call: HostCall) => Promise<T>): Promise<T> {
    this.#host ??= new HostCalls(this.#gpu, this.#label);
    return this.#host.run(work);
  }

  destroy(): void {
    this.#host?.destroy();
    this.#params.destroy();
  }
}
