import {GpuLimitError, InvalidParameterError} from '@epsball/clustering';
import {
  ParamRing,
  ReadBack,
  Scratch,
  Uploader,
  type Bindable,
  type BufferSlice,
  type Encode,
  type Gpu,
  type HostArray,
  Owner,
} from '@epsball/gpu';

/** Where to record an operation: in a compute pass, or in an encoder, where the operation opens its own pass. */
export type EncodeTarget = GPUComputePassEncoder | GPUCommandEncoder;

export interface HostCall {
  /** Returns a device buffer that holds `values`, which may be empty. */
  readonly upload: (values: HostArray) => Promise<GPUBuffer>;
  /** Returns a device buffer of `words` words with unspecified contents. */
  readonly room: (words: number) => GPUBuffer;
  readonly submit: (record: Encode) => void;
  readonly read: <T extends HostArray>(buffer: GPUBuffer, into: T) => Promise<T>;
}

/** What all operations have in common. They add `create`, `encode`, and `run` for typed arrays. */
export abstract class Primitive<Parts = unknown> extends Owner {
  protected readonly gpu: Gpu;
  /** Kernels and options. */
  protected readonly parts: Parts;
  protected readonly params: ParamRing;
  /** Buffers of fixed size are taken at creation, so that `encode` allocates nothing. */
  protected readonly scratch: Scratch;
  readonly #label: string;
  readonly #fixed: Readonly<Record<string, number>>;
  /** For calls between typed arrays: their buffers grow to the largest call and are reused. */
  readonly #room: Scratch;
  readonly #uploader: Uploader;
  protected readonly readBack: ReadBack;

  /** @param scratch  bytes of buffers of fixed size */
  protected constructor(gpu: Gpu, name: string, parts: Parts, scratch: Readonly<Record<string, number>> = {}) {
    super();
    const label = `gpu-primitives/${name}`;
    this.gpu = gpu;
    this.parts = parts;
    this.#label = label;
    this.params = this.own(new ParamRing(gpu, `${label}.params`));
    this.scratch = this.own(new Scratch(gpu, label));
    this.#room = this.own(new Scratch(gpu, `${label}/host`));
    this.#uploader = this.own(new Uploader(gpu, label));
    this.readBack = this.own(new ReadBack(gpu, `${label}/host`));
    this.#fixed = scratch;
    for (const what of Object.keys(scratch)) this.fixed(what);
  }

  /** The checked part of a buffer that holds `words` words. `what` names it in errors. */
  protected bind(what: string, bindable: Bindable, words: number): BufferSlice {
    const {buffer, offset = 0, size = Number.POSITIVE_INFINITY} = 'buffer' in bindable ? bindable : {buffer: bindable};
    const bytes = 4 * Math.max(1, words);
    const {maxStorageBufferBindingSize, minStorageBufferOffsetAlignment} = this.gpu.limits;
    if (bytes > maxStorageBufferBindingSize) {
      throw new GpuLimitError(`bytes of ${what}`, bytes, maxStorageBufferBindingSize, 'split the input');
    }
    if (offset % minStorageBufferOffsetAlignment !== 0) {
      throw new InvalidParameterError(`offset of ${what}`, offset, `a multiple of ${minStorageBufferOffsetAlignment}`);
    }
    const room = Math.min(size, buffer.size - offset);
    if (room < bytes) throw new InvalidParameterError(`bytes of ${what}`, room, `at least ${bytes}`);
    return {buffer, offset, size: bytes};
  }

  /** A buffer of fixed size. */
  protected fixed(what: string): GPUBuffer {
    return this.scratch.take(what, this.#fixed[what]);
  }

  protected record(target: EncodeTarget, ...dispatches: readonly Encode[]): void {
    const pass = 'dispatchWorkgroups' in target ? target : target.beginComputePass({label: this.#label});
    try {
      for (const encode of dispatches) encode(pass);
    } finally {
      if (pass !== target) pass.end();
    }
  }

  /** Runs one call between typed arrays, after earlier ones; device errors reject it. */
  protected async call<T>(work: (call: HostCall) => Promise<T>): Promise<T> {
    return this.gpu.guard(this.#label, () => {
      let taken = 0;
      const room = (words: number): GPUBuffer => this.#room.take(`${taken++}`, 4 * words);
      return work({
        room,
        upload: async (values) => {
          const buffer = room(Math.ceil(values.byteLength / 4));
          if (values.length > 0) await this.#uploader.upload(values, buffer);
          return buffer;
        },
        submit: (encode) => {
          const encoder = this.gpu.device.createCommandEncoder({label: this.#label});
          this.record(encoder, encode);
          this.gpu.device.queue.submit([encoder.finish()]);
        },
        read: (buffer, into) => this.readBack.read(buffer, into),
      });
    });
  }
}
