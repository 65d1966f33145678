import {describe, expect, it} from 'vitest';
import {InvalidParameterError} from '@epsball/clustering';
import type {AdapterInfo} from '@epsball/gpu';
import {RadixSort, type Cooperation, type SortKey} from '@epsball/gpu-primitives';
import {describeGpu, HAS_SLOW_COMPILER} from '@epsball/gpu/testing';
import {itKeepsTheContract} from './contract.ts';
import {countsFor, largeCounts} from './counts.ts';
import {expectWords, keyOf, mixedFloats, ORDERED_FLOATS} from './reference.ts';
import {compile, withSession, words} from './session.ts';
import {expectSorted, expectedCooperation, hostileKeys, type BitRange, type SortVariant} from './sorts.ts';

/** Every kind of key and value; few with barriers, because CPUs take seconds to compile each. */
const LONE_VARIANTS: readonly SortVariant[] = [
  {key: 'f32', values: 'index', cooperation: 'none'},
  {key: 'i32', values: 'none', cooperation: 'none'},
  {key: 'u64', values: 'words', cooperation: 'none'},
  {key: 'u64', values: 'index', cooperation: 'none'},
];
const TEAM_VARIANTS: readonly SortVariant[] = [
  {key: 'f32', values: 'index', cooperation: 'workgroups'},
  {key: 'i32', values: 'none', cooperation: 'subgroups'},
  {key: 'u64', values: 'words', cooperation: 'workgroups'},
];
const KEYS: readonly SortKey[] = ['u32', 'i32', 'f32', 'u64'];
const COOPERATIONS: readonly Cooperation[] = ['workgroups', 'subgroups', 'none'];
/** SwiftShader has subgroups of four: its short runs take workgroups for both. */
const COMPARED = HAS_SLOW_COMPILER ? COOPERATIONS.filter((one) => one !== 'subgroups') : COOPERATIONS;
const ALL_VARIANTS: readonly SortVariant[] = KEYS.flatMap((key) =>
  (['words', 'index', 'none'] as const).flatMap((values) =>
    COOPERATIONS.map((cooperation) => ({key, values, cooperation})),
  ),
);

/** On hardware, which compiles fast, every combination. */
function variantsOn({kind}: AdapterInfo): readonly SortVariant[] {
  if (kind === 'hardware') return ALL_VARIANTS;
  return kind === 'bundled' ? LONE_VARIANTS : [...LONE_VARIANTS, ...TEAM_VARIANTS];
}

