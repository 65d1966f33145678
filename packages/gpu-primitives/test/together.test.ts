import {assert, asyncProperty, integer, nat} from 'fast-check';
import {SEED, sizeOfShare} from '@epsball/conformance/share';
import {expect, it} from 'vitest';
import {Compact, Gather, Histogram, RadixSort, Reduce, Scan, Scatter} from '@epsball/gpu-primitives';
import {describeGpu} from '@epsball/gpu/testing';
import {expectWords} from './reference.ts';
import {withSession, words, type Session} from './session.ts';

/** Number of random inputs; fewer on SwiftShader, which is slow. */
const runsOn = ({gpu}: Session): number => sizeOfShare(gpu.info.kind === 'bundled' ? 8 : 25);
const length = integer({min: 0, max: 9000});
const seed = nat();

describeGpu('operations together', () => {
  const session = withSession(async (gpu) => {
    const [scan, inclusive, sum, compact, partition, gather, scatter, histogram, sort] = await Promise.all([
      Scan.create(gpu),
      Scan.create(gpu, {isInclusive: true}),
      Reduce.create(gpu),
      Compact.create(gpu),
      Compact.create(gpu, {isPartition: true}),
      Gather.create(gpu),
      Scatter.create(gpu),
      Histogram.create(gpu),
      RadixSort.create(gpu),
    ]);
    return {scan, inclusive, sum, compact, partition, gather, scatter, histogram, sort};
  });

  it('read in one pass what the operation before wrote, including its count', async () => {
    const count = 20_000;
    const [host, kept] = [words(count, 1, 10), words(count, 2, 2)];
    const [values, flags] = [await session.buffer(host), await session.buffer(kept)];
    const make = (): Promise<GPUBuffer> => session.buffer(count);
    const [list, keptCount, sums, total] = [
      await make(),
      await session.buffer(1),
      await make(),
      await session.buffer(1),
    ];
    const [counts, places, other] = [await session.buffer(1024), await make(), await make()];
    const otherPlaces = await make();
    let sorted = {keys: list, values: places};
    await session.run((pass) => {
      session.compact.encode(pass, {values, flags, output: list, keptCount, count});
      const some = {buffer: keptCount, atMost: count};
      session.scan.encode(pass, {input: list, output: sums, count: some});
      session.sum.encode(pass, {input: list, output: total, count: some});
      session.histogram.encode(pass, {input: list, counts, bins: 1024, count: some});
      sorted = session.sort.encode(pass, {
        input: {keys: list, values: sums},
        other: {keys: other, values: otherPlaces},
        count: some,
        endBit: 10,
      });
      session.gather.encode(pass, {
        input: values,
        inputCount: count,
        indices: sorted.keys,
        output: places,
        count: some,
      });
    });
    const expected = host.filter((_, i) => kept[i] !== 0);
    const n = expected.length;
    expect((await session.read(keptCount, new Uint32Array(1)))[0]).toBe(n);
    const before = expected.map(
      (
        (running) => (word) =>
          (running += word) - word
      )(0),
    );
    const order = Uint32Array.from(expected.keys()).sort((a, b) => expected[a] - expected[b] || a - b);
    const keys = order.map((i) => expected[i]);
    expect((await session.read(total, new Uint32Array(1)))[0]).toBe(expected.reduce((a, b) => a + b, 0));
    expectWords(await session.read(sorted.keys, new Uint32Array(n)), keys, 'keys');
    expectWords(
      await session.read(sorted.values, new Uint32Array(n)),
      order.map((i) => before[i]),
      'running sums',
    );
    expectWords(
      await session.read(places, new Uint32Array(n)),
      keys.map((key) => host[key]),
      'gathered',
    );
    const bins = new Uint32Array(1024);
    for (const word of expected) bins[word]++;
    expectWords(await session.read(counts, new Uint32Array(1024)), bins, 'bins');
    session.clear();
  });

  it('of one kind share a pass, and one object takes counts in any order', async () => {
    using second = await Scan.create(session.gpu);
    const counts = [9000, 1, 300, 20_001, 2];
    const hosts = counts.map((count) => words(count, count, 8));
    const inputs: GPUBuffer[] = [];
    const outputs: GPUBuffer[] = [];
    for (const host of hosts) {
      inputs.push(await session.buffer(host));
      outputs.push(await session.buffer(host.length));
    }
    await session.run((pass) => {
      counts.forEach((count, k) =>
        (k % 2 === 0 ? session.scan : second).encode(pass, {input: inputs[k], output: outputs[k], count}),
      );
    });
    for (let k = 0; k < counts.length; k++) {
      const expected = hosts[k].map(
        (
          (running) => (word) =>
            (running += word) - word
        )(0),
      );
      expectWords(await session.read(outputs[k], new Uint32Array(counts[k])), expected, counts[k]);
    }
    session.clear();
  });

  it('can be recorded hundreds of times before one submit, each time with a different count', async () => {
    const most = 900;
    const input = await session.buffer(words(most, 4));
    const output = await session.buffer(64 * most);
    await session.run((pass) => {
      for (let count = 0; count < most; count++) {
        session.sum.encode(pass, {input, output: {buffer: output, offset: 256 * count, size: 4}, count});
      }
    });
    const sums = await session.read(output, new Uint32Array(64 * most));
    let running = 0;
    const expected = words(most, 4).map((word) => (running += word) - word);
    expectWords(
      Uint32Array.from(expected.keys(), (count) => sums[64 * count]),
      expected,
      'sum',
    );
    session.clear();
  });

  it('can be destroyed twice, and a new one works', async () => {
    for (const make of [() => Scan.create(session.gpu), () => RadixSort.create(session.gpu)]) {
      const object = await make();
      const before = session.gpu.allocatedBytes;
      object.destroy();
      object.destroy();
      expect(session.gpu.allocatedBytes).toBeLessThan(before);
    }
    using again = await Scan.create(session.gpu);
    expect(await again.run(Uint32Array.of(4, 5))).toEqual(Uint32Array.of(0, 4));
  });

  it('a sort is a stable permutation that ascends in the chosen bits', async () => {
    const bit = integer({min: 0, max: 32});
    const keyBits = integer({min: 1, max: 32});
    const property = asyncProperty(length, seed, keyBits, bit, bit, async (n, random, width, a, b) => {
      const [beginBit, endBit] = [Math.min(a, b), Math.max(a, b)];
      const host = words(n, random, width);
      const [keys, values] = [await session.buffer(host), await session.buffer(Uint32Array.from(host.keys()))];
      const other = {keys: await session.buffer(n), values: await session.buffer(n)};
      let sorted = other;
      await session.run((pass) => {
        sorted = session.sort.encode(pass, {input: {keys, values}, other, count: n, beginBit, endBit});
      });
      const digit = (key: number): number => Math.floor((key % 2 ** endBit) / 2 ** beginBit);
      const order = Uint32Array.from(host.keys()).sort((i, j) => digit(host[i]) - digit(host[j]) || i - j);
      expect(await session.read(sorted.values, new Uint32Array(n))).toEqual(order);
      expect(await session.read(sorted.keys, new Uint32Array(n))).toEqual(order.map((i) => host[i]));
      session.clear();
    });
    await assert(property, {numRuns: runsOn(session), seed: SEED});
  });

  it('an inclusive scan is the exclusive scan shifted by one word', async () => {
    const property = asyncProperty(length, seed, async (n, random) => {
      const input = await session.buffer(words(n, random));
      const outputs = [await session.buffer(n), await session.buffer(n)];
      await session.run((pass) => {
        session.scan.encode(pass, {input, output: outputs[0], count: n});
        session.inclusive.encode(pass, {input, output: outputs[1], count: n});
      });
      const before = await session.read(outputs[0], new Uint32Array(n));
      const upTo = await session.read(outputs[1], new Uint32Array(n));
      expect(before.subarray(1)).toEqual(upTo.subarray(0, Math.max(0, n - 1)));
      if (n > 0) expect(before[0]).toBe(0);
      session.clear();
    });
    await assert(property, {numRuns: runsOn(session), seed: SEED});
  });

  it('the last word of an inclusive scan is the reduction', async () => {
    const property = asyncProperty(length, seed, async (n, random) => {
      const host = words(n, random);
      expect((await session.inclusive.run(host)).at(-1) ?? 0).toBe(await session.sum.run(host));
    });
    await assert(property, {numRuns: runsOn(session), seed: SEED});
  });

  it('a scatter undoes the gather by the same permutation', async () => {
    const property = asyncProperty(length, seed, async (n, random) => {
      const host = words(n, random);
      const {keys, values: order} = await session.sort.run(host, Uint32Array.from(host.keys()));
      const gathered = await session.gather.run(host, order, new Uint32Array(n));
      expect(gathered).toEqual(keys);
      expect(await session.scatter.run(gathered, order, new Uint32Array(n))).toEqual(host);
    });
    await assert(property, {numRuns: runsOn(session), seed: SEED});
  });

  it('a partition keeps what a compaction keeps, and a histogram of the flags counts both parts', async () => {
    const property = asyncProperty(length, seed, async (n, random) => {
      const [flags, host] = [words(n, random, 1), words(n, random + 1)];
      const kept = await session.compact.run(flags, host);
      const parts = await session.partition.run(flags, host);
      expect(parts.values.subarray(0, parts.keptCount)).toEqual(kept.values);
      expect(parts.values.subarray(parts.keptCount)).toEqual(host.filter((_, i) => flags[i] === 0));
      expect(await session.histogram.run(flags, 2)).toEqual(Uint32Array.of(n - kept.keptCount, kept.keptCount));
    });
    await assert(property, {numRuns: runsOn(session), seed: SEED});
  });
});
