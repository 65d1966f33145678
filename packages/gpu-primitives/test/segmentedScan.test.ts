import {expect, it} from 'vitest';
import {SegmentedScan, type Element, type Operator} from '@epsball/gpu-primitives';
import {describeGpu} from '@epsball/gpu/testing';
import {itKeepsTheContract} from './contract.ts';
import {largeCounts} from './counts.ts';
import {expectWords} from './reference.ts';
import {
  COUNTS,
  segmentedScan,
  SHAPE_NAMES,
  SHAPES,
  specialWords,
  teamworkAt,
  wordsOf,
  raw,
  typed,
} from './runReference.ts';
import {teamworkOn, withSession, words} from './session.ts';

/** Every operator and every type; f32 in order is below. */
const CASES: readonly (readonly [Operator, Element])[] = [
  ['sum', 'u32'],
  ['sum', 'f32'],
  ['min', 'u32'],
  ['max', 'i32'],
];

describeGpu('SegmentedScan', () => {
  const session = withSession(async (gpu) => ({shared: await SegmentedScan.create(gpu)}));

  it.for(CASES)('%s of %s words restarts at every new key', async ([operator, element]) => {
    for (const cooperation of teamworkOn(session.gpu)) {
      using scan = await SegmentedScan.create(session.gpu, {operator, element, cooperation});
      for (const count of COUNTS) {
        const [keys, input] = [SHAPES['in short runs'](count), wordsOf(element, count)];
        const expected = segmentedScan((i) => keys[i] !== keys[i - 1], input, {isInclusive: false, operator, element});
        expect(raw(await scan.run(keys, typed(element, input))), `${cooperation}, count ${count}`).toEqual(expected);
      }
    }
  });

  it.for(SHAPE_NAMES)('includes the word itself with isInclusive, for keys %s', async (shape) => {
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

  it('restarts at flags', async () => {
    using scan = await SegmentedScan.create(session.gpu, {segments: 'flags', operator: 'max'});
    const options = {isInclusive: false, operator: 'max', element: 'u32'} as const;
    for (const [count, rarity] of [
      [1, 1],
      [3000, 2],
      [9000, 5000],
      [9000, 2 ** 31],
    ]) {
      // Any word except 0 is a flag.
      const flags = words(count, 3).map((word) => (word % rarity === 0 ? word | 1 : 0));
      const input = words(count, 5);
      const expected = segmentedScan((i) => flags[i] !== 0, input, options);
      expect(await scan.run(flags, input), `one in ${rarity}`).toEqual(expected);
    }
  });

  it('scans millions of words', async () => {
    for (const count of largeCounts(session.gpu, 'segmentedScan')) {
      const [keys, input] = [SHAPES['in long runs'](count), words(count, count + 1)];
      const options = {isInclusive: false, operator: 'sum', element: 'u32'} as const;
      const expected = segmentedScan((i) => keys[i] !== keys[i - 1], input, options);
      for (const cooperation of teamworkAt(session.gpu, count)) {
        using scan = await SegmentedScan.create(session.gpu, {cooperation});
        expectWords(await scan.run(keys, input), expected, `${cooperation}, ${count} words`);
      }
    }
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

  it('gives reproducible float sums within the error bound, one per segment', async () => {
    using scan = await SegmentedScan.create(session.gpu, {element: 'f32', isInclusive: true});
    const count = 200_000;
    const keys = SHAPES['in long runs'](count);
    const input = Float32Array.from(words(count, 2), (word) => word / 2 ** 32);
    // A NaN in one segment and an infinity in another must not affect the rest.
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

  it('requires as many segments as words', async () => {
    await expect(session.shared.run(new Uint32Array(3), new Uint32Array(4))).rejects.toThrow('segments.length = 3');
  });

  itKeepsTheContract(session, {
    inputNames: ['segments', 'input'],
    outputNames: ['output'],
    inputs: (count, seed) => [words(count, seed, 2), words(count, seed + 50)],
    outputWords: (count) => [count],
    encode: (target, [segments, input], [output], count) =>
      session.shared.encode(target, {segments, input, output, count}),
    expected: ([keys, input], count) => {
      const options = {isInclusive: false, operator: 'sum', element: 'u32'} as const;
      return [segmentedScan((i) => keys[i] !== keys[i - 1], input.subarray(0, count), options)];
    },
  });
});
