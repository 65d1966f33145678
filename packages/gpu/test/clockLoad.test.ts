import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {Gpu, openGpu, Reader, Uploader, type GpuBuffer} from '@epsball/gpu';
import {ClockLoad, groupsOf} from '../src/transfer/clockLoad.ts';
import {describeGpu} from './testGpu.ts';

const CHUNK = 16 * 2 ** 20;
const BYTES = 2 * CHUNK + 4096;

describe('groupsOf', () => {
  it('fills half of the time, at the measured rate', () => {
    expect(groupsOf(1000, 2, 1000)).toBe(1000);
    expect(groupsOf(1000, 0.5, 1000)).toBe(250);
  });

  it('is 0 if one workgroup takes longer, or nothing is copied', () => {
    expect(groupsOf(0.4, 2, 4)).toBe(0);
    expect(groupsOf(1000, 0, 1000)).toBe(0);
  });

  it('grows step by step up to a bound', () => {
    expect(groupsOf(1000, 2, 4)).toBe(16);
    expect(groupsOf(1e6, 100, 1e6)).toBe(16_384);
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

  async function upload(uploader: Uploader): Promise<void> {
    await gpu.guard('test', () => uploader.upload(source, target.buffer));
    await gpu.device.queue.onSubmittedWorkDone();
  }

  it('suits GPUs of NVIDIA with timestamps', () => {
    expect(ClockLoad.suits(gpu)).toBe(gpu.hasTimestamps);
    const {device, info} = gpu;
    expect(ClockLoad.suits(new Gpu(device, {...info, vendor: 'intel'}, false))).toBe(false);
    expect(ClockLoad.suits(new Gpu(device, {...info, kind: 'bundled'}, false))).toBe(false);
  });

  it('is submitted between the chunks of an upload, and the bytes are the same', async (context) => {
    context.skip(!gpu.hasTimestamps, 'the adapter has no timestamps');
    using uploader = new Uploader(gpu, 'test');
    using reader = new Reader(gpu, 'test');
    const {queue} = gpu.device;
    const submit = queue.submit.bind(queue);
    let submits = 0;
    queue.submit = (buffers) => {
      submits++;
      submit(buffers);
    };
    try {
      const counts: number[] = [];
      for (let turn = 0; turn < 4; turn++) {
        submits = 0;
        await upload(uploader);
        counts.push(submits);
        const copy = new Uint32Array(source.length);
        await reader.read(target.buffer, copy);
        expect(Buffer.from(copy.buffer).equals(Buffer.from(source.buffer))).toBe(true);
      }
      // The first upload has its three chunks only. A later one has a load, and the read of its timestamps.
      expect(counts[0]).toBe(3);
      expect(Math.max(...counts)).toBeGreaterThan(3);
    } finally {
      queue.submit = submit;
    }
  });

  it('ends with a run that fails, and begins again', async () => {
    using uploader = new Uploader(gpu, 'test');
    await upload(uploader);
    await upload(uploader);
    const failing = gpu.guard('test', async () => {
      await uploader.upload(source, target.buffer);
      throw new Error('mine');
    });
    await expect(failing).rejects.toThrow('mine');
    for (let turn = 0; turn < 3; turn++) await upload(uploader);
  });

  it('does nothing after it is destroyed in the middle of a measurement', async (context) => {
    context.skip(!gpu.hasTimestamps, 'the adapter has no timestamps');
    const load = new ClockLoad(gpu, 'test');
    await gpu.device.queue.onSubmittedWorkDone();
    load.submit(1000);
    load.destroy();
    await gpu.device.queue.onSubmittedWorkDone();
  });
});
