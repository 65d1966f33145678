import {Reader, Scratch, Uploader, type Gpu, type HostArray} from '@epsball/gpu';

/** Device operations for a call from typed arrays to typed arrays. */
export interface HostCall {
  /** Returns a device buffer that holds `values`, or `into` filled with them. `values` may be empty. */
  upload(values: HostArray, into?: GPUBuffer): Promise<GPUBuffer>;
  /** Returns a device buffer of `words` words with unspecified contents. */
  room(words: number): GPUBuffer;
  /** Records and submits one pass. */
  submit(record: (pass: GPUComputePassEncoder) => void): void;
  /** Fills `into` from the start of `buffer`. */
  read<T extends HostArray>(buffer: GPUBuffer, into: T): Promise<T>;
}

/**
 * Moves an operation's typed arrays to the device and back. Owns the staging memory and the device buffers, which grow
 * to the largest call and are reused. Calls run one after another.
 */
export class HostCalls implements Disposable {
  readonly #gpu: Gpu;
  readonly #label: string;
  readonly #scratch: Scratch;
  readonly #uploader: Uploader;
  readonly #reader: Reader;

  constructor(gpu: Gpu, label: string) {
    this.#gpu = gpu;
    this.#label = label;
    this.#scratch = new Scratch(gpu, `${label}/host`);
    this.#uploader = new Uploader(gpu, label);
    this.#reader = new Reader(gpu, label);
  }

  /** Runs one call; device errors reject it. */
  async run<T>(work: (call: HostCall) => Promise<T>): Promise<T> {
    return this.#gpu.guard(this.#label, () => {
      let taken = 0;
      const room = (words: number): GPUBuffer => this.#scratch.take(`${taken++}`, 4 * words);
      return work({
        room,
        upload: async (values, into = room(Math.ceil(values.byteLength / 4))) => {
          if (values.length > 0) await this.#uploader.upload(values, into);
          return into;
        },
        submit: (record) => {
          const encoder = this.#gpu.device.createCommandEncoder({label: this.#label});
          const pass = encoder.beginComputePass({label: this.#label});
          record(pass);
          pass.end();
          this.#gpu.device.queue.submit([encoder.finish()]);
        },
        read: async (buffer, into) => {
          if (into.length > 0) await this.#reader.read(buffer, into);
          return into;
        },
      });
    });
  }

  destroy(): void {
    this.#scratch.destroy();
    this.#uploader.destroy();
    this.#reader.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}
