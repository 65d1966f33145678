import {
  primitiveKeyOf,
  summarizeTimes,
  type PrimitiveCell,
  type PrimitiveProfile,
  type Timing,
} from '@epsball/benchmarks';
import {openGpu, ReadBack, Uploader, type Gpu} from '@epsball/gpu';
import {collectGarbage} from '../suite/collectGarbage.ts';
import {CaseBuffers} from './caseBuffers.ts';
import {CopyYardstick} from './copyYardstick.ts';
import {settleAfter, timeInTurn, type BatchTimes} from './deviceTimes.ts';
import type {MeasuredCount, SeriesJob} from './job.ts';
import type {DeviceCase, DeviceOperation, Operation} from './operation.ts';

/** Counted calls from typed array to typed array: enough to show the cost of transfers. */
const WALL_REPEATS = 5;

/** Repeats on a software adapter, whose times say nothing about a GPU. */
const SOFTWARE_REPEATS = 3;

/** One operation on an open device, compiled once for all counts. */
export class DeviceSeries {
  readonly #job: SeriesJob;
  readonly #verified: string;
  readonly #gpu: Gpu;
  readonly #device: DeviceOperation;
  readonly #copy: CopyYardstick;
  readonly #uploader: Uploader;
  readonly #reader: ReadBack;
  /** Start of the device's idle time, by `performance.now()`. */
  #idleSince = performance.now();

  private constructor(job: SeriesJob, verified: string, gpu: Gpu, device: DeviceOperation, copy: CopyYardstick) {
    this.#job = job;
    this.#verified = verified;
    this.#gpu = gpu;
    this.#device = device;
    this.#copy = copy;
    this.#uploader = new Uploader(gpu, 'bench/primitives');
    this.#reader = new ReadBack(gpu, 'bench/primitives');
  }

  /** @throws GpuUnavailableError  if there is no adapter */
  static async open(job: SeriesJob, {verified, onDevice}: Operation): Promise<DeviceSeries> {
    const gpu = await openGpu({adapter: job.adapter});
    try {
      const [device, copy] = [await onDevice(gpu), await CopyYardstick.create(gpu)];
      return new DeviceSeries(job, verified, gpu, device, copy);
    } catch (error) {
      gpu.destroy();
      throw error;
    }
  }

  get #profile(): PrimitiveProfile {
    const {profile} = this.#job;
    return this.isSoftware ? {...profile, repeats: SOFTWARE_REPEATS, settleSeconds: 0} : profile;
  }

  get #idleSeconds(): number {
    return this.isSoftware ? 0 : (performance.now() - this.#idleSince) / 1000;
  }

  get isSoftware(): boolean {
    return this.#gpu.info.kind !== 'hardware';
  }

  /**
   * The cells of our kernels and of the copy beside them.
   *
   * @throws Error          if a result is wrong, the first or the last one
   * @throws GpuLimitError  if the adapter has no room for so many elements
   */
  async measureCount(count: number): Promise<MeasuredCount> {
    const {operation} = this.#job;
    const profile = this.#profile;
    const bytes = operation.bytesPerElement * count;
    const prepared = this.#device.prepare(count);
    const times = await this.#gpu.guard(`${operation.id} of ${count}`, () => this.#measureDevice(prepared, bytes));
    const deviceMs = times === null ? 0 : Math.min(...times[0].ms);
    // A call that takes so long needs no repeats.
    const wall = deviceMs > profile.cellSeconds * 1000 ? null : await measureCalls(prepared, profile.cellSeconds / 2);
    const cell = (implementation: 'gpu' | 'copy', at: number, facts: Facts): PrimitiveCell => ({
      ...primitiveKeyOf(operation, implementation, count),
      status: 'measured',
      ...facts,
      ...describe(times?.[at]),
    });
    const ours = cell('gpu', 0, {bytes, verified: this.#verified, wall});
    this.#idleSince = performance.now();
    const yardstick = cell('copy', 1, {bytes: this.#copy.bytes, verified: CopyYardstick.verified, wall: null});
    return {cells: times === null ? [ours] : [ours, yardstick], runSeconds: runSecondsOf(ours)};
  }

  /** Runs, verifies, times, verifies again. */
  async #measureDevice(prepared: DeviceCase, bytes: number): Promise<BatchTimes[] | null> {
    const buffers = new CaseBuffers(this.#gpu, prepared);
    try {
      for (const [name, values] of Object.entries(prepared.input)) {
        await this.#uploader.upload(values, buffers.pristine(name));
      }
      this.#copy.resize(bytes);
      this.#runOnce(prepared, buffers);
      await this.#readBack(prepared, buffers);
      prepared.verify();
      const profile = this.#profile;
      const settleSeconds = settleAfter(this.#idleSeconds, profile.settleSeconds);
      const times = await timeInTurn(
        this.#gpu,
        [
          {
            prepare: prepared.overwrites.length === 0 ? undefined : (encoder) => buffers.restore(encoder),
            encode: (pass) => buffers.encode(pass),
          },
          {encode: (pass) => this.#copy.encode(pass)},
        ],
        {...profile, settleSeconds},
      );
      await this.#readBack(prepared, buffers);
      prepared.verify();
      if (times !== null) await this.#copy.verify();
      return times;
    } finally {
      buffers.destroy();
    }
  }

  #runOnce(prepared: DeviceCase, buffers: CaseBuffers): void {
    const encoder = this.#gpu.device.createCommandEncoder();
    if (prepared.overwrites.length > 0) buffers.restore(encoder);
    const pass = encoder.beginComputePass();
    buffers.encode(pass);
    pass.end();
    this.#gpu.device.queue.submit([encoder.finish()]);
  }

  async #readBack({output}: DeviceCase, buffers: CaseBuffers): Promise<void> {
    for (const [name, values] of Object.entries(output)) await this.#reader.read(buffers.outputOf(name), values);
  }

  destroy(): void {
    this.#device.destroy();
    this.#copy.destroy();
    this.#uploader.destroy();
    this.#reader.destroy();
    this.#gpu.destroy();
  }
}

interface Facts {
  readonly bytes: number;
  readonly verified: string;
  readonly wall: Timing | null;
}

function describe(times: BatchTimes | undefined): {readonly device: Timing | null; readonly batch: number} {
  return times === undefined ? {device: null, batch: 1} : {device: summarizeTimes(times.ms), batch: times.batch};
}

/** Seconds of a run, by the device's clock or else the host's; 0 without timestamps and calls. */
function runSecondsOf(cell: PrimitiveCell): number {
  if (cell.status !== 'measured') return 0;
  return ((cell.device ?? cell.wall)?.medianMs ?? 0) / 1000;
}

/** Times calls from typed array to typed array. The first is verified, and counted only where it takes long. */
async function measureCalls({run}: DeviceCase, seconds: number): Promise<Timing | null> {
  if (run === null) return null;
  const startedAt = performance.now();
  const verify = await run();
  const firstMs = performance.now() - startedAt;
  verify();
  const times = firstMs > seconds * 250 ? [firstMs] : [];
  let spentMs = firstMs;
  while (times.length === 0 || (times.length < WALL_REPEATS && spentMs < seconds * 1000)) {
    await collectGarbage();
    const callStartedAt = performance.now();
    await run();
    const ms = performance.now() - callStartedAt;
    times.push(ms);
    spentMs += ms;
  }
  return summarizeTimes(times);
}
