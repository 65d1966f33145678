import {DestroyedError, GpuLimitError, PhaseClock, type RunOptions} from '@epsball/clustering';
import type {Gpu} from '../gpu.ts';
import {DeviceTimer} from '../timer.ts';
import {GpuRun} from './gpuRun.ts';
import {Owner} from '../owner.ts';

export interface AlgorithmFrameOptions {
  readonly name: string;
  /** Prefix of the labels on the device: the package's name. */
  readonly label: string;
  /** Destroyed with the frame, in this order. */
  readonly owned: readonly {destroy(): void}[];
  /** Advice in the error of a run that runs out of memory: what takes less. */
  readonly outOfMemory?: string | undefined;
}

/** The life of an algorithm on a device: guarded runs one after another, and one disposal of all that it owns. */
export class AlgorithmFrame<Phase extends string, Span extends string = Phase> extends Owner {
  readonly #gpu: Gpu;
  readonly #options: AlgorithmFrameOptions;
  readonly #timer: DeviceTimer<Span>;
  #isDestroyed = false;

  /** @param gpu  borrowed */
  constructor(gpu: Gpu, options: AlgorithmFrameOptions) {
    super();
    this.#gpu = gpu;
    this.#options = options;
    this.#timer = new DeviceTimer(gpu, options.label);
  }

  throwIfDestroyed(): void {
    if (this.#isDestroyed) throw new DestroyedError(this.#options.name);
  }

  /**
   * Runs `work` after all earlier runs on the device, inside its error scopes. Progress counts to `total`. A run that
   * waits ends when its signal fires.
   */
  async run<Result>(
    total: number,
    options: RunOptions<Phase>,
    work: (run: GpuRun<Phase, Span>) => Promise<Result>,
  ): Promise<Result> {
    this.throwIfDestroyed();
    try {
      const alone = async (): Promise<Result> => {
        this.#gpu.resetPeak();
        this.#timer.reset();
        // `guard` waits for earlier runs. The clock starts after that.
        const clock = new PhaseClock<Phase>();
        const run = new GpuRun(this.#gpu, this.#timer, {options, total, clock});
        try {
          return await work(run);
        } finally {
          // The next run uses the same timer.
          await run.end();
        }
      };
      return await this.#gpu.guard(this.#options.name, alone, options.signal);
    } catch (error) {
      // Buffers that are destroyed under a run make it fail with a message of the device.
      if (this.#isDestroyed) throw new DestroyedError(this.#options.name);
      throw this.#withAdvice(error);
    }
  }

  #withAdvice(error: unknown): unknown {
    const {outOfMemory} = this.#options;
    if (outOfMemory === undefined || !(error instanceof GpuLimitError) || !Number.isNaN(error.allowed)) return error;
    return new GpuLimitError(error.what, error.asked, Number.NaN, outOfMemory, {cause: error});
  }

  /** Destroys what the frame owns; safe to call twice. */
  override destroy(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    for (const owned of this.#options.owned) owned.destroy();
    this.#timer.destroy();
  }
}
