import {throwIfAborted} from '@epsball/clustering';
import type {DeviceTimer, Gpu} from '@epsball/gpu';
import {foldDispatch} from '@epsball/gpu';
import type {MeanShiftPhase} from '../../algorithm.ts';

/** Approximate limit on reads and writes of a submission: some 50 ms, in which the device runs nothing else. */
export const OPERATIONS_HARDWARE: number = 2 ** 34;
export const OPERATIONS_SOFTWARE: number = 2 ** 25;

/** Items [begin, end) of a dispatch. */
export interface Items {
  readonly begin: number;
  readonly end: number;
}

/** A kernel with 256 items a workgroup. */
interface Dispatched {
  dispatch(pass: GPUComputePassEncoder, group: GPUBindGroup, counts: ReturnType<typeof foldDispatch>): void;
}

/** Records dispatches into as few submissions as possible, each of limited cost. */
export class Portions {
  readonly #gpu: Gpu;
  readonly #timer: DeviceTimer<MeanShiftPhase>;
  readonly #phase: MeanShiftPhase;
  readonly #signal: AbortSignal | undefined;
  readonly #most: number;
  #encoder: GPUCommandEncoder | undefined;
  #operations = 0;

  /**
   * @param most  approximate limit on the operations of a submission
   */
  constructor(
    gpu: Gpu,
    timer: DeviceTimer<MeanShiftPhase>,
    {phase, signal, most}: {phase: MeanShiftPhase; signal: AbortSignal | undefined; most: number},
  ) {
    this.#gpu = gpu;
    this.#timer = timer;
    this.#phase = phase;
    this.#signal = signal;
    this.#most = most;
  }

  /** Records the next submission. */
  get encoder(): GPUCommandEncoder {
    return (this.#encoder ??= this.#gpu.device.createCommandEncoder());
  }

  /**
   * Records one dispatch over `count` items, or several, and waits for the device when a submission is full.
   *
   * @param each  operations of an item
   * @param bind  the bindings for a range of items
   * @throws RunAbortedError  if the signal has fired
   */
  async dispatch(kernel: Dispatched, count: number, each: number, bind: (items: Items) => GPUBindGroup): Promise<void> {
    const span = 256 * Math.max(1, Math.floor(this.#most / (256 * each)));
    for (let begin = 0; begin < count; begin += span) {
      const end = Math.min(count, begin + span);
      const operations = (end - begin) * each;
      if (this.#operations > 0 && this.#operations + operations > this.#most) await this.#settle();
      const pass = this.#timer.beginPass(this.encoder, this.#phase);
      kernel.dispatch(pass, bind({begin, end}), foldDispatch(Math.ceil((end - begin) / 256)));
      pass.end();
      this.#operations += operations;
    }
  }

  /** Submits what is recorded. */
  submit(): void {
    if (this.#encoder !== undefined) this.#gpu.device.queue.submit([this.#encoder.finish()]);
    this.#encoder = undefined;
    this.#operations = 0;
  }

  async #settle(): Promise<void> {
    this.submit();
    await this.#gpu.device.queue.onSubmittedWorkDone();
    this.#gpu.throwIfLost();
    throwIfAborted(this.#signal, this.#phase);
    await this.#timer.makeRoom();
  }
}
