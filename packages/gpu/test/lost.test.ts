import {expect, it} from 'vitest';
import {GpuDeviceLostError} from '@epsball/clustering';
import {openGpu, ReadBack, Scratch, Uploader} from '@epsball/gpu';
import {describeGpu} from './testGpu.ts';

const BYTES = 20 * 2 ** 20;

describeGpu('a device that is lost', () => {
  it('during an upload rejects with GpuDeviceLostError', async () => {
    using gpu = await openGpu();
    using scratch = new Scratch(gpu, 'test');
    using uploader = new Uploader(gpu, 'test');
    const target = scratch.take('target', BYTES);
    const running = gpu.guard('upload', () => uploader.upload(new Uint8Array(BYTES), target));
    gpu.device.destroy();
    await expect(running).rejects.toBeInstanceOf(GpuDeviceLostError);
  });

  it('during a read of many chunks rejects once, with GpuDeviceLostError and its cause', async () => {
    using gpu = await openGpu();
    using scratch = new Scratch(gpu, 'test');
    using reader = new ReadBack(gpu, 'test');
    const source = scratch.take('source', BYTES);
    const running = gpu.guard('read', () => reader.read(source, new Uint8Array(BYTES)));
    gpu.device.destroy();
    await expect(running).rejects.toMatchObject({code: 'GPU_DEVICE_LOST', cause: expect.any(Error)});
    // An unhandled rejection ends a Node process; give it time to appear here.
    await new Promise((resolve) => setImmediate(resolve));
  });

  it('during guarded work rejects with GpuDeviceLostError', async () => {
    using gpu = await openGpu();
    using scratch = new Scratch(gpu, 'test');
    using reader = new ReadBack(gpu, 'test');
    const source = scratch.take('source', 16);
    const running = gpu.guard('rounds', async () => {
      for (let round = 0; round < 10; round++) {
        if (round === 3) gpu.device.destroy();
        await reader.read(source, new Uint32Array(4));
      }
    });
    await expect(running).rejects.toBeInstanceOf(GpuDeviceLostError);
  });

  it('makes every later call throw GpuDeviceLostError', async () => {
    using gpu = await openGpu();
    gpu.device.destroy();
    await gpu.device.lost;
    expect(() => gpu.createBuffer('test/late', 16, GPUBufferUsage.STORAGE)).toThrow(GpuDeviceLostError);
    await expect(gpu.guard('late', async () => 1)).rejects.toBeInstanceOf(GpuDeviceLostError);
    expect(() => gpu.throwIfLost(new Error('why'))).toThrow(expect.objectContaining({cause: new Error('why')}));
  });

  it('can be destroyed again, and a new device works', async () => {
    const gpu = await openGpu();
    gpu.device.destroy();
    gpu.destroy();
    gpu.destroy();
    expect(() => gpu.throwIfLost()).toThrow(GpuDeviceLostError);
    using fresh = await openGpu();
    using scratch = new Scratch(fresh, 'test');
    using uploader = new Uploader(fresh, 'test');
    using reader = new ReadBack(fresh, 'test');
    const target = scratch.take('target', 16);
    await uploader.upload(Uint32Array.of(1, 2, 3, 4), target);
    const words = new Uint32Array(4);
    await reader.read(target, words);
    expect([...words]).toEqual([1, 2, 3, 4]);
  });
});
