import {ProgressMeter, throwIfAborted, type PhaseClock, type RunOptions, type RunStats} from '@epsball/clustering';
import type {Gpu} from '../gpu.ts';
import type {DeviceTimer} from '../timer.ts';

export type Encode = (pass: GPUComputePassEncoder) => void;

/** One run on a device: its clocks, signal, progress and passes. `Phase` is the host's, `Span` the device's. */
export class GpuRun<Phase extends string, Span extends string = Phase> {
  readonly gpu: Gpu;
  readonly clock: PhaseClock<Phase>;
  readonly timer: DeviceTimer<Span>;
  readonly signal: AbortSignal | undefined;
  readonly #total: number;
  readonly #meter: ProgressMeter<Phase>;
  #times: Promise<Partial<Record<Span, number>> | undefined> | undefined;

  constructor(
    gpu: Gpu,
    timer: DeviceTimer<Span>,
    {options, total, clock}: {options: RunOptions<Phase>; total: number; clock: PhaseClock<Phase>},
  ) {
    this.gpu = gpu;
    this.timer = timer;
    this.clock = clock;
    this.signal = options.signal;
    this.#total = total;
    this.#meter = new ProgressMeter(total, options.onProgress);
  }

  /** @param agoMs  how long ago the phase began, where the host learns of it later */
  enter(phase: Phase, agoMs = 0): void {
    this.clock.enter(phase, agoMs);
  }

  /** @throws RunAbortedError  if the signal has fired */
  throwIfAborted(phase: string = this.clock.phase ?? 'start'): void {
    throwIfAborted(this.signal, phase);
  }

  /** Waits until the device has done what was submitted. */
  async settle(phase?: string): Promise<void> {
    await this.gpu.device.queue.onSubmittedWorkDone();
    this.gpu.throwIfLost();
    this.throwIfAborted(phase);
  }

  /** Reports progress, at most 100 times a phase. */
  report(phase: Phase, done: number): void {
    this.#meter.report(phase, done);
  }

  /** Reports that a part of a phase is done, from 0 to 1. */
  reportPart(phase: Phase, part: number): void {
    this.report(phase, Math.floor(part * this.#total));
  }

  /** As `reportPart` of what was submitted, on a software adapter, where it may take seconds: waits for it. */
  async reachPart(phase: Phase, part: number): Promise<void> {
    if (this.gpu.speed !== 'software') return;
    await this.settle(phase);
    this.reportPart(phase, part);
  }

  /**
   * As `reachPart`, of what an encoder has recorded, which it submits.
   *
   * @returns  the encoder to go on with: on hardware the same one, with nothing submitted
   */
  async submitPart(encoder: GPUCommandEncoder, phase: Phase, part: number): Promise<GPUCommandEncoder> {
    if (this.gpu.speed !== 'software') return encoder;
    this.gpu.device.queue.submit([encoder.finish()]);
    await this.reachPart(phase, part);
    return this.gpu.device.createCommandEncoder();
  }

  /** Begins passes that the device's clock counts as `span`. */
  passes(span: Span): (encoder: GPUCommandEncoder) => GPUComputePassEncoder {
    return (encoder) => this.timer.beginPass(encoder, span);
  }

  /** Makes room for passes on the device's clock; loops that submit many passes await it before each. */
  makeRoom(spans = 1): Promise<void> {
    return this.timer.makeRoom(spans);
  }

  /** Records one pass, timed as `span`. */
  record(encoder: GPUCommandEncoder, span: Span, encode: Encode): void {
    const pass = this.timer.beginPass(encoder, span);
    encode(pass);
    pass.end();
  }

  /** Records one pass and submits it. */
  submit(span: Span, encode: Encode): void {
    const encoder = this.gpu.device.createCommandEncoder();
    this.record(encoder, span, encode);
    this.gpu.device.queue.submit([encoder.finish()]);
  }

  /** Asks for the device's times, so that they arrive while the host has other work. No pass may follow. */
  askForTimes(): void {
    this.#times ??= this.timer.read();
    // A failure shows in `stats`.
    this.#times.catch(() => undefined);
  }

  /** Stops the host's clock and waits for the device's. To be called once, at the end. */
  async stats(counters: Readonly<Record<string, number>>): Promise<RunStats<Phase, Span>> {
    const stats = {...this.clock.stop(), counters, deviceBytes: this.gpu.peakBytes};
    this.askForTimes();
    const devicePhaseMs = await this.#times;
    if (!devicePhaseMs) return stats;
    return {...stats, deviceMs: sumOf(devicePhaseMs), devicePhaseMs};
  }

  /** Waits for what `askForTimes` began. Called by the frame. */
  async end(): Promise<void> {
    await this.#times?.catch(() => undefined);
  }
}

function sumOf(times: Partial<Record<string, number>>): number {
  return Object.values(times).reduce<number>((sum, ms = 0) => sum + ms, 0);
}
