import {expect, it} from 'vitest';
import {GpuLimitError, InvalidParameterError, InvalidPointsError, RunAbortedError} from '@epsball/clustering';
import {DeviceTimer, findAdapter, gpuInstance, openGpu, ParamRing, ReadBack, Scratch, Uploader} from '@epsball/gpu';
import {describeGpu, withGpu} from './testGpu.ts';

describeGpu('Gpu', () => {
  const rig = withGpu();

  it('counts the bytes of live buffers and their peak', () => {
    const before = rig.gpu.allocatedBytes;
    rig.gpu.resetPeak();
    const a = rig.gpu.createBuffer('test/a', 1000, GPUBufferUsage.STORAGE);
    const b = rig.gpu.createBuffer('test/b', 2001, GPUBufferUsage.STORAGE);
    expect(rig.gpu.allocatedBytes - before).toBe(1000 + 2004);
    a.destroy();
    const c = rig.gpu.createBuffer('test/c', 400, GPUBufferUsage.UNIFORM);
    expect(rig.gpu.allocatedBytes - before).toBe(2404);
    expect(rig.gpu.peakBytes - before).toBe(3004);
    rig.gpu.resetPeak();
    expect(rig.gpu.peakBytes).toBe(rig.gpu.allocatedBytes);
    b.destroy();
    c.destroy();
    expect(rig.gpu.allocatedBytes).toBe(before);
  });

  it('frees memory when scratch is cleared, and scratch can be used again', () => {
    using scratch = new Scratch(rig.gpu, 'test');
    const before = rig.gpu.allocatedBytes;
    scratch.take('a', 4096);
    scratch.take('b', 1024);
    scratch.clear();
    expect(rig.gpu.allocatedBytes).toBe(before);
    expect(scratch.take('a', 64).size).toBe(64);
    expect(rig.gpu.allocatedBytes).toBe(before + 64);
  });

  it('gives every buffer a label and at least 16 bytes', () => {
    using empty = rig.gpu.createBuffer('test/empty', 0, GPUBufferUsage.STORAGE);
    expect(empty.buffer.label).toBe('test/empty');
    expect(empty.size).toBe(16);
  });

  it('has no memory allocated after every owner is destroyed, twice', async () => {
    const before = rig.gpu.allocatedBytes;
    const scratch = new Scratch(rig.gpu, 'test');
    const params = new ParamRing(rig.gpu, 'test/params');
    const timer = new DeviceTimer(rig.gpu, 'test');
    const uploader = new Uploader(rig.gpu, 'test');
    const reader = new ReadBack(rig.gpu, 'test');
    const target = scratch.take('words', 4096);
    await uploader.upload(new Uint32Array(1024), target);
    await reader.read(target, new Uint32Array(1024));
    expect(rig.gpu.allocatedBytes).toBeGreaterThan(before);
    const owners = [scratch, params, timer, uploader, reader];
    for (const owner of [...owners, ...owners]) owner.destroy();
    expect(rig.gpu.allocatedBytes).toBe(before);
    const buffer = rig.gpu.createBuffer('test/twice', 64, GPUBufferUsage.STORAGE);
    buffer.destroy();
    buffer.destroy();
    expect(rig.gpu.allocatedBytes).toBe(before);
  });

  it('does not count staging, which is in host memory', async () => {
    using scratch = new Scratch(rig.gpu, 'test');
    using uploader = new Uploader(rig.gpu, 'test');
    const target = scratch.take('words', 1 << 20);
    const before = rig.gpu.allocatedBytes;
    await uploader.upload(new Uint8Array(1 << 20), target);
    expect(rig.gpu.allocatedBytes).toBe(before);
  });

  it('counts correctly when Scratch keeps a buffer and when it replaces one', () => {
    const before = rig.gpu.allocatedBytes;
    rig.gpu.resetPeak();
    using scratch = new Scratch(rig.gpu, 'test');
    const first = scratch.take('words', 1000);
    expect(scratch.take('words', 999)).toBe(first);
    expect(scratch.take('words', 0)).toBe(first);
    expect(scratch.take('others', 1000)).not.toBe(first);
    const second = scratch.take('words', 1004);
    expect(second).not.toBe(first);
    expect(second.size).toBe(1004);
    expect(second.label).toBe('test/words');
    expect(rig.gpu.allocatedBytes - before).toBe(2004);
    // The old buffer is destroyed before the new one is created.
    expect(rig.gpu.peakBytes - before).toBe(2004);
    scratch.clear();
    expect(rig.gpu.allocatedBytes).toBe(before);
    expect(scratch.take('words', 8).size).toBe(16);
    scratch.destroy();
    expect(() => scratch.take('words', 8)).toThrow('after destroy()');
  });

  it('rejects a buffer over a limit with asked and allowed, and leaks nothing', () => {
    const before = rig.gpu.allocatedBytes;
    const {maxBufferSize, maxStorageBufferBindingSize} = rig.gpu.device.limits;
    const storage = Math.min(maxBufferSize, maxStorageBufferBindingSize);
    for (const [usage, allowed] of [
      [GPUBufferUsage.STORAGE, storage],
      [GPUBufferUsage.COPY_DST, maxBufferSize],
    ]) {
      const make = (): unknown => rig.gpu.createBuffer('test/huge', allowed + 1, usage);
      expect(make).toThrow(GpuLimitError);
      expect(make).toThrow(
        expect.objectContaining({code: 'GPU_LIMIT', asked: Math.ceil((allowed + 1) / 4) * 4, allowed}),
      );
    }
    using scratch = new Scratch(rig.gpu, 'test');
    scratch.take('words', 64);
    expect(() => scratch.take('words', storage + 4)).toThrow(GpuLimitError);
    expect(scratch.take('words', 64).size).toBe(64);
    scratch.destroy();
    expect(rig.gpu.allocatedBytes).toBe(before);
  });

  it('does not destroy a caller’s device', async () => {
    const {adapter} = await findAdapter();
    const device = await adapter.requestDevice();
    const borrowed = await openGpu({device});
    borrowed.destroy();
    expect(() => borrowed.createBuffer('test/late', 16, GPUBufferUsage.STORAGE)).toThrow('destroyed by its owner');
    const again = await openGpu({device});
    expect(again.createBuffer('test/alive', 16, GPUBufferUsage.STORAGE).size).toBe(16);
    device.destroy();
  });
});

