import type {Gpu, GpuBuffer} from '../gpu.ts';
import {Kernel} from '../kernel.ts';
import {DeviceTimer} from '../timer.ts';
import {clockLoadWgsl} from './clockLoad.wgsl.ts';
import {Owner} from '../owner.ts';

/**
 * Share of the host's time that a load fills. On an H200, where the host copies a chunk in 1.8 ms, loads of 0.4 ms did
 * not hold the clock, and loads of 0.9 ms did. Loads of 1.6 ms did no better.
 */
const SHARE = 0.5;

/** Workgroups a millisecond, before the first measurement: few, because a slow GPU takes milliseconds for each. */
const FIRST_RATE = 4;
/** A load has at most this many times the workgroups of the largest before, because a few say little about many. */
const GROWTH = 4;
/** Some 8 ms on an H200 at full clock. */
const MAX_GROUPS = 16_384;

/**
 * The clock of a GPU that waits falls, on an H200 to half within an upload of 80 MB, and the kernels behind it take
 * twice as long (10 million 2-D points: 9.1 ms instead of 4.5). So the device gets arithmetic for half of the time that
 * the host copies. Timestamps of loads size the next one.
 */
export class ClockLoad extends Owner {
  readonly #gpu: Gpu;
  readonly #timer: DeviceTimer<'load'>;
  readonly #sink: GpuBuffer;
  #kernel: Kernel<typeof clockLoadWgsl, 'spin'> | undefined;
  readonly #size = new LoadSize();
  #isMeasuring = false;

  /** Starts to compile. Use it only if `suits(gpu)`. */
  constructor(gpu: Gpu, label: string) {
    super();
    this.#gpu = gpu;
    this.#timer = new DeviceTimer(gpu, `${label}/clock`);
    this.#sink = gpu.createBuffer(`${label}/clock`, 16, GPUBufferUsage.STORAGE);
    Kernel.create(gpu, clockLoadWgsl, 'spin').then(
      (kernel) => (this.#kernel = kernel),
      // Without the kernel there is no load.
      () => undefined,
    );
  }

  /** Whether this is an NVIDIA GPU, the only kind whose clock was seen to fall, with timestamps to measure loads. */
  static suits({info, hasTimestamps}: Gpu): boolean {
    return info.kind === 'hardware' && info.vendor === 'nvidia' && hasTimestamps;
  }

  /** Submits a load for a part of a copy of `hostMs`; none while the kernel compiles or if it would be too long. */
  submit(hostMs: number): void {
    const kernel = this.#kernel;
    const groups = kernel === undefined ? 0 : this.#size.groupsFor(hostMs);
    if (kernel === undefined || groups === 0) return;
    const {device} = this.#gpu;
    const encoder = device.createCommandEncoder();
    const isMeasured = !this.#isMeasuring;
    const pass = isMeasured ? this.#timer.beginPass(encoder, 'load') : encoder.beginComputePass();
    kernel.dispatch(pass, kernel.bind({sink: this.#sink.buffer}), [groups, 1, 1]);
    pass.end();
    device.queue.submit([encoder.finish()]);
    if (isMeasured) void this.#measure(groups);
  }

  async #measure(groups: number): Promise<void> {
    this.#isMeasuring = true;
    try {
      this.#size.observe(groups, (await this.#timer.read())?.load ?? 0);
      this.#timer.reset();
      this.#isMeasuring = false;
    } catch {
      // The device is lost or the timer destroyed: the loads stay as they are.
    }
  }

  destroy(): void {
    this.#timer.destroy();
    this.#sink.destroy();
  }
}

/** The number of workgroups of loads, from the time that earlier ones took. */
export class LoadSize {
  /** Workgroups a millisecond. */
  #rate = FIRST_RATE;
  /** The rate of the last load that was measured. */
  #measured = FIRST_RATE;
  #largest = FIRST_RATE;

  /** Workgroups for the share of `hostMs` that a load fills; 0 if one would take longer. */
  groupsFor(hostMs: number): number {
    const groups = Math.min(Math.floor(this.#rate * SHARE * hostMs), GROWTH * this.#largest, MAX_GROUPS);
    this.#largest = Math.max(this.#largest, groups);
    return groups;
  }

  /** Takes the time of a load into account. One slow load may be chance: other work on the GPU, or a low clock. */
  observe(groups: number, ms: number): void {
    // Browsers round timestamps, to 0.1 ms in Chromium, and a short load may read as 0.
    const measured = groups / Math.max(ms, 0.05);
    this.#rate = Math.max(measured, this.#measured);
    this.#measured = measured;
  }
}
