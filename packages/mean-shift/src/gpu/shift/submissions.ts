import {throwIfAborted} from '@epsball/clustering';
import type {DeviceTimer, Gpu} from '@epsball/gpu';
import type {MeanShiftPhase, ShiftOptions} from '../../algorithm.ts';

/** Dispatches in a submission at most: a signal is looked at, and progress reported, between two. */
const DISPATCHES_MAX = 64;

/** Submissions under way: the device has the next one when it ends one. */
const IN_FLIGHT = 2;

/** Records dispatches and submits them in portions, of which a few are under way at a time. */
export class Submissions {
  readonly #gpu: Gpu;
  readonly #timer: DeviceTimer<MeanShiftPhase>;
  readonly #options: ShiftOptions;
  readonly #portion: number;
  readonly #total: number;
  #encoder: GPUCommandEncoder | undefined;
  #pass: GPUComputePassEncoder | undefined;
  #dispatches = 0;
  #pairs = 0;
  readonly #inFlight: {readonly end: Promise<unknown>; readonly done: number}[] = [];

  /**
   * @param portion  pairs in a submission, about
   * @param total    what `done` reaches
   */
  constructor(
    gpu: Gpu,
    timer: DeviceTimer<MeanShiftPhase>,
    options: ShiftOptions,
    {portion, total}: {portion: number; total: number},
  ) {
    this.#gpu = gpu;
    this.#timer = timer;
    this.#options = options;
    this.#portion = portion;
    this.#total = total;
  }

  /** The pass that is being recorded. */
  get pass(): GPUComputePassEncoder {
    this.#encoder ??= this.#gpu.device.createCommandEncoder();
    this.#pass ??= this.#timer.beginPass(this.#encoder, 'shift');
    return this.#pass;
  }

  /**
   * Counts a dispatch of so many pairs, and submits when the portion is full.
   *
   * @param done  of `total`, when the device has done all that is recorded
   * @throws RunAbortedError  if the signal has fired
   */
  async count(pairs: number, done: number): Promise<void> {
    this.#dispatches++;
    this.#pairs += pairs;
    if (this.#dispatches >= DISPATCHES_MAX || this.#pairs >= this.#portion) await this.submit(done);
  }

  /** Submits what is recorded, and waits until there are few submissions under way. */
  async submit(done: number): Promise<void> {
    if (this.#encoder === undefined) return;
    const {device} = this.#gpu;
    this.#pass?.end();
    device.queue.submit([this.#encoder.finish()]);
    this.#encoder = undefined;
    this.#pass = undefined;
    this.#dispatches = 0;
    this.#pairs = 0;
    this.#inFlight.push({end: device.queue.onSubmittedWorkDone(), done});
    while (this.#inFlight.length >= IN_FLIGHT) await this.#finishOldest();
    await this.#timer.makeRoom();
  }

  /** Waits for all that is submitted. */
  async finish(): Promise<void> {
    while (this.#inFlight.length > 0) await this.#finishOldest();
  }

  async #finishOldest(): Promise<void> {
    const oldest = this.#inFlight.shift();
    await oldest?.end;
    this.#gpu.throwIfLost();
    throwIfAborted(this.#options.signal, 'shift');
    if (oldest) this.#options.onProgress?.({phase: 'shift', done: oldest.done, total: this.#total});
    throwIfAborted(this.#options.signal, 'shift');
  }
}
