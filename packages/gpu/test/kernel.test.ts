import {readFileSync} from 'node:fs';
import {platform} from 'node:os';
import {expect, it} from 'vitest';
import {foldDispatch, Kernel, openGpu, ParamRing, ReadBack, Scratch, Uploader} from '@epsball/gpu';
import {probeWgsl} from './probe.wgsl.ts';
import {describeGpu, withGpu} from './testGpu.ts';

describeGpu('on a device', () => {
  const rig = withGpu(async (gpu) => ({
    scratch: new Scratch(gpu, 'test'),
    uploader: new Uploader(gpu, 'test'),
    reader: new ReadBack(gpu, 'test'),
  }));

  async function run(record: (pass: GPUComputePassEncoder) => void): Promise<void> {
    await rig.gpu.guard('test', async () => {
      const encoder = rig.gpu.device.createCommandEncoder();
      const pass = encoder.beginComputePass();
      record(pass);
      pass.end();
      rig.gpu.device.queue.submit([encoder.finish()]);
    });
  }

  it('a kernel binds its buffers by name, in any order, and ignores others', async () => {
    const kernel = await Kernel.create(rig.gpu, probeWgsl, 'addBias', {BIAS: 7});
    const [input, output] = [rig.scratch.take('input', 12), rig.scratch.take('output', 12)];
    await rig.uploader.upload(Uint32Array.of(1, 2, 0xffffffff), input);
    const buffers = {somethingElse: input, output, input};
    await run((pass) => kernel.dispatchOver(pass, kernel.bind(buffers), 3));
    const words = new Uint32Array(3);
    await rig.reader.read(output, words);
    expect([...words]).toEqual([8, 9, 6]);
  });

  // Linux allows a process 65,530 mappings, and lavapipe maps a page for each bind group.
  it.runIf(platform() === 'linux')('bind groups that nothing holds do not pile up', async () => {
    const mappings = (): number => readFileSync('/proc/self/maps', 'latin1').split('\n').length;
    const kernel = await Kernel.create(rig.gpu, probeWgsl, 'addBias');
    const [input, output] = [rig.scratch.take('many', 16 * 1024), rig.scratch.take('output', 12)];
    // With much in its heap, V8 collects seldom by itself.
    const heap = Array.from({length: 3_000_000}, (_, k) => ({k}));
    const before = mappings();
    for (let k = 0; k < 50_000; k++) {
      const part = {buffer: input, offset: 256 * (k % 64), size: 4 + 4 * (k % 63)};
      const group = kernel.bind({input: part, output});
      if (k % 500 === 0) await run((pass) => kernel.dispatchOver(pass, group, 1));
    }
    expect(heap).toHaveLength(3_000_000);
    expect(mappings() - before).toBeLessThan(20_000);
  });

  it('a missing buffer, an unknown override and an unknown entry point do not compile', async () => {
    const kernel = await Kernel.create(rig.gpu, probeWgsl, 'addBias');
    const input = rig.scratch.take('input', 12);
    // @ts-expect-error output is missing
    expect(() => kernel.bind({input})).toThrow();
    // @ts-expect-error the kernel has no such override
    await expect(Kernel.create(rig.gpu, probeWgsl, 'addBias', {BAIS: 7})).rejects.toThrow('BAIS');
    // @ts-expect-error the kernel has no such entry point
    await expect(Kernel.create(rig.gpu, probeWgsl, 'addBase')).rejects.toThrow('addBase');
  });

  it('the same buffers get the same bind group, until many others have been bound', async () => {
    const kernel = await Kernel.create(rig.gpu, probeWgsl, 'addBias');
    const [input, output] = [rig.scratch.take('input', 512), rig.scratch.take('output', 512)];
    const group = kernel.bind({input, output});
    expect(kernel.bind({output, input})).toBe(group);
    const again = await Kernel.create(rig.gpu, probeWgsl, 'addBias');
    expect(again.bind({input, output}), 'of a second kernel').toBe(group);
    expect(kernel.bind({input: output, output: input})).not.toBe(group);
    const half = kernel.bind({input: {buffer: input, size: 256}, output});
    expect(half).not.toBe(group);
    expect(kernel.bind({input: {buffer: input, size: 256}, output})).toBe(half);
    expect(kernel.bind({input: {buffer: input, offset: 256, size: 256}, output})).not.toBe(half);
    for (let k = 1; k <= 64; k++) kernel.bind({input: {buffer: input, size: 4 * k}, output});
    expect(kernel.bind({input, output})).not.toBe(group);
  });

  it('a kernel is created once, and again after a failure', async () => {
    const kernel = await Kernel.create(rig.gpu, probeWgsl, 'addBias', {BIAS: 3});
    expect(await Kernel.create(rig.gpu, probeWgsl, 'addBias', {BIAS: 3})).toBe(kernel);
    expect(await Kernel.create(rig.gpu, probeWgsl, 'addBias', {BIAS: 4})).not.toBe(kernel);
    expect(await Kernel.create(rig.gpu, probeWgsl, 'addBias')).not.toBe(kernel);
    const [a, b, c] = await Promise.all([5, 5, 6].map((BIAS) => Kernel.create(rig.gpu, probeWgsl, 'addBias', {BIAS})));
    expect(a).toBe(b);
    expect(a.pipeline).not.toBe(c.pipeline);
    // @ts-expect-error the kernel has no such entry point
    const first = Kernel.create(rig.gpu, probeWgsl, 'addBase');
    await expect(first).rejects.toThrow('addBase');
    // @ts-expect-error in the second call as well
    const second = Kernel.create(rig.gpu, probeWgsl, 'addBase');
    expect(second).not.toBe(first);
    await expect(second).rejects.toThrow('addBase');
  });

  it('a buffer that replaces a destroyed one gets a new bind group', async () => {
    const kernel = await Kernel.create(rig.gpu, probeWgsl, 'addBias', {BIAS: 3});
    const input = rig.scratch.take('input', 12);
    await rig.uploader.upload(Uint32Array.of(1, 2, 3), input);
    for (const bytes of [12, 4096]) {
      const output = rig.scratch.take('grown', bytes);
      await run((pass) => kernel.dispatchOver(pass, kernel.bind({input, output}), 3));
      const words = new Uint32Array(3);
      await rig.reader.read(output, words);
      expect([...words]).toEqual([4, 5, 6]);
    }
  });

  it('a slice binds `size` bytes from its offset on', async () => {
    const kernel = await Kernel.create(rig.gpu, probeWgsl, 'addBias', {BIAS: 1});
    const [input, output] = [rig.scratch.take('input', 1024), rig.scratch.take('output', 1024)];
    await rig.uploader.upload(
      Uint32Array.from({length: 256}, (_, k) => k),
      input,
    );
    await rig.uploader.upload(new Uint32Array(256), output);
    const group = kernel.bind({
      input: {buffer: input, offset: 512, size: 8},
      output: {buffer: output, offset: 256},
    });
    await run((pass) => kernel.dispatchOver(pass, group, 256));
    const words = new Uint32Array(256);
    await rig.reader.read(output, words);
    const expected = new Uint32Array(256);
    expected.set([129, 130], 64);
    expect(words).toEqual(expected);
  });

  it('parameters of every type reach the kernel', async () => {
    using params = new ParamRing(rig.gpu, 'test/params', 3);
    const kernel = await Kernel.create(rig.gpu, probeWgsl, 'copyParams');
    const output = rig.scratch.take('output', 72);
    const values = {
      length: 0xffffffff,
      shift: -5,
      scale: 0.1,
      corner: [1.5, -2.5, 1e30],
      strides: [1, 2, 3, 0x80000000],
      table: [-1, 2, -3, 4, -5, 6, -7, 8],
    };
    // Old slots do not affect new ones.
    for (let k = 0; k < 7; k++) params.write(probeWgsl.structs.ProbeParams, {...values, length: k, scale: k});
    const slot = params.write(probeWgsl.structs.ProbeParams, values);
    await run((pass) => kernel.dispatch(pass, kernel.bind({params: slot, output}), [1, 1, 1]));
    const words = new Uint32Array(18);
    await rig.reader.read(output, words);
    expect(words[0]).toBe(0xffffffff);
    expect(new Int32Array(words.buffer)[1]).toBe(-5);
    expect([...new Float32Array(words.buffer, 8, 4)]).toEqual([0.1, 1.5, -2.5, 1e30].map(Math.fround));
    expect([...words.subarray(6, 10)]).toEqual(values.strides);
    expect([...new Int32Array(words.buffer, 40)]).toEqual(values.table);
  });

  /** The first parameter that each of `count` dispatches of one submit reads. */
  async function lengthsSeen(params: ParamRing, count: number): Promise<number[]> {
    const kernel = await Kernel.create(rig.gpu, probeWgsl, 'copyParams');
    const output = rig.scratch.take('slots', 256 * count);
    const zeros = {shift: 0, scale: 0, corner: [0, 0, 0], strides: [0, 0, 0, 0], table: Array<number>(8).fill(0)};
    await run((pass) => {
      for (let k = 0; k < count; k++) {
        const slot = params.write(probeWgsl.structs.ProbeParams, {...zeros, length: 100 + k});
        const group = kernel.bind({params: slot, output: {buffer: output, offset: 256 * k, size: 72}});
        kernel.dispatch(pass, group, [1, 1, 1]);
      }
    });
    const words = new Uint32Array(64 * count);
    await rig.reader.read(output, words);
    return Array.from({length: count}, (_, k) => words[64 * k]);
  }

  it('parameters of one submit keep their values, also if they fill many blocks of slots', async () => {
    using params = new ParamRing(rig.gpu, 'test/params', 4);
    for (const count of [4, 5, 31 * 4]) {
      expect(await lengthsSeen(params, count)).toEqual(Array.from({length: count}, (_, k) => 100 + k));
    }
  });

  it('a submit with more different parameters than are kept fails and names the buffer', async () => {
    using own = await openGpu();
    using params = new ParamRing(own, 'test/params', 2);
    const kernel = await Kernel.create(own, probeWgsl, 'copyParams');
    using output = own.createBuffer('test/output', 72, GPUBufferUsage.STORAGE);
    const zeros = {shift: 0, scale: 0, corner: [0, 0, 0], strides: [0, 0, 0, 0], table: Array<number>(8).fill(0)};
    const submitted = own.guard('test', async () => {
      const encoder = own.device.createCommandEncoder();
      const pass = encoder.beginComputePass();
      for (let length = 0; length < 65; length++) {
        const slot = params.write(probeWgsl.structs.ProbeParams, {...zeros, length});
        kernel.dispatch(pass, kernel.bind({params: slot, output: output.buffer}), [1, 1, 1]);
      }
      pass.end();
      own.device.queue.submit([encoder.finish()]);
    });
    await expect(submitted).rejects.toThrow(/test\/params.*submit/);
  });

  it('equal parameters share a slot and create no buffer', () => {
    using params = new ParamRing(rig.gpu, 'test/params', 2);
    const CountParams = {size: 8, fields: {count: {offset: 0, type: 'u32'}, shift: {offset: 4, type: 'i32'}}} as const;
    const first = params.write(CountParams, {count: 5, shift: -1});
    const before = rig.gpu.allocatedBytes;
    for (let k = 0; k < 1000; k++) expect(params.write(CountParams, {count: 5, shift: -1})).toEqual(first);
    expect(params.write(CountParams, {count: 5, shift: 1}).offset).not.toBe(first.offset);
    expect(rig.gpu.allocatedBytes).toBe(before);
    // The number of kept blocks is limited.
    for (let count = 0; count < 1000; count++) params.write(CountParams, {count, shift: 0});
    expect(rig.gpu.allocatedBytes - before).toBe(31 * 512);
  });

  it('more than 65535 workgroups, folded on the host, run once each', async () => {
    const count = 70_001;
    const kernel = await Kernel.create(rig.gpu, probeWgsl, 'countVisits');
    const visits = rig.scratch.take('visits', 4 * count);
    await rig.uploader.upload(new Uint32Array(count), visits);
    const group = kernel.bind({visits: {buffer: visits, size: 4 * count}});
    await run((pass) => kernel.dispatch(pass, group, foldDispatch(count)));
    const words = new Uint32Array(count);
    await rig.reader.read(visits, words);
    expect(words.every((word) => word === 1)).toBe(true);
  });

  it('more than 65535 workgroups, folded by a kernel, run once each', async () => {
    const count = 70_001;
    const [fold, visit] = [
      await Kernel.create(rig.gpu, probeWgsl, 'foldOnDevice'),
      await Kernel.create(rig.gpu, probeWgsl, 'countVisits'),
    ];
    const [input, counts, visits] = [
      rig.scratch.take('input', 16),
      rig.scratch.take('counts', 16),
      rig.scratch.take('visits', 4 * count),
    ];
    await rig.uploader.upload(Uint32Array.of(count), input);
    await rig.uploader.upload(new Uint32Array(count), visits);
    await run((pass) => {
      fold.dispatch(pass, fold.bind({input: {buffer: input, size: 4}, output: counts}), [1, 1, 1]);
      visit.dispatchIndirect(pass, visit.bind({visits: {buffer: visits, size: 4 * count}}), counts);
    });
    const words = new Uint32Array(count);
    await rig.reader.read(visits, words);
    expect(words.every((word) => word === 1)).toBe(true);
  });

  it('the device folds as the host does, in two dimensions', async () => {
    const counts = Uint32Array.of(0, 1, 65_534, 65_535, 65_536, 131_070, 131_071, 65_535 ** 2 - 1, 65_535 ** 2);
    const kernel = await Kernel.create(rig.gpu, probeWgsl, 'foldOnDevice');
    const [input, output] = [
      rig.scratch.take('foldInput', 4 * counts.length),
      rig.scratch.take('folds', 12 * counts.length),
    ];
    await rig.uploader.upload(counts, input);
    await run((pass) => kernel.dispatch(pass, kernel.bind({input, output}), [1, 1, 1]));
    const words = new Uint32Array(3 * counts.length);
    await rig.reader.read(output, words);
    expect([...words]).toEqual([...counts].flatMap((count) => foldDispatch(count)));
  });
});
