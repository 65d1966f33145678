import {afterAll, beforeAll, expect, it} from 'vitest';
import {RunLength, Scan} from '@epsball/gpu-primitives';
import {describeGpu} from '@epsball/gpu/testing';
import {COUNTS, isSame, runsOf, SHAPE_NAMES, SHAPES} from './runReference.ts';
import {openSession, teamworkOn, words, type Session} from './session.ts';

describeGpu('RunLength', () => {
  let session: Session;
  beforeAll(async () => {
    session = await openSession();
  });
  afterAll(() => session[Symbol.dispose]());

  it.for(SHAPE_NAMES)('finds keys, starts and lengths of keys %s', async (shape) => {
    for (const cooperation of teamworkOn(session.gpu)) {
      using runLength = await RunLength.create(session.gpu, {cooperation});
      for (const count of COUNTS) {
        const keys = SHAPES[shape](count);
        expect(await runLength.run(keys), `${cooperation}, count ${count}`).toEqual(runsOf(keys));
      }
    }
  });

  it('finds runs in workgroups on every adapter', async () => {
    using runLength = await RunLength.create(session.gpu, {cooperation: 'workgroups'});
    for (const count of [0, 1, 257, 5000]) {
      const keys = words(count, 3, 2);
      expect(await runLength.run(keys), `count ${count}`).toEqual(runsOf(keys));
    }
  });

  it.for([2 ** 20 + 3, 65_535 * 256 + 1])('finds those of %i keys', async (count) => {
    using runLength = await RunLength.create(session.gpu);
    const keys = SHAPES['in long runs'](count);
    const found = await runLength.run(keys);
    const expected = runsOf(keys);
    for (const what of ['uniqueKeys', 'starts', 'lengths'] as const) {
      expect(isSame(found[what], expected[what]), what).toBe(true);
    }
  });

  it('compares both words of 64-bit keys', async () => {
    using runLength = await RunLength.create(session.gpu, {key: 'u64'});
    for (const count of COUNTS) {
      // Of two bits in all, so that runs differ in one word, in the other, or in both.
      const keys = words(2 * count, count + 9, 1);
      const wide = new BigUint64Array(keys.buffer);
      const starts = Array.from(wide.keys()).filter((i) => i === 0 || wide[i] !== wide[i - 1]);
      const found = await runLength.run(keys);
      expect([...found.starts], `count ${count}`).toEqual(starts);
      const unique = new BigUint64Array(found.uniqueKeys.buffer);
      expect([...unique]).toEqual(starts.map((i) => wide[i]));
      expect([...found.lengths]).toEqual(starts.map((start, k) => (starts[k + 1] ?? count) - start));
    }
  });

  it('writes only what is wanted', async () => {
    using runLength = await RunLength.create(session.gpu);
    const keys = words(5000, 4, 2);
    const expected = runsOf(keys);
    const [input, starts, runCount] = [await session.buffer(keys), await session.buffer(5000), await session.buffer(1)];
    await session.run((pass) => runLength.encode(pass, {keys: input, starts, runCount, count: keys.length}));
    const runs = expected.starts.length;
    expect((await session.read(runCount, new Uint32Array(1)))[0]).toBe(runs);
    expect(await session.read(starts, new Uint32Array(runs))).toEqual(expected.starts);
  });

  it('takes a count from the device, and its own runCount is one', async () => {
    using runLength = await RunLength.create(session.gpu);
    using scan = await Scan.create(session.gpu);
    const atMost = 9000;
    const keys = words(atMost, 6, 1);
    const input = await session.buffer(keys);
    for (const count of [0, 1, 2817, 8999, 9000, 2 ** 31]) {
      const counts = await session.buffer(Uint32Array.of(0, 0, count));
      const [lengths, ends, runCount] = [
        await session.buffer(atMost),
        await session.buffer(new Uint32Array(atMost).fill(0xdead)),
        await session.buffer(1),
      ];
      await session.run((pass) => {
        runLength.encode(pass, {keys: input, lengths, runCount, count: {buffer: counts, offset: 8, atMost}});
        scan.encode(pass, {input: lengths, output: ends, count: {buffer: runCount, atMost}});
      });
      const expected = runsOf(keys.subarray(0, count));
      const runs = expected.starts.length;
      expect((await session.read(runCount, new Uint32Array(1)))[0], `count ${count}`).toBe(runs);
      // The exclusive sum of the lengths is where the runs start; what is behind them stays.
      const whole = new Uint32Array(atMost).fill(0xdead);
      whole.set(expected.starts);
      expect(await session.read(ends, new Uint32Array(atMost))).toEqual(whole);
    }
  });

  it('works on parts of buffers, opens a pass on an encoder, and leaves the rest alone', async () => {
    using runLength = await RunLength.create(session.gpu);
    const keys = words(3000, 8, 1);
    const whole = (part: ArrayLike<number>): Uint32Array => {
      const placed = new Uint32Array(3000 + 128).fill(0xdead);
      placed.set(part, 64);
      return placed;
    };
    const buffers: GPUBuffer[] = [];
    for (const part of [keys, [], [], []]) buffers.push(await session.buffer(whole(part)));
    const [input, uniqueKeys, starts, lengths] = buffers.map((buffer) => ({buffer, offset: 256, size: 12_000}));
    const runCount = await session.buffer(1);
    await session.gpu.guard('test', async () => {
      const encoder = session.gpu.device.createCommandEncoder();
      runLength.encode(encoder, {keys: input, uniqueKeys, starts, lengths, runCount, count: 3000});
      session.gpu.device.queue.submit([encoder.finish()]);
    });
    const expected = runsOf(keys);
    const read = (k: number): Promise<Uint32Array> => session.read(buffers[k], new Uint32Array(3128));
    expect(await read(1)).toEqual(whole(expected.uniqueKeys));
    expect(await read(2)).toEqual(whole(expected.starts));
    expect(await read(3)).toEqual(whole(expected.lengths));
  });

  it('rejects what does not fit', async () => {
    using runLength = await RunLength.create(session.gpu);
    const [keys, starts, runCount] = [await session.buffer(100), await session.buffer(50), await session.buffer(1)];
    const encode = (count: number, more = {}): void => {
      const encoder = session.gpu.device.createCommandEncoder();
      runLength.encode(encoder, {keys, runCount, count, ...more});
    };
    expect(() => encode(100, {starts})).toThrow('bytes of starts = 200; expected at least 400');
    expect(() => encode(-1)).toThrow('count = -1');
    expect(() => encode(101)).toThrow('bytes of keys');
    expect(() => encode(4, {keys: {buffer: keys, offset: 4}})).toThrow('offset of keys = 4');
  });
});
