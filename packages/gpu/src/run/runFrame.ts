import {DestroyedError, GpuLimitError, PhaseClock, type RunOptions} from '@epsball/clustering';
import type {Gpu} from '../gpu.ts';
import {DeviceTimer} from '../timer.ts';
import {GpuRun} from './gpuRun.ts';

export interface RunFrameOptions {
  /** The algorithm's name in errors. */
  readonly name: string;
  /** Prefix of the labels on the device: the package's name. */
  readonly label: string;
  /** Destroyed with the frame, in this order. */
  readonly owned: readonly {destroy(): void}[];
  /** What takes less memory, for the error of a run that runs out of it. */
  readonly outOfMemory?: string | undefined;
}

/**
 * The life of an algorithm on a device: guarded runs one after another, and one disposal of all that it owns.
 * `Phase` and `Span` are as in `GpuRun`.
 */
export class RunFrame<Phase extends string, Span extends string = Phase> implements Disposable {
  readonly #gpu: Gpu;
  readonly #options: RunFrameOptions;
  readonly #timer: DeviceTimer<Span>;
  #isDestroyed = false;

  /** @param gpu  borrowed */
  constructor(gpu: Gpu, options: RunFrameOptions) {
    this.#gpu = gpu;
    this.#options = options;
    this.#timer = new DeviceTimer(gpu, options.label);
  }

  /** @throws DestroyedError  after `destroy` */
  throwIfDestroyed(): void {
    if (this.#isDestroyed) throw new DestroyedError(this.#options.name);
  }

  /**
   * Runs `work` when all earlier runs on the device have ended, inside its error scopes.
   *
   * @param total  what the run's reports of progress count to
   * @throws GpuLimitError       on out of memory
   * @throws GpuDeviceLostError  if the device was lost meanwhile; and what `work` throws
   */
  async run<Result>(
    total: number,
    options: RunOptions<Phase>,
    work: (run: GpuRun<Phase, Span>) => Promise<Result>,
  ): Promise<Result> {
    this.throwIfDestroyed();
    try {
      return await this.#gpu.guard(this.#options.name, async () => {
        this.#gpu.resetPeak();
        this.#timer.reset();
        // Not before: a run waits here for those that came earlier.
        const clock = new PhaseClock<Phase>();
        const run = new GpuRun(this.#gpu, this.#timer, {options, total, clock});
        try {
          return await work(run);
        } finally {
          // The next run uses the same timer.
          await run.end();
        }
      });
    } catch (error) {
      throw this.#withAdvice(error);
    }
  }

  /** Out of memory says what takes less. */
  #withAdvice(error: unknown): unknown {
    const {outOfMemory} = this.#options;
    if (outOfMemory === undefined || !(error instanceof GpuLimitError) || !Number.isNaN(error.allowed)) return error;
    return new GpuLimitError(error.what, error.asked, Number.NaN, outOfMemory, {cause: error});
  }

  /** Destroys what the frame owns; safe to call twice. */
  destroy(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    for (const owned of this.#options.owned) owned.destroy();
    this.#timer.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}
