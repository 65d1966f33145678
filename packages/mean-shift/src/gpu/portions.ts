import {
  foldDispatch,
  type Bindings,
  type BySpeed,
  type EntryPoint,
  type GpuRun,
  type Kernel,
  type KernelSource,
} from '@epsball/gpu';
import type {MeanShiftPhase} from '../algorithm.ts';

/** Approximate limit on reads and writes of a submission: some 50 ms, in which the device runs nothing else. */
export const OPERATIONS: BySpeed<number> = {hardware: 2 ** 34, software: 2 ** 25};

export interface Items {
  readonly begin: number;
  readonly end: number;
}

/** Records dispatches into as few submissions as possible, each of limited cost. */
export class Portions {
  readonly #run: GpuRun<MeanShiftPhase>;
  readonly #phase: MeanShiftPhase;
  readonly #most: number;
  #encoder: GPUCommandEncoder | undefined;
  #operations = 0;

  constructor(run: GpuRun<MeanShiftPhase>, {phase, most}: {phase: MeanShiftPhase; most: number}) {
    this.#run = run;
    this.#phase = phase;
    this.#most = most;
  }

  get encoder(): GPUCommandEncoder {
    return (this.#encoder ??= this.#run.gpu.device.createCommandEncoder());
  }

  /**
   * Records dispatches over `count` items of `each` operations, 256 items a workgroup. Waits for the device when a
   * submission is full.
   */
  async dispatch<S extends KernelSource, E extends EntryPoint<S>>(
    kernel: Kernel<S, E>,
    count: number,
    each: number,
    buffersOf: (items: Items) => Bindings<S, E>,
  ): Promise<void> {
    const span = 256 * Math.max(1, Math.floor(this.#most / (256 * each)));
    for (let begin = 0; begin < count; begin += span) {
      const end = Math.min(count, begin + span);
      const operations = (end - begin) * each;
      if (this.#operations > 0 && this.#operations + operations > this.#most) await this.#settle();
      const groups = foldDispatch(Math.ceil((end - begin) / 256));
      this.#run.record(this.encoder, this.#phase, kernel.encode(buffersOf({begin, end}), groups));
      this.#operations += operations;
    }
  }

  submit(): void {
    if (this.#encoder !== undefined) this.#run.gpu.device.queue.submit([this.#encoder.finish()]);
    this.#encoder = undefined;
    this.#operations = 0;
  }

  async #settle(): Promise<void> {
    this.submit();
    await this.#run.settle(this.#phase);
    await this.#run.makeRoom();
  }
}
