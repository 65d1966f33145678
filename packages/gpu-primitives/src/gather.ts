import {InvalidParameterError} from '@epsball/clustering';
import {foldDispatch, Kernel, ParamRing, type Bindable, type Gpu} from '@epsball/gpu';
import {bindWords} from './bindWords.ts';
import {atMostOf, writeCounted, type Count} from './count.ts';
import {encodeInto, type EncodeTarget} from './encodeTarget.ts';
import {gatherWgsl} from './gather.wgsl.ts';
import {HostCalls} from './hostCalls.ts';
import type {Element, ElementArrays} from './operators.ts';
import {checkStride} from './records.ts';

/** Words of a workgroup in gather.wgsl: 256 invocations, 4 words each. */
const TILE = 1024;

export interface GatherBuffers {
  /** `inputCount` records of `stride` words; not modified. */
  readonly input: Bindable;
  /** Records in `input`: an index from here on is out of range. */
  readonly inputCount: number;
  /** `count` words, each the position of a record in `input`; not modified. */
  readonly indices: Bindable;
  /** Receives `count` records, of zeros where the index is out of range; must not overlap the others. */
  readonly output: Bindable;
  readonly count: Count;
  /** Words of a record, integer ≥ 1; 1 unless given. */
  readonly stride?: number;
}

export interface ScatterBuffers {
  /** `count` records of `stride` words; not modified. */
  readonly input: Bindable;
  /** `count` words, each the position in `output` where a record goes; not modified. */
  readonly indices: Bindable;
  /** Records that no index names keep their words; of those that many name, each word comes from one of them. */
  readonly output: Bindable;
  /** Records in `output`: what an index sends to a place from here on is left out. */
  readonly outputCount: number;
  readonly count: Count;
  /** Words of a record, integer ≥ 1; 1 unless given. */
  readonly stride?: number;
}

/** Copies chosen records into a list: output[i] = input[indices[i]]. */
export class Gather implements Disposable {
  readonly #gpu: Gpu;
  readonly #kernel: Kernel<typeof gatherWgsl, 'gatherRecords'>;
  readonly #params: ParamRing;
  #host: HostCalls | undefined;

  private constructor(gpu: Gpu, kernel: Kernel<typeof gatherWgsl, 'gatherRecords'>) {
    this.#gpu = gpu;
    this.#kernel = kernel;
    this.#params = new ParamRing(gpu, 'gpu-primitives/gather.params');
  }

  /** Compiles the pipeline; it serves every count and record. */
  static async create(gpu: Gpu): Promise<Gather> {
    return new Gather(gpu, await Kernel.create(gpu, gatherWgsl, 'gatherRecords'));
  }

  /**
   * Records one dispatch.
   *
   * @throws InvalidParameterError, GpuLimitError  for a bad count, stride, buffer size or offset
   */
  encode(target: EncodeTarget, {input, inputCount, indices, output, count, stride = 1}: GatherBuffers): void {
    const atMost = checkRecords(count, stride, 'inputCount', inputCount);
    if (atMost === 0) return;
    const layout = gatherWgsl.structs.GatherParams;
    const group = this.#kernel.bind({
      input: bindWords(this.#gpu, 'input', input, inputCount * stride),
      indices: bindWords(this.#gpu, 'indices', indices, atMost),
      output: bindWords(this.#gpu, 'output', output, atMost * stride),
      ...writeCounted(this.#params, layout, count, {stride, range: inputCount}),
    });
    encodeInto(target, 'gpu-primitives/gather', (pass) =>
      this.#kernel.dispatch(pass, group, foldDispatch(Math.ceil((atMost * stride) / TILE))),
    );
  }

  /**
   * Gathers from a typed array: upload, copy, read-back.
   *
   * @param values   records of `stride` words; words past the last whole record are not looked at
   * @param indices  of records
   * @param into     receives indices.length · stride words
   * @returns        `into`
   */
  async run<T extends ElementArrays[Element]>(values: T, indices: Uint32Array, into: T, stride = 1): Promise<T> {
    this.#host ??= new HostCalls(this.#gpu, 'gpu-primitives/gather');
    return this.#host.run(async (call) => {
      const count = indices.length;
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
    this.#host?.destroy();
    this.#params.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}

/** Copies the records of a list to chosen places: output[indices[i]] = input[i]. */
export class Scatter implements Disposable {
  readonly #gpu: Gpu;
  readonly #kernel: Kernel<typeof gatherWgsl, 'scatterRecords'>;
  readonly #params: ParamRing;
  #host: HostCalls | undefined;

  private constructor(gpu: Gpu, kernel: Kernel<typeof gatherWgsl, 'scatterRecords'>) {
    this.#gpu = gpu;
    this.#kernel = kernel;
    this.#params = new ParamRing(gpu, 'gpu-primitives/scatter.params');
  }

  /** Compiles the pipeline; it serves every count and record. */
  static async create(gpu: Gpu): Promise<Scatter> {
    return new Scatter(gpu, await Kernel.create(gpu, gatherWgsl, 'scatterRecords'));
  }

  /**
   * Records one dispatch.
   *
   * @throws InvalidParameterError, GpuLimitError  for a bad count, stride, buffer size or offset
   */
  encode(target: EncodeTarget, {input, indices, output, outputCount, count, stride = 1}: ScatterBuffers): void {
    const atMost = checkRecords(count, stride, 'outputCount', outputCount);
    if (atMost === 0) return;
    const layout = gatherWgsl.structs.GatherParams;
    const group = this.#kernel.bind({
      input: bindWords(this.#gpu, 'input', input, atMost * stride),
      indices: bindWords(this.#gpu, 'indices', indices, atMost),
      output: bindWords(this.#gpu, 'output', output, outputCount * stride),
      ...writeCounted(this.#params, layout, count, {stride, range: outputCount}),
    });
    encodeInto(target, 'gpu-primitives/scatter', (pass) =>
      this.#kernel.dispatch(pass, group, foldDispatch(Math.ceil((atMost * stride) / TILE))),
    );
  }

  /**
   * Scatters a typed array: upload, copy, read-back.
   *
   * @param values   indices.length records of `stride` words
   * @param indices  places of records in `into`
   * @param into     whole records; those that no index names keep their words
   * @returns        `into`
   */
  async run<T extends ElementArrays[Element]>(values: T, indices: Uint32Array, into: T, stride = 1): Promise<T> {
    this.#host ??= new HostCalls(this.#gpu, 'gpu-primitives/scatter');
    return this.#host.run(async (call) => {
      const count = indices.length;
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
    this.#host?.destroy();
    this.#params.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}

/** @returns  records at most */
function checkRecords(count: Count, stride: number, what: string, range: number): number {
  const atMost = atMostOf(count);
  checkStride(stride);
  if (!Number.isInteger(range) || range < 0 || range > 0xffff_ffff) {
    throw new InvalidParameterError(what, range, 'an integer, 0 … 2^32 − 1');
  }
  return atMost;
}
