import type {GpuRun} from '@epsball/gpu';
import type {MeanShiftPhase} from '../../algorithm.ts';

/** Most dispatches in a submission. The signal is checked and progress reported between two. */
const DISPATCHES_MAX = 64;

/** Submissions in flight: the device has the next one when it ends one. */
const IN_FLIGHT = 2;

/** Records dispatches and submits them in portions, of which a few are in flight at a time. */
export class Submissions {
  readonly #run: GpuRun<MeanShiftPhase>;
  readonly #portion: number;
  #encoder: GPUCommandEncoder | undefined;
  #pass: GPUComputePassEncoder | undefined;
  #dispatches = 0;
  #pairs = 0;
  readonly #inFlight: {readonly end: Promise<unknown>; readonly done: number}[] = [];

  /** @param portion  approximate number of pairs in a submission */
  constructor(run: GpuRun<MeanShiftPhase>, portion: number) {
    this.#run = run;
    this.#portion = portion;
  }

  /** The pass that is being recorded. */
  get pass(): GPUComputePassEncoder {
    this.#encoder ??= this.#run.gpu.device.createCommandEncoder();
    this.#pass ??= this.#run.passes('shift')(this.#encoder);
    return this.#pass;
  }

  /**
   * Counts a dispatch, and submits when the portion is full.
   *
   * @param done  how much of the run's total is done once the device has run what is recorded
   * @throws RunAbortedError  if the signal has fired
   */
  async count(pairs: number, done: number): Promise<void> {
    this.#dispatches++;
    this.#pairs += pairs;
    if (this.#dispatches >= DISPATCHES_MAX || this.#pairs >= this.#portion) await this.submit(done);
  }

  /** Submits what is recorded, and waits until few submissions are in flight. */
  async submit(done: number): Promise<void> {
    if (this.#encoder === undefined) return;
    const {device} = this.#run.gpu;
    this.#pass?.end();
    device.queue.submit([this.#encoder.finish()]);
    this.#encoder = undefined;
    this.#pass = undefined;
    this.#dispatches = 0;
    this.#pairs = 0;
    this.#inFlight.push({end: device.queue.onSubmittedWorkDone(), done});
    while (this.#inFlight.length >= IN_FLIGHT) await this.#finishOldest();
    await this.#run.makeRoom();
  }

  /** Waits for all submissions. */
  async finish(): Promise<void> {
    while (this.#inFlight.length > 0) await this.#finishOldest();
  }

  async #finishOldest(): Promise<void> {
    const oldest = this.#inFlight.shift();
    await oldest?.end;
    this.#run.gpu.throwIfLost();
    this.#run.throwIfAborted('shift');
    if (oldest) this.#run.report('shift', oldest.done);
    this.#run.throwIfAborted('shift');
  }
}
