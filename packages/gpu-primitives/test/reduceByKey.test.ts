import {expect, it} from 'vitest';
import {Reduce, ReduceByKey, type Element, type Operator} from '@epsball/gpu-primitives';
import {describeGpu} from '@epsball/gpu/testing';
import {itKeepsTheContract} from './contract.ts';
import {largeCounts} from './counts.ts';
import {expectWords} from './reference.ts';
import {
  COUNTS,
  runsOf,
  SHAPE_NAMES,
  SHAPES,
  specialWords,
  teamworkAt,
  totalsOf,
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

describeGpu('ReduceByKey', () => {
  const session = withSession(async (gpu) => ({shared: await ReduceByKey.create(gpu)}));

  it.for(CASES)('%s of %s words combines every run', async ([operator, element]) => {
    for (const cooperation of teamworkOn(session.gpu)) {
      using reduce = await ReduceByKey.create(session.gpu, {operator, element, cooperation});
      for (const count of COUNTS) {
        const [keys, values] = [SHAPES['in short runs'](count), wordsOf(element, count)];
        const found = await reduce.run(keys, typed(element, values));
        expect(found.uniqueKeys, `${cooperation}, count ${count}`).toEqual(runsOf(keys).uniqueKeys);
        expect(raw(found.totals), `${cooperation}, count ${count}`).toEqual(totalsOf(keys, values, operator, element));
      }
    }
  });

  it.for(SHAPE_NAMES)('takes keys %s', async (shape) => {
    for (const cooperation of teamworkOn(session.gpu)) {
      using reduce = await ReduceByKey.create(session.gpu, {cooperation});
      for (const count of COUNTS) {
        const [keys, values] = [SHAPES[shape](count), words(count, count + 1)];
        const found = await reduce.run(keys, values);
        expect(found.uniqueKeys, `${cooperation}, count ${count}`).toEqual(runsOf(keys).uniqueKeys);
        expect(found.totals, `${cooperation}, count ${count}`).toEqual(totalsOf(keys, values, 'sum', 'u32'));
      }
    }
  });

  it('reduces in workgroups on every adapter', async () => {
    using reduce = await ReduceByKey.create(session.gpu, {cooperation: 'workgroups'});
    for (const count of [0, 1, 257, 5000]) {
      const [keys, values] = [words(count, 3, 2), words(count, 4)];
      const found = await reduce.run(keys, values);
      expect(found.totals, `count ${count}`).toEqual(totalsOf(keys, values, 'sum', 'u32'));
    }
  });

  it('reduces millions of words', async () => {
    for (const count of largeCounts(session.gpu, 'reduceByKey')) {
      const [keys, values] = [SHAPES['in long runs'](count), words(count, count + 1)];
      for (const cooperation of teamworkAt(session.gpu, count)) {
        using reduce = await ReduceByKey.create(session.gpu, {cooperation});
        const found = await reduce.run(keys, values);
        expectWords(found.uniqueKeys, runsOf(keys).uniqueKeys, `${cooperation}, ${count} words, keys`);
        expectWords(found.totals, totalsOf(keys, values, 'sum', 'u32'), `${cooperation}, ${count} words`);
      }
    }
  });

  it.for(['min', 'max'] as const)('%s follows totalOrder to the bit; NaN alone stays NaN', async (operator) => {
    using reduce = await ReduceByKey.create(session.gpu, {operator, element: 'f32'});
    const values = specialWords(6000);
    for (const shape of SHAPE_NAMES) {
      const keys = SHAPES[shape](values.length);
      const {totals} = await reduce.run(keys, typed('f32', values));
      expect(raw(totals), shape).toEqual(totalsOf(keys, values, operator, 'f32'));
    }
    const nan = new Uint32Array(6000).fill(operator === 'min' ? 0x7fc0_0000 : 0xffc0_0000);
    const {totals} = await reduce.run(new Uint32Array(6000), typed('f32', nan));
    expect([...raw(totals)]).toEqual([nan[0]]);
  });

  it('sums of −0 alone are −0', async () => {
    using reduce = await ReduceByKey.create(session.gpu, {element: 'f32'});
    const keys = Uint32Array.from({length: 6000}, (_, i) => (i < 3000 ? 1 : i));
    const {totals} = await reduce.run(keys, new Float32Array(6000).fill(-0));
    expect(totals.every((total) => Object.is(total, -0))).toBe(true);
  });

  it('gives reproducible float sums within the error bound, one per run', async () => {
    using reduce = await ReduceByKey.create(session.gpu, {element: 'f32'});
    const count = 200_000;
    const keys = SHAPES['in long runs'](count);
    const values = Float32Array.from(words(count, 2), (word) => word / 2 ** 32);
    values[50_000] = Number.NaN;
    values[100_000] = Number.POSITIVE_INFINITY;
    const {totals} = await reduce.run(keys, values);
    const {starts, lengths} = runsOf(keys);
    starts.forEach((start, k) => {
      const exact = values.subarray(start, start + lengths[k]).reduce((sum, value) => sum + value, 0);
      // 8192 terms below 1 in a tree of some 40 steps: 2^-24 · 40 · 8192 ≈ 0.02.
      if (Number.isFinite(exact)) expect(Math.abs(totals[k] - exact)).toBeLessThan(0.02);
      else expect(totals[k]).toBe(exact);
    });
    expect(raw((await reduce.run(keys, values)).totals)).toEqual(raw(totals));
  });

  it('compares both words of 64-bit keys', async () => {
    using reduce = await ReduceByKey.create(session.gpu, {key: 'u64'});
    const count = 7000;
    const keys = words(2 * count, 9, 1);
    const values = words(count, 10);
    const wide = new BigUint64Array(keys.buffer);
    // The same runs under keys of one word: 0 … 3.
    const narrow = Uint32Array.from(wide, (key) => Number(key >> 32n) * 2 + Number(key & 1n));
    const found = await reduce.run(wide, values);
    const expected = runsOf(narrow);
    expect(found.totals).toEqual(totalsOf(narrow, values, 'sum', 'u32'));
    expect([...found.uniqueKeys]).toEqual(Array.from(expected.starts, (start) => wide[start]));
  });

  it('accepts an empty input, and its runCount is a device count', async () => {
    using most = await Reduce.create(session.gpu, {operator: 'max', element: 'u32'});
    const [keys, values] = [words(6000, 6, 2), words(6000, 7)];
    const [keysIn, valuesIn, totals] = [
      await session.buffer(keys),
      await session.buffer(values),
      await session.buffer(6000),
    ];
    const [runCount, greatest] = [await session.buffer(1), await session.buffer(1)];
    await session.run((pass) => {
      session.shared.encode(pass, {keys: keysIn, values: valuesIn, totals, runCount, count: 6000});
      most.encode(pass, {input: totals, output: greatest, count: {buffer: runCount, atMost: 6000}});
    });
    const expected = totalsOf(keys, values, 'sum', 'u32');
    expectWords(await session.read(totals, new Uint32Array(expected.length)), expected);
    const [maximum] = await session.read(greatest, new Uint32Array(1));
    expect(maximum).toBe(expected.reduce((a, b) => Math.max(a, b), 0));
    await expect(session.shared.run(new Uint32Array(3), new Uint32Array(4))).rejects.toThrow('keys.length = 3');
    session.clear();
  });

  itKeepsTheContract(session, {
    inputNames: ['keys', 'values'],
    outputNames: ['uniqueKeys', 'totals', 'runCount'],
    inputs: (count, seed) => [words(count, seed, 2), words(count, seed + 50)],
    outputWords: (count) => [count, count, 1],
    encode: (target, [keys, values], [uniqueKeys, totals, runCount], count) =>
      session.shared.encode(target, {keys, values, uniqueKeys, totals, runCount, count}),
    expected: ([allKeys, values], count) => {
      const keys = allKeys.subarray(0, count);
      const {uniqueKeys} = runsOf(keys);
      return [uniqueKeys, totalsOf(keys, values, 'sum', 'u32'), Uint32Array.of(uniqueKeys.length)];
    },
  });
});