const PAIRS = {key: 'u32', values: 'words'} as const;
/** Counts around 24 tiles, where a workgroup per digit takes over the scan. */
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
  const session = withSession(async (gpu) => {
    await compile(variantsOn(gpu.info).map((variant) => RadixSort.create(gpu, variant)));
    const [workgroups, subgroups, none] = await Promise.all(
      COOPERATIONS.map((cooperation) => RadixSort.create(gpu, {cooperation})),
    );
    for (const sort of [workgroups, subgroups, none]) sort.reserve(5000);
    return {workgroups, subgroups, none};
  });
  const sorts: Readonly<Record<Cooperation, RadixSort>> = session;

  it('uses independent invocations on a CPU by default', async () => {
    using sort = await RadixSort.create(session.gpu);
    if (session.gpu.info.kind !== 'hardware') expect(sort.cooperation).toBe('none');
    else expect(sort.cooperation).not.toBe('none');
  });

  describe.for(COMPARED)('ranking with cooperation: %s', (cooperation) => {
    it('reports its cooperation, if the adapter supports it', () =>
      expect(sorts[cooperation].cooperation).toBe(expectedCooperation(session, cooperation)));

    it('moves pairs stably at every count', async () => {
      const isSlow = session.gpu.info.kind === 'bundled' && cooperation !== 'none';
      const more = isSlow ? SCAN_COUNTS.slice(1, 2) : SCAN_COUNTS;
      for (const count of [...countsFor(session.gpu, 'sort'), ...more]) {
        await expectSorted(session, sorts[cooperation], PAIRS, words(count, count + 11), {}, `count ${count}`);
      }
      // Few distinct values, so that the order of equal keys matters.
      for (const count of [257, 9001]) await expectSorted(session, sorts[cooperation], PAIRS, words(count, 7, 3));
    });

    it('sorts keys that are equal, in order, or different in each lane', async () => {
      const isSlow = session.gpu.info.kind === 'bundled' && cooperation !== 'none';
      for (const [what, host] of hostileKeys(isSlow ? 2100 : 9001))
        await expectSorted(session, sorts[cooperation], PAIRS, host, {}, what);
    });

    it('sorts by a range of bits', async () => {
      for (const range of RANGES) {
        await expectSorted(session, sorts[cooperation], PAIRS, words(5001, 4), range, JSON.stringify(range));
      }
    });
  });

  it('takes millions of pairs', async () => {
    for (const count of largeCounts(session.gpu, 'sort')) {
      // On a CPU, the default cooperation; lavapipe also runs one of the others in turn.
      const turn = session.gpu.info.kind === 'system-software' && count < 2 ** 21 ? [COOPERATIONS[count % 2]] : [];
      const taken = session.gpu.info.kind === 'hardware' ? COOPERATIONS : (['none', ...turn] as const);
      for (const cooperation of taken)
        await expectSorted(session, sorts[cooperation], PAIRS, words(count, 5), {}, count);
    }
  });

  it('moves other keys and values at every count', async () => {
    for (const variant of variantsOn(session.gpu.info)) {
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

  it('sorts f32 by their bits: −NaN, −∞, …, −0, +0, …, +∞, NaN', async () => {
    using sort = await RadixSort.create(session.gpu, {key: 'f32', values: 'index'});
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

  it('names an invalid range of bits, and missing values', async () => {
    const keys = await session.buffer(4);
    const encoder = session.gpu.device.createCommandEncoder();
    const attempt = (range: BitRange) => () =>
      sorts.none.encode(encoder, {input: {keys, values: keys}, other: {keys, values: keys}, count: 1, ...range});
    for (const endBit of [33, -1, 1.5]) {
      expect(attempt({endBit})).toThrow(InvalidParameterError);
      expect(attempt({endBit})).toThrow(`endBit = ${endBit}; expected an integer, 0 … 32`);
    }
    for (const beginBit of [9, -1, 0.5]) {
      expect(attempt({beginBit, endBit: 8})).toThrow(`beginBit = ${beginBit}; expected an integer, 0 … endBit = 8`);
    }
    expect(() => sorts.none.encode(encoder, {input: {keys}, other: {keys}, count: 1})).toThrow(
      'values = undefined; expected a buffer',
    );
  });

  it('sorts typed arrays', async () => {
    const sorted = await sorts.none.run(Uint32Array.of(3, 2 ** 32 - 1, 0, 3), Uint32Array.of(1, 2, 3, 4));
    expect(sorted).toEqual({keys: Uint32Array.of(0, 3, 3, 2 ** 32 - 1), values: Uint32Array.of(3, 1, 4, 2)});
    expect(await sorts.none.run(new Uint32Array(0))).toEqual({
      keys: new Uint32Array(0),
      values: new Uint32Array(0),
    });
    await expect(sorts.none.run(Uint32Array.of(1, 2), Uint32Array.of(1))).rejects.toThrow(
      'values.length = 1; expected 2, one per key',
    );
    using order = await RadixSort.create(session.gpu, {key: 'f32', values: 'index'});
    const floats = Float32Array.of(0, Number.NaN, -0, Number.NEGATIVE_INFINITY, 1.5, -1e-45);
    const argsort = await order.run(floats);
    expect(argsort.values).toEqual(Uint32Array.of(3, 5, 2, 0, 4, 1));
    expect(argsort.keys).toEqual(floats.toSorted());
    using wide = await RadixSort.create(session.gpu, {key: 'u64'});
    const big = await wide.run(BigUint64Array.of(2n ** 63n, 5n, 2n ** 32n), Uint32Array.of(1, 2, 3));
    expect(big).toEqual({keys: BigUint64Array.of(5n, 2n ** 32n, 2n ** 63n), values: Uint32Array.of(2, 3, 1)});
  });

  itKeepsTheContract(session, {
    inputNames: ['keys', 'input.values'],
    outputNames: ['other.keys', 'other.values'],
    inputs: (count, seed) => [words(count, seed, 4), Uint32Array.from({length: count}, (_, i) => i)],
    outputWords: (count) => [count, count],
    // One digit, so that the result is in `other`.
    encode: (target, [keys, values], [otherKeys, otherValues], count) =>
      sorts.none.encode(target, {
        input: {keys, values},
        other: {keys: otherKeys, values: otherValues},
        count,
        endBit: 4,
      }),
    expected: ([keys], count) => {
      const order = Uint32Array.from({length: count}, (_, i) => i).sort((a, b) => keys[a] - keys[b] || a - b);
      return [order.map((i) => keys[i]), order];
    },
  });
});
