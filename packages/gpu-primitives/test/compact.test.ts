import {describe, expect, it} from 'vitest';
import {Compact, type CompactOptions} from '@epsball/gpu-primitives';
import {describeGpu} from '@epsball/gpu/testing';
import {itKeepsTheContract} from './contract.ts';
import {countsFor, largeCounts} from './counts.ts';
import {expectWords} from './reference.ts';
import {compile, teamworkOn, withSession, words} from './session.ts';

interface Variant {
  readonly what: string;
  readonly options: CompactOptions;
}

const VARIANTS: readonly Variant[] = [
  {what: 'keeps words', options: {}},
  {what: 'keeps positions', options: {values: 'index'}},
  {what: 'partitions words', options: {isPartition: true}},
  {what: 'partitions positions', options: {values: 'index', isPartition: true}},
];

/** Expected start of the output. Uses loops, because `filter` does not accept 2^28 words. */
function compacted(
  flags: Uint32Array,
  values: Uint32Array,
  {values: from, isPartition}: CompactOptions,
): {kept: number; result: Uint32Array} {
  const result = new Uint32Array(flags.length);
  let length = 0;
  const append = (isKept: boolean): void => {
    for (let i = 0; i < flags.length; i++) {
      if ((flags[i] !== 0) === isKept) result[length++] = from === 'index' ? i : values[i];
    }
  };
  append(true);
  const kept = length;
  if (isPartition) append(false);
  return {kept, result: result.subarray(0, length)};
}

/** Flags of every kind: none, all, half, few, single ones at the ends. Any word except 0 keeps an element. */
function flagsOf(count: number): Uint32Array[] {
  const ends = new Uint32Array(count);
  if (count > 0) ends[0] = ends[count - 1] = 0x8000_0000;
  return [
    new Uint32Array(count),
    new Uint32Array(count).fill(0xffff_ffff),
    words(count, count + 6, 1),
    words(count, count + 8, 7).map((word) => (word === 0 ? 256 : 0)),
    ends,
  ];
}

describeGpu('Compact', () => {
  const session = withSession(async (gpu) => {
    await compile(VARIANTS.map(({options}) => Compact.create(gpu, options)));
    return {keep: await Compact.create(gpu)};
  });

  async function expectCompacted(compact: Compact, options: CompactOptions, flags: Uint32Array): Promise<void> {
    const count = flags.length;
    const host = words(count, count + 5);
    const {kept, result} = compacted(flags, host, options);
    const [valuesIn, flagsIn] = [await session.buffer(host), await session.buffer(flags)];
    const [output, keptCount] = [await session.buffer(count), await session.buffer(1)];
    const values = options.values === 'index' ? {} : {values: valuesIn};
    await session.run((pass) => compact.encode(pass, {...values, flags: flagsIn, output, keptCount, count}));
    expect((await session.read(keptCount, new Uint32Array(1)))[0], `kept of ${count}`).toBe(kept);
    expectWords(await session.read(output, new Uint32Array(result.length)), result, `count ${count}`);
    session.clear();
  }

  describe.for(VARIANTS)('$what', ({options}) => {
    it('in order, at every count', async () => {
      for (const cooperation of teamworkOn(session.gpu)) {
        using compact = await Compact.create(session.gpu, {...options, cooperation});
        for (const count of countsFor(session.gpu, 'compact')) {
          for (const flags of flagsOf(count)) await expectCompacted(compact, options, flags);
        }
      }
    });
  });

  it('partitions in workgroups on every adapter', async () => {
    using compact = await Compact.create(session.gpu, {isPartition: true, cooperation: 'workgroups'});
    for (const count of [0, 1, 257, 5000]) await expectCompacted(compact, {isPartition: true}, words(count, 3, 1));
  });

  it('takes millions of words', async () => {
    for (const count of largeCounts(session.gpu, 'compact'))
      await expectCompacted(session.keep, {}, words(count, 5, 1));
  });

  it('compacts and partitions typed arrays', async () => {
    const [flags, values] = [Uint32Array.of(0, 1, 0, 7, 0), Uint32Array.of(10, 11, 12, 13, 14)];
    expect(await session.keep.run(flags, values)).toEqual({values: Uint32Array.of(11, 13), keptCount: 2});
    expect(await session.keep.run(new Uint32Array(0), new Uint32Array(0))).toEqual({
      values: new Uint32Array(0),
      keptCount: 0,
    });
    using partition = await Compact.create(session.gpu, {values: 'index', isPartition: true});
    expect(await partition.run(flags)).toEqual({values: Uint32Array.of(1, 3, 0, 2, 4), keptCount: 2});
  });

  it('requires values, except for positions', async () => {
    await expect(session.keep.run(Uint32Array.of(1))).rejects.toThrow(
      'values.length = undefined; expected 1, one per flag',
    );
    const [flags, output, keptCount] = [await session.buffer(4), await session.buffer(4), await session.buffer(1)];
    const encoder = session.gpu.device.createCommandEncoder();
    expect(() => session.keep.encode(encoder, {flags, output, keptCount, count: 4})).toThrow(
      'expected a buffer, or the option',
    );
  });

  itKeepsTheContract(session, {
    inputNames: ['values', 'flags'],
    outputNames: ['output', 'keptCount'],
    inputs: (count, seed) => [words(count, seed), words(count, seed + 50, 1)],
    outputWords: (count) => [count, 1],
    encode: (target, [values, flags], [output, keptCount], count) =>
      session.keep.encode(target, {values, flags, output, keptCount, count}),
    expected: ([values, flags], count) => {
      const {kept, result} = compacted(flags.subarray(0, count), values.subarray(0, count), {});
      return [result, Uint32Array.of(kept)];
    },
  });
});
