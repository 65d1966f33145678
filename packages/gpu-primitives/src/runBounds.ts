import {Kernel, ParamRing, type Bindable, type Gpu} from '@epsball/gpu';
import {bindWords} from './bindWords.ts';
import {atMostOf, writeCounted, type Count} from './count.ts';
import {encodeInto, type EncodeTarget} from './encodeTarget.ts';
import {runBoundsWgsl} from './runBounds.wgsl.ts';

export interface RunBoundsBuffers {
  /** `count` u32 keys, ascending; not modified. */
  readonly keys: Bindable;
  /** By key: receives the first position of its run; entries of absent keys keep their word. */
  readonly starts: Bindable;
  /** By key: receives the position after the last of its run; entries of absent keys keep their word. */
  readonly ends: Bindable;
  readonly count: Count;
  /** Words of `starts` and of `ends`; keys ≥ `keyCount` are ignored. */
  readonly keyCount: number;
}

/** Finds the run of each key in a sorted list, without atomics: for example cell extents (Milanesi, §3.4). */
export class RunBounds implements Disposable {
  readonly #gpu: Gpu;
  readonly #kernel: Kernel<typeof runBoundsWgsl, 'writeRunBounds'>;
  readonly #params: ParamRing;

  private constructor(gpu: Gpu, kernel: Kernel<typeof runBoundsWgsl, 'writeRunBounds'>) {
    this.#gpu = gpu;
    this.#kernel = kernel;
    this.#params = new ParamRing(gpu, 'gpu-primitives/runBounds.params');
  }

  static async create(gpu: Gpu): Promise<RunBounds> {
    return new RunBounds(gpu, await Kernel.create(gpu, runBoundsWgsl, 'writeRunBounds'));
  }

  /**
   * Records one dispatch.
   *
   * @throws InvalidParameterError, GpuLimitError  for an invalid count, buffer size or offset
   */
  encode(target: EncodeTarget, {keys, starts, ends, count, keyCount}: RunBoundsBuffers): void {
    const atMost = atMostOf(count);
    if (atMost === 0) return;
    const counted = writeCounted(this.#params, runBoundsWgsl.structs.RunParams, count, {keyCount});
    const bound = bindWords(this.#gpu, 'keys', keys, atMost);
    const group = this.#kernel.bind({
      keys: bound,
      starts: bindWords(this.#gpu, 'starts', starts, keyCount),
      ends: bindWords(this.#gpu, 'ends', ends, keyCount),
      ...counted,
    });
    encodeInto(target, 'gpu-primitives/runBounds', (pass) => this.#kernel.dispatchOver(pass, group, atMost));
  }

  destroy(): void {
    this.#params.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}
