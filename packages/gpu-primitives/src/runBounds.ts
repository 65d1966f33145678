import {Kernel, ParamRing, type Bindable, type Gpu} from '@epsball/gpu';
import {runBoundsWgsl} from './runBounds.wgsl.ts';

export interface RunBoundsBuffers {
  /** `length` u32 keys, ascending; not modified. */
  readonly keys: Bindable;
  /** By key: receives the first position of its run; keys that do not occur keep their word. */
  readonly starts: Bindable;
  /** By key: receives the position after the last of its run. */
  readonly ends: Bindable;
  readonly length: number;
}

/** Where the run of each key lies in a sorted list: cell extents, without atomics (Milanesi, §3.4). */
export class RunBounds implements Disposable {
  readonly #kernel: Kernel<typeof runBoundsWgsl, 'writeRunBounds'>;
  readonly #params: ParamRing;

  private constructor(gpu: Gpu, kernel: Kernel<typeof runBoundsWgsl, 'writeRunBounds'>) {
    this.#kernel = kernel;
    this.#params = new ParamRing(gpu, 'gpu-primitives/runBounds.params');
  }

  static async create(gpu: Gpu): Promise<RunBounds> {
    return new RunBounds(gpu, await Kernel.create(gpu, runBoundsWgsl, 'writeRunBounds'));
  }

  /** Records one dispatch. */
  encode(pass: GPUComputePassEncoder, {keys, starts, ends, length}: RunBoundsBuffers): void {
    if (length === 0) return;
    const params = this.#params.write(runBoundsWgsl.structs.RunParams, {length});
    this.#kernel.dispatchOver(pass, this.#kernel.bind({keys, starts, ends, params}), length);
  }

  destroy(): void {
    this.#params.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}
