import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {InvalidParameterError} from '@epsball/clustering';
import {RadixSort, type SortKey} from '@epsball/gpu-primitives';
import {describeGpu} from '@epsball/gpu/testing';
import {itKeepsTheContract, type Operation} from './contract.ts';
import {countsFor, largeCounts} from './counts.ts';
import {expectWords, keyOf, mixedFloats, ORDERED_FLOATS} from './reference.ts';
import {compile, openSession, words, type Session} from './session.ts';
import {expectSorted, expectUsesSubgroups, hostileKeys, type BitRange, type SortVariant} from './sorts.ts';

/** Every key, every kind of value and both rankings; on hardware, which compiles quickly, every combination. */
const VARIANTS: readonly SortVariant[] = [
  {key: 'f32', values: 'index', useSubgroups: false},
  {key: 'i32', values: 'none', useSubgroups: true},
  {key: 'u64', values: 'words', useSubgroups: false},
];
const KEYS: readonly SortKey[] = ['u32', 'i32', 'f32', 'u64'];
const ALL_VARIANTS: readonly SortVariant[] = KEYS.flatMap((key) =>
  (['words', 'index', 'none'] as const).flatMap((values) =>
    [false, true].map((useSubgroups) => ({key, values, useSubgroups})),
  ),
);

const PAIRS = {key: 'u32', values: 'words'} as const;
/** Around 24 tiles, from where on a workgroup scans a digit. */
const SCAN_COUNTS = [24 * 1024, 24 * 1024 + 1, 24 * 4096, 24 * 4096 + 1];
const RANGES: readonly BitRange[] = [
  {},
  {endBit: 0},
  {beginBit: 7, endBit: 7},
  {endBit: 1},
  {beginBit: 31},
  {beginBit: 5, endBit: 18},
  {endBit: 9},
  {beginBit: 3, endBit: 4},
  {beginBit: 24},
];
const RANGES_OF_TWO_WORDS: readonly BitRange[] = [
  {endBit: 32},
  {beginBit: 32},
  {beginBit: 20, endBit: 44},
  {beginBit: 31, endBit: 33},
  {beginBit: 33, endBit: 33},
  {beginBit: 63},
];

