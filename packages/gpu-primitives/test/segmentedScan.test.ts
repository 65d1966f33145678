import {afterAll, beforeAll, expect, it} from 'vitest';
import {SegmentedScan, type Element, type Operator} from '@epsball/gpu-primitives';
import {describeGpu} from '@epsball/gpu/testing';
import {
  COUNTS,
  GROUP_BOUNDARY,
  isSame,
  segmentedScan,
  SHAPE_NAMES,
  SHAPES,
  specialWords,
  wordsOf,
  raw,
  typed,
} from './runReference.ts';
import {openSession, teamworkOn, words, type Session} from './session.ts';

/** Every operator and every type; f32 in order is below. */
const CASES: readonly (readonly [Operator, Element])[] = [
  ['sum', 'u32'],
  ['sum', 'f32'],
  ['min', 'u32'],
  ['max', 'i32'],
];

describeGpu('SegmentedScan', () => {
  let session: Session;
  beforeAll(async () => {
    session = await openSession();
  });
  afterAll(() => session[Symbol.dispose]());

  it.for(CASES)('%s of %s words starts again with every key', async ([operator, element]) => {
    for (const cooperation of teamworkOn(session.gpu)) {
      using scan = await SegmentedScan.create(session.gpu, {operator, element, cooperation});
      for (const count of COUNTS) {
        const [keys, input] = [SHAPES['in short runs'](count), wordsOf(element, count)];
        const expected = segmentedScan((i) => keys[i] !== keys[i - 1], input, {isInclusive: false, operator, element});
        expect(raw(await scan.run(keys, typed(element, input))), `${cooperation}, count ${count}`).toEqual(expected);
      }
    }
  });

  it.for(SHAPE_NAMES)('includes the word itself if asked to, with keys %s', async (shape) => {
    const options = {isInclusive: true, operator: 'sum', element: 'u32'} as const;
    for (const cooperation of teamworkOn(session.gpu)) {
      using scan = await SegmentedScan.create(session.gpu, {isInclusive: true, cooperation});
      for (const count of COUNTS) {
        const [keys, input] = [SHAPES[shape](count), words(count, count + 1)];
        const expected = segmentedScan((i) => keys[i] !== keys[i - 1], input, options);
        expect(await scan.run(keys, input), `${cooperation}, count ${count}`).toEqual(expected);
      }
    }
  });

  it('scans in workgroups on every adapter', async () => {
    using scan = await SegmentedScan.create(session.gpu, {cooperation: 'workgroups'});
    const options = {isInclusive: false, operator: 'sum', element: 'u32'} as const;
    for (const count of [0, 1, 257, 5000]) {
      const [keys, input] = [words(count, 3, 2), words(count, 4)];
      const expected = segmentedScan((i) => keys[i] !== keys[i - 1], input, options);
      expect(await scan.run(keys, input), `count ${count}`).toEqual(expected);
    }
  });

  it('starts again at flags', async () => {
    using scan = await SegmentedScan.create(session.gpu, {segments: 'flags', operator: 'max'});
    const options = {isInclusive: false, operator: 'max', element: 'u32'} as const;
    for (const [count, rarity] of [
      [1, 1],
      [3000, 2],
      [9000, 5000],
      [9000, 2 ** 31],
    ]) {
      // Any word but 0 is a flag.
      const flags = words(count, 3).map((word) => (word % rarity === 0 ? word | 1 : 0));
      const input = words(count, 5);
      const expected = segmentedScan((i) => flags[i] !== 0, input, options);
      expect(await scan.run(flags, input), `one in ${rarity}`).toEqual(expected);
    }
  });

  it.for([2 ** 20 + 3, GROUP_BOUNDARY])('scans %i words', async (count) => {
    using scan = await SegmentedScan.create(session.gpu);
    const [keys, input] = [SHAPES['in long runs'](count), words(count, count + 1)];
    const options = {isInclusive: false, operator: 'sum', element: 'u32'} as const;
    const expected = segmentedScan((i) => keys[i] !== keys[i - 1], input, options);
    expect(isSame(await scan.run(keys, input), expected)).toBe(true);
  });

  it.for(['min', 'max'] as const)('%s follows totalOrder to the bit', async (operator) => {
    using scan = await SegmentedScan.create(session.gpu, {operator, element: 'f32', isInclusive: true});
    const input = specialWords(6000);
    for (const shape of SHAPE_NAMES) {
      const keys = SHAPES[shape](input.length);
      const options = {isInclusive: true, operator, element: 'f32'} as const;
      const expected = segmentedScan((i) => keys[i] !== keys[i - 1], input, options);
      expect(raw(await scan.run(keys, typed('f32', input))), shape).toEqual(expected);
    }
  });

  it('gives float sums that stay close, keep to their segment, and repeat', async () => {
    using scan = await SegmentedScan.create(session.gpu, {element: 'f32', isInclusive: true});
    const count = 200_000;
    const keys = SHAPES['in long runs'](count);
    const input = Float32Array.from(words(count, 2), (word) => word / 2 ** 32);
    // A NaN in one segment, an infinity in another: the rest must not see them.
    input[50_000] = Number.NaN;
    input[100_000] = Number.POSITIVE_INFINITY;
    const found = await scan.run(keys, input);
    let running = 0;
    let largestError = 0;
    for (let i = 0; i < count; i++) {
      running = (i > 0 && keys[i] === keys[i - 1] ? running : 0) + input[i];
      if (Number.isFinite(running)) largestError = Math.max(largestError, Math.abs(found[i] - running));
      else if (!Object.is(found[i], running)) largestError = Number.POSITIVE_INFINITY;
    }
    // 8192 terms below 1 in a tree of some 40 steps: 2^-24 · 40 · 8192 ≈ 0.02.
    expect(largestError).toBeLessThan(0.02);
    expect(raw(await scan.run(keys, input))).toEqual(raw(found));
  });

  it('takes a count from the device, parts of buffers and an encoder', async () => {
    using scan = await SegmentedScan.create(session.gpu);
    const atMost = 6000;
    const [keys, input] = [words(atMost, 6, 2), words(atMost, 7)];
    const whole = (part: Uint32Array): Uint32Array => {
      const placed = new Uint32Array(atMost + 128).fill(0xdead);
      placed.set(part, 64);
      return placed;
    };
    const part = (buffer: GPUBuffer): {buffer: GPUBuffer; offset: number} => ({buffer, offset: 256});
    const [keysIn, valuesIn] = [await session.buffer(whole(keys)), await session.buffer(whole(input))];
    const options = {isInclusive: false, operator: 'sum', element: 'u32'} as const;
    for (const count of [0, 1, 2817, 5999, 6000, 2 ** 31]) {
      const [counts, output] = [
        await session.buffer(Uint32Array.of(0, count)),
        await session.buffer(whole(new Uint32Array())),
      ];
      await session.gpu.guard('test', async () => {
        const encoder = session.gpu.device.createCommandEncoder();
        const buffers = {segments: part(keysIn), input: part(valuesIn), output: part(output)};
        scan.encode(encoder, {...buffers, count: {buffer: counts, offset: 4, atMost}});
        session.gpu.device.queue.submit([encoder.finish()]);
      });
      const expected = segmentedScan((i) => keys[i] !== keys[i - 1], input.subarray(0, count), options);
      expect(await session.read(output, new Uint32Array(atMost + 128)), `count ${count}`).toEqual(whole(expected));
    }
  });

  it('rejects what does not fit', async () => {
    using scan = await SegmentedScan.create(session.gpu);
    await expect(scan.run(new Uint32Array(3), new Uint32Array(4))).rejects.toThrow('segments.length = 3');
    const [segments, output] = [await session.buffer(100), await session.buffer(50)];
    const encoder = session.gpu.device.createCommandEncoder();
    expect(() => scan.encode(encoder, {segments, input: segments, output, count: 100})).toThrow(
      'bytes of output = 200',
    );
    expect(() => scan.encode(encoder, {segments, input: segments, output, count: 0.5})).toThrow('count = 0.5');
  });
});