describeGpu('guard', () => {
  const rig = withGpu();

  it('returns the result of the work', async () => {
    expect(await rig.gpu.guard('test', async () => 42)).toBe(42);
  });

  it('rejects with the error of the work, and the next call works', async () => {
    const failure = new RangeError('mine');
    await expect(
      rig.gpu.guard('test', async () => {
        throw failure;
      }),
    ).rejects.toBe(failure);
    expect(await rig.gpu.guard('test', async () => 'fine')).toBe('fine');
  });

  it('queues calls, so that each sees its own errors', async () => {
    const order: string[] = [];
    const step = (name: string): Promise<void> =>
      rig.gpu.guard(name, async () => {
        order.push(`${name} begins`);
        await rig.gpu.device.queue.onSubmittedWorkDone();
        order.push(`${name} ends`);
      });
    await Promise.all([step('a'), step('b')]);
    expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
  });

  it('replaces kept buffers after a failure, because they may be invalid', async () => {
    using scratch = new Scratch(rig.gpu, 'test');
    const kept = await rig.gpu.guard('test', async () => scratch.take('words', 64));
    expect(scratch.take('words', 64)).toBe(kept);
    const failing = rig.gpu.guard('test', async () => {
      throw new RangeError('mine');
    });
    await expect(failing).rejects.toThrow('mine');
    expect(scratch.take('words', 64)).not.toBe(kept);
  });

  it.for([
    new InvalidParameterError('n', -1, 'an integer ≥ 0'),
    new InvalidPointsError('point 1, axis 1 = NaN; expected a finite coordinate', 1),
    new RunAbortedError('index', 'enough'),
  ])('keeps buffers after $name, because the device has not failed', async (refusal) => {
    using scratch = new Scratch(rig.gpu, 'test');
    const kept = await rig.gpu.guard('test', async () => scratch.take('words', 64));
    const refused = rig.gpu.guard('test', async () => {
      throw refusal;
    });
    await expect(refused).rejects.toBe(refusal);
    expect(scratch.take('words', 64)).toBe(kept);
  });

  it('turns a validation error of the device into an exception that names the work', async () => {
    const invalid = rig.gpu.guard('copying nonsense', async () => {
      const source = rig.gpu.device.createBuffer({size: 16, usage: GPUBufferUsage.STORAGE});
      const encoder = rig.gpu.device.createCommandEncoder();
      encoder.copyBufferToBuffer(source, 0, source, 0, 16);
      rig.gpu.device.queue.submit([encoder.finish()]);
    });
    await expect(invalid).rejects.toThrow(/^copying nonsense: /);
    expect(await rig.gpu.guard('test', async () => 'fine')).toBe('fine');
  });

  it('turns out of memory into GpuLimitError', async () => {
    // Dawn's null backend allows 512 MiB in total, and reports out of memory like a driver.
    const nullGpu = await gpuInstance('null', ['backend=null']);
    const device = await (await nullGpu.requestAdapter())?.requestDevice();
    if (!device) throw new Error('Dawn has no null backend');
    using small = await openGpu({device});
    const greedy = small.guard('three buffers', async () => {
      for (let k = 0; k < 3; k++) small.createBuffer(`test/${k}`, 200 * 2 ** 20, GPUBufferUsage.COPY_DST);
    });
    await expect(greedy).rejects.toThrow(GpuLimitError);
    await expect(greedy).rejects.toThrow(/device memory for three buffers.*out of memory/i);
    device.destroy();
  });
});