describeGpu('RadixSort', () => {
  let session: Session;
  let barriers: RadixSort;
  let subgroups: RadixSort;

  beforeAll(async () => {
    session = await openSession();
    const variants = [false, true].map((useSubgroups) => ({...PAIRS, useSubgroups}));
    await compile([...variants, ...VARIANTS].map((variant) => RadixSort.create(session.gpu, variant)));
    barriers = await RadixSort.create(session.gpu, {useSubgroups: false});
    subgroups = await RadixSort.create(session.gpu, {useSubgroups: true});
    for (const sort of [barriers, subgroups]) sort.reserve(5000);
  }, 300_000);
  afterAll(() => {
    barriers.destroy();
    subgroups.destroy();
    session[Symbol.dispose]();
  });

  const ranked = (useSubgroups: boolean): RadixSort => (useSubgroups ? subgroups : barriers);

  describe.for([false, true])('ranking with subgroups: %s', (useSubgroups) => {
    it('says so, where the adapter has them', () => expectUsesSubgroups(session, ranked(useSubgroups), useSubgroups));

    it('moves pairs stably at every count', {timeout: 120_000}, async () => {
      const more = session.gpu.info.kind === 'bundled' ? SCAN_COUNTS.slice(-1) : SCAN_COUNTS;
      for (const count of [...countsFor(session.gpu, 'sort'), ...more]) {
        await expectSorted(session, ranked(useSubgroups), PAIRS, words(count, count + 11), {}, `count ${count}`);
      }
      // Few values, so that stability shows.
      for (const count of [257, 9001]) await expectSorted(session, ranked(useSubgroups), PAIRS, words(count, 7, 3));
    });

    it('is right on keys that are all alike, in order, or each lane’s own', {timeout: 120_000}, async () => {
      for (const [what, host] of hostileKeys(9001))
        await expectSorted(session, ranked(useSubgroups), PAIRS, host, {}, what);
    });

    it('sorts by a range of bits', async () => {
      for (const range of RANGES) {
        await expectSorted(session, ranked(useSubgroups), PAIRS, words(5001, 4), range, JSON.stringify(range));
      }
    });
  });

  it('takes millions of pairs', {timeout: 600_000}, async () => {
    for (const count of largeCounts(session.gpu, 'sort')) {
      // Lavapipe's time goes to the two rankings by turns.
      const rankings = session.gpu.info.kind === 'hardware' ? [false, true] : [count % 2 === 0];
      for (const useSubgroups of rankings)
        await expectSorted(session, ranked(useSubgroups), PAIRS, words(count, 5), {}, count);
    }
  });

  it('moves other keys and values at every count', {timeout: 600_000}, async () => {
    const variants = session.gpu.info.kind === 'hardware' ? ALL_VARIANTS : VARIANTS;
    for (const variant of variants) {
      using sort = await RadixSort.create(session.gpu, variant);
      const keyWords = variant.key === 'u64' ? 2 : 1;
      const what = JSON.stringify(variant);
      for (const count of countsFor(session.gpu, 'sort')) {
        await expectSorted(session, sort, variant, words(count * keyWords, count + 5), {}, `${what} ${count}`);
      }
      if (variant.values === 'none') continue;
      await expectSorted(session, sort, variant, words(3000 * keyWords, 3, 2), {}, `${what}, few values`);
      const ranges = variant.key === 'u64' ? [...RANGES, ...RANGES_OF_TWO_WORDS] : RANGES;
      for (const range of ranges) {
        await expectSorted(
          session,
          sort,
          variant,
          words(2000 * keyWords, 8),
          range,
          `${what} ${JSON.stringify(range)}`,
        );
      }
    }
  });

  it('sorts f32 by the bits: −NaN, −∞, …, −0, +0, …, +∞, NaN', async () => {
    using sort = await RadixSort.create(session.gpu, {key: 'f32', values: 'index', useSubgroups: false});
    for (const host of [ORDERED_FLOATS.toReversed(), mixedFloats(5000, 3)]) {
      const [keys, values] = [await session.buffer(host), await session.buffer(host.length)];
      const other = {keys: await session.buffer(host.length), values: await session.buffer(host.length)};
      let sorted = {keys, values};
      await session.run((pass) => {
        sorted = sort.encode(pass, {input: {keys, values}, other, count: host.length});
      });
      const expected = host.toSorted((a, b) => keyOf(a, 'f32') - keyOf(b, 'f32'));
      expectWords(await session.read(sorted.keys, new Uint32Array(host.length)), expected);
      session.clear();
    }
    const floats = Float32Array.of(1, Number.NaN, -0, 0, -1, Number.NaN, Number.NEGATIVE_INFINITY, 1e-45, -1e-45);
    const {keys} = await sort.run(floats);
    expectWords(new Uint32Array(keys.buffer), new Uint32Array(floats.toSorted().buffer), 'as JavaScript sorts');
  });

  it('names a range of bits that the key does not have, and values that are missing', async () => {
    const keys = await session.buffer(4);
    const encoder = session.gpu.device.createCommandEncoder();
    const attempt = (range: BitRange) => () =>
      barriers.encode(encoder, {input: {keys, values: keys}, other: {keys, values: keys}, count: 1, ...range});
    for (const endBit of [33, -1, 1.5]) {
      expect(attempt({endBit})).toThrow(InvalidParameterError);
      expect(attempt({endBit})).toThrow(`endBit = ${endBit}; expected an integer, 0 … 32`);
    }
    for (const beginBit of [9, -1, 0.5]) {
      expect(attempt({beginBit, endBit: 8})).toThrow(`beginBit = ${beginBit}; expected an integer, 0 … endBit = 8`);
    }
    expect(() => barriers.encode(encoder, {input: {keys}, other: {keys}, count: 1})).toThrow(
      'values = undefined; expected a buffer',
    );
  });

  it('sorts typed arrays', async () => {
    const sorted = await barriers.run(Uint32Array.of(3, 2 ** 32 - 1, 0, 3), Uint32Array.of(1, 2, 3, 4));
    expect(sorted).toEqual({keys: Uint32Array.of(0, 3, 3, 2 ** 32 - 1), values: Uint32Array.of(3, 1, 4, 2)});
    expect(await barriers.run(new Uint32Array(0))).toEqual({keys: new Uint32Array(0), values: new Uint32Array(0)});
    await expect(barriers.run(Uint32Array.of(1, 2), Uint32Array.of(1))).rejects.toThrow(
      'values.length = 1; expected 2, one a key',
    );
    using order = await RadixSort.create(session.gpu, {key: 'f32', values: 'index', useSubgroups: false});
    const floats = Float32Array.of(0, Number.NaN, -0, Number.NEGATIVE_INFINITY, 1.5, -1e-45);
    const argsort = await order.run(floats);
    expect(argsort.values).toEqual(Uint32Array.of(3, 5, 2, 0, 4, 1));
    expect(argsort.keys).toEqual(floats.toSorted());
    using wide = await RadixSort.create(session.gpu, {key: 'u64', useSubgroups: false});
    const big = await wide.run(BigUint64Array.of(2n ** 63n, 5n, 2n ** 32n), Uint32Array.of(1, 2, 3));
    expect(big).toEqual({keys: BigUint64Array.of(5n, 2n ** 32n, 2n ** 63n), values: Uint32Array.of(2, 3, 1)});
  });

  itKeepsTheContract(
    () => session,
    (): Operation => ({
      inputNames: ['keys', 'input.values'],
      outputNames: ['other.keys', 'other.values'],
      inputs: (count, seed) => [words(count, seed, 4), Uint32Array.from({length: count}, (_, i) => i)],
      outputWords: (count) => [count, count],
      // One digit, so that the result lies in `other`.
      encode: (target, [keys, values], [otherKeys, otherValues], count) =>
        barriers.encode(target, {
          input: {keys, values},
          other: {keys: otherKeys, values: otherValues},
          count,
          endBit: 4,
        }),
      expected: ([keys], count) => {
        const order = Uint32Array.from({length: count}, (_, i) => i).sort((a, b) => keys[a] - keys[b] || a - b);
        return [order.map((i) => keys[i]), order];
      },
    }),
  );
});
