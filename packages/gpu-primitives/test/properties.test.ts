import {assert, asyncProperty, integer, nat} from 'fast-check';
import {afterAll, beforeAll, expect, it} from 'vitest';
import {Compact, Gather, Histogram, RadixSort, Reduce, Scan, Scatter} from '@epsball/gpu-primitives';
import {openSession, words, type Session} from './session.ts';
import {describeGpu} from '@epsball/gpu/testing';

const RUNS = 25;
const length = integer({min: 0, max: 9000});
const seed = nat();

describeGpu('for any input', () => {
  let session: Session;
  beforeAll(async () => {
    session = await openSession();
  });
  afterAll(() => session[Symbol.dispose]());

  it('a sort is a stable permutation, ascending in the bits it was asked for', async () => {
    using sort = await RadixSort.create(session.gpu);
    const bit = integer({min: 0, max: 32});
    const keyBits = integer({min: 1, max: 32});
    const property = asyncProperty(length, seed, keyBits, bit, bit, async (n, random, width, a, b) => {
      const [beginBit, endBit] = [Math.min(a, b), Math.max(a, b)];
      const host = words(n, random, width);
      const [keys, values] = [await session.buffer(host), await session.buffer(Uint32Array.from(host.keys()))];
      const other = {keys: await session.buffer(n), values: await session.buffer(n)};
      let sorted = other;
      await session.run((pass) => {
        sorted = sort.encode(pass, {input: {keys, values}, other, count: n, beginBit, endBit});
      });
      const digit = (key: number): number => Math.floor((key % 2 ** endBit) / 2 ** beginBit);
      const order = Uint32Array.from(host.keys()).sort((i, j) => digit(host[i]) - digit(host[j]) || i - j);
      expect(await session.read(sorted.values, new Uint32Array(n))).toEqual(order);
      expect(await session.read(sorted.keys, new Uint32Array(n))).toEqual(order.map((i) => host[i]));
      session.clear();
    });
    await assert(property, {numRuns: RUNS});
  });

  it('an inclusive scan is the exclusive one a word later', async () => {
    using exclusive = await Scan.create(session.gpu);
    using inclusive = await Scan.create(session.gpu, {isInclusive: true});
    const property = asyncProperty(length, seed, async (n, random) => {
      const input = await session.buffer(words(n, random));
      const outputs = [await session.buffer(n), await session.buffer(n)];
      await session.run((pass) => {
        exclusive.encode(pass, {input, output: outputs[0], count: n});
        inclusive.encode(pass, {input, output: outputs[1], count: n});
      });
      const before = await session.read(outputs[0], new Uint32Array(n));
      const upTo = await session.read(outputs[1], new Uint32Array(n));
      expect(before.subarray(1)).toEqual(upTo.subarray(0, Math.max(0, n - 1)));
      if (n > 0) expect(before[0]).toBe(0);
      session.clear();
    });
    await assert(property, {numRuns: RUNS});
  });

  it('the last of an inclusive scan is the reduction', async () => {
    using scan = await Scan.create(session.gpu, {isInclusive: true});
    using reduce = await Reduce.create(session.gpu);
    const property = asyncProperty(length, seed, async (n, random) => {
      const host = words(n, random);
      expect((await scan.run(host)).at(-1) ?? 0).toBe(await reduce.run(host));
    });
    await assert(property, {numRuns: RUNS});
  });

  it('a scatter undoes the gather by the same permutation, and an argsort is one', async () => {
    using sort = await RadixSort.create(session.gpu, {key: 'u32', values: 'index'});
    using gather = await Gather.create(session.gpu);
    using scatter = await Scatter.create(session.gpu);
    const property = asyncProperty(length, seed, async (n, random) => {
      const host = words(n, random);
      const {keys, values: order} = await sort.run(host);
      const gathered = await gather.run(host, order, new Uint32Array(n));
      expect(gathered).toEqual(keys);
      expect(await scatter.run(gathered, order, new Uint32Array(n))).toEqual(host);
    });
    await assert(property, {numRuns: RUNS});
  });

  it('a partition keeps what a compaction keeps, and a histogram of the flags counts both parts', async () => {
    using keep = await Compact.create(session.gpu);
    using partition = await Compact.create(session.gpu, {isPartition: true});
    using histogram = await Histogram.create(session.gpu);
    const property = asyncProperty(length, seed, async (n, random) => {
      const [flags, host] = [words(n, random, 1), words(n, random + 1)];
      const kept = await keep.run(flags, host);
      const parts = await partition.run(flags, host);
      expect(parts.values.subarray(0, parts.keptCount)).toEqual(kept.values);
      expect(parts.values.subarray(parts.keptCount)).toEqual(host.filter((_, i) => flags[i] === 0));
      expect(await histogram.run(flags, 2)).toEqual(Uint32Array.of(n - kept.keptCount, kept.keptCount));
    });
    await assert(property, {numRuns: RUNS});
  });
});
