import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {Gpu, Kernel, openGpu, ReadBack, Uploader, type GpuBuffer} from '@epsball/gpu';
import {clockLoadWgsl} from '../src/transfer/clockLoad.wgsl.ts';
import {ClockLoad, LoadSize} from '../src/transfer/clockLoad.ts';
import {describeGpu} from './testGpu.ts';

const CHUNK = 24 * 2 ** 20;
const BYTES = 2 * CHUNK + 4096;

describe('LoadSize', () => {
  it('begins with few workgroups, and grows step by step to half of the time', () => {
    const size = new LoadSize();
    const groups: number[] = [];
    for (let k = 0; k < 7; k++) {
      groups.push(size.groupsFor(2));
      size.observe(groups[k], groups[k] / 1000);
    }
    // 0.05 ms is the shortest time that counts.
    expect(groups).toEqual([4, 16, 64, 256, 1000, 1000, 1000]);
    expect(size.groupsFor(0.5)).toBe(250);
    expect(size.groupsFor(0)).toBe(0);
  });

  it('has an upper bound', () => {
    const size = new LoadSize();
    for (let k = 0; k < 20; k++) size.observe(size.groupsFor(1000), 0);
    expect(size.groupsFor(1000)).toBe(16_384);
  });

  it('ends where one workgroup takes longer, but not after one slow load', () => {
    const size = new LoadSize();
    size.observe(4, 100);
    expect(size.groupsFor(2)).toBe(4);
    size.observe(4, 100);
    expect(size.groupsFor(2)).toBe(0);
  });
});

describeGpu('ClockLoad', () => {
  let opened: Gpu;
  /** The same device, said to be one of NVIDIA. */
  let gpu: Gpu;
  let target: GpuBuffer;
  const source = Uint32Array.from({length: BYTES / 4}, (_, k) => Math.imul(k, 2_654_435_761));

  beforeAll(async () => {
    opened = await openGpu();
    gpu = new Gpu(opened.device, {...opened.info, kind: 'hardware', vendor: 'nvidia'}, false);
    target = gpu.createBuffer('test/target', BYTES, GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC);
  });
  afterAll(() => {
    target.destroy();
    opened.destroy();
  });

  /** Returns how often the queue was submitted to. */
  async function submitsDuring(work: () => Promise<void>): Promise<number> {
    const {queue} = gpu.device;
    const submit = queue.submit.bind(queue);
    let submits = 0;
    queue.submit = (buffers) => {
      submits++;
      submit(buffers);
    };
    try {
      await work();
      await queue.onSubmittedWorkDone();
    } finally {
      queue.submit = submit;
    }
    return submits;
  }

  /** Repeats a work with uploads until a load is submitted too: when the kernel of the loads is compiled. */
  async function untilLoaded(work: () => Promise<void>, submitsWithout: number): Promise<void> {
    while ((await submitsDuring(work)) <= submitsWithout);
  }

  const upload = (uploader: Uploader): Promise<void> => gpu.guard('test', () => uploader.upload(source, target.buffer));

  it('suits GPUs of NVIDIA with timestamps', () => {
    expect(ClockLoad.suits(gpu)).toBe(gpu.hasTimestamps);
    const {device, info} = gpu;
    expect(ClockLoad.suits(new Gpu(device, {...info, vendor: 'intel'}, false))).toBe(false);
    expect(ClockLoad.suits(new Gpu(device, {...info, kind: 'bundled'}, false))).toBe(false);
  });

  it('is submitted before the chunks of an upload, and the bytes are the same', async (context) => {
    context.skip(!gpu.hasTimestamps, 'the adapter has no timestamps');
    using uploader = new Uploader(gpu, 'test');
    using reader = new ReadBack(gpu, 'test');
    expect(await submitsDuring(() => upload(uploader))).toBe(3);
    await untilLoaded(() => upload(uploader), 3);
    const copy = new Uint32Array(source.length);
    await reader.read(target.buffer, copy);
    expect(Buffer.from(copy.buffer).equals(Buffer.from(source.buffer))).toBe(true);
  });

  it('is submitted before the only chunk of an upload, but not in the first upload or a small one', async (context) => {
    context.skip(!gpu.hasTimestamps, 'the adapter has no timestamps');
    using uploader = new Uploader(gpu, 'test');
    const part = (bytes: number) => (): Promise<void> =>
      gpu.guard('test', () => uploader.upload(source.subarray(0, bytes / 4), target.buffer));
    expect(await submitsDuring(part(CHUNK))).toBe(1);
    await untilLoaded(part(CHUNK), 1);
    expect(await submitsDuring(part(2 ** 20))).toBe(1);
  });

  it('begins again after a run that failed, and its memory is released', async (context) => {
    context.skip(!gpu.hasTimestamps, 'the adapter has no timestamps');
    const before = gpu.allocatedBytes;
    const uploader = new Uploader(gpu, 'test');
    await untilLoaded(() => upload(uploader), 3);
    const kept = gpu.allocatedBytes;
    expect(kept).toBeGreaterThan(before);
    const failing = gpu.guard('test', async () => {
      await uploader.upload(source, target.buffer);
      throw new Error('mine');
    });
    await expect(failing).rejects.toThrow('mine');
    await untilLoaded(() => upload(uploader), 3);
    expect(gpu.allocatedBytes).toBe(kept);
    uploader.destroy();
    expect(gpu.allocatedBytes).toBe(before);
  });

  it('does nothing after it is destroyed in the middle of a measurement', async (context) => {
    context.skip(!gpu.hasTimestamps, 'the adapter has no timestamps');
    await Kernel.create(gpu, clockLoadWgsl, 'spin');
    const load = new ClockLoad(gpu, 'test');
    await gpu.device.queue.onSubmittedWorkDone();
    const submits = await submitsDuring(async () => {
      load.submit(4);
      load.destroy();
    });
    // The load, and the read of its timestamps.
    expect(submits).toBeGreaterThanOrEqual(2);
  });
});
