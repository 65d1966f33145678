import type {Gpu, GpuBuffer} from '../gpu.ts';
import {Kernel} from '../kernel.ts';
import {DeviceTimer} from '../timer.ts';
import {clockLoadWgsl} from './clockLoad.wgsl.ts';

/** Share of the host's time that a load fills. On an H200 a fifth does not hold the clock, and a half does. */
const SHARE = 0.5;

/** Workgroups a millisecond, before the first measurement: few, because a slow GPU takes milliseconds for each. */
const FIRST_RATE = 4;
/** A load has at most this many times the workgroups of the largest before, because a few say little about many. */
const GROWTH = 4;
/** Some 8 ms on an H200. */
const MAX_GROUPS = 16_384;

/**
 * Keeps the clock of a GPU up while the host copies. The clock of a GPU that waits falls, on an H200 to half and less
 * within an upload of 80 MB, and the kernels behind it take twice as long (10 million 2-D points: 9.1 ms instead of
 * 4.5). So the host gives the device arithmetic for half of the time that it copies itself. Timestamps measure each
 * load, and the next one has a fitting number of workgroups, on fast and on slow GPUs.
 */
export class ClockLoad implements Disposable {
  readonly #gpu: Gpu;
  readonly #timer: DeviceTimer<'load'>;
  readonly #sink: GpuBuffer;
  #kernel: Kernel<typeof clockLoadWgsl, 'spin'> | undefined;
  #rate = FIRST_RATE;
  #largest = FIRST_RATE;
  #isMeasuring = false;

  /** Starts to compile. Use it only if `suits(gpu)`. */
  constructor(gpu: Gpu, label: string) {
    this.#gpu = gpu;
    this.#timer = new DeviceTimer(gpu, `${label}/clock`);
    this.#sink = gpu.createBuffer(`${label}/clock`, 16, GPUBufferUsage.STORAGE);
    Kernel.create(gpu, clockLoadWgsl, 'spin').then(
      (kernel) => (this.#kernel = kernel),
      // Without the kernel there is no load.
      () => undefined,
    );
  }

  /** Whether the GPU is of NVIDIA, the only kind whose clock was seen to fall, and has timestamps to measure loads. */
  static suits({info, hasTimestamps}: Gpu): boolean {
    return info.kind === 'hardware' && info.vendor === 'nvidia' && hasTimestamps;
  }

  /**
   * Submits a load for a part of the time that the host copies next. Does not wait. Does nothing while the kernel is
   * compiled, and on GPUs that take longer for one workgroup.
   *
   * @param hostMs  the time of the copy, expected
   */
  submit(hostMs: number): void {
    const groups = groupsOf(this.#rate, hostMs, this.#largest);
    const kernel = this.#kernel;
    if (kernel === undefined || groups === 0) return;
    this.#largest = Math.max(this.#largest, groups);
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
      const ms = (await this.#timer.read())?.load ?? 0;
      // Browsers round timestamps, to 0.1 ms in Chromium, and a short load may take none.
      this.#rate = groups / Math.max(ms, 0.05);
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

  [Symbol.dispose](): void {
    this.destroy();
  }
}

/**
 * Workgroups for the share of `hostMs` that a load fills.
 *
 * @param rate     workgroups a millisecond, measured
 * @param largest  workgroups of the largest load so far
 */
export function groupsOf(rate: number, hostMs: number, largest: number): number {
  return Math.min(Math.floor(rate * SHARE * hostMs), GROWTH * largest, MAX_GROUPS);
}
