import {describe, expect, it} from 'vitest';
import {InvalidParameterError} from '@epsball/clustering';
import {Histogram, type Element} from '@epsball/gpu-primitives';
import {describeGpu} from '@epsball/gpu/testing';
import {itKeepsTheContract} from './contract.ts';
import {COUNTS, largeCounts} from './counts.ts';
import {ELEMENTS, expectWords, keyOf, wordOfFloat} from './reference.ts';
import {withSession, words} from './session.ts';

/** Few bins and many: one, a memory bank's worth, the maximum in workgroup memory, and more. */
const BINS = [1, 2, 32, 100, 2047, 2048, 2049, 70_000];

function countNumbers(host: Uint32Array, bins: number): Uint32Array {
  const counts = new Uint32Array(bins);
  for (const word of host) if (word < bins) counts[word]++;
  return counts;
}

/** Linear search over the edges. */
function countBetween(host: Uint32Array, edges: Uint32Array, element: Element): Uint32Array {
  const keys = Array.from(edges, (edge) => keyOf(edge, element));
  const counts = new Uint32Array(edges.length - 1);
  for (const word of host) {
    const key = keyOf(word, element);
    for (let k = 0; k < counts.length; k++) if (keys[k] <= key && key < keys[k + 1]) counts[k]++;
  }
  return counts;
}

/** Ascending edges, some of them twice, from the data and between. */
function edgesFrom(host: Uint32Array, bins: number, element: Element): Uint32Array {
  const picked = Uint32Array.from({length: bins + 1}, (_, k) =>
    k % 3 === 0 && host.length > 0 ? host[k % host.length] : words(1, k + 40)[0],
  );
  if (bins > 4) picked[3] = picked[1];
  return picked.sort((a, b) => keyOf(a, element) - keyOf(b, element));
}

describeGpu('Histogram', () => {
  const session = withSession(async (gpu) => ({numbers: await Histogram.create(gpu)}));

  async function counted(
    histogram: Histogram<Element>,
    host: Uint32Array,
    bins: number,
    edges?: Uint32Array,
  ): Promise<Uint32Array> {
    const [input, counts] = [await session.buffer(host), await session.buffer(new Uint32Array(bins).fill(9))];
    const more = edges ? {edges: await session.buffer(edges)} : {};
    await session.run((pass) => histogram.encode(pass, {input, ...more, counts, bins, count: host.length}));
    const result = await session.read(counts, new Uint32Array(bins));
    session.clear();
    return result;
  }

  it.for(BINS)('counts numbers of %d bins at every count, and ignores others', async (bins) => {
    for (const count of COUNTS) {
      const host = words(count, bins + count).map((word, i) => (i % 50 === 7 ? word : word % (bins + 1)));
      expectWords(await counted(session.numbers, host, bins), countNumbers(host, bins), `count ${count}`);
    }
  });

  it('counts data that would contend for one counter: one value, two, sorted', async () => {
    for (const bins of [1, 7, 2048, 5000]) {
      const count = 40_001;
      const inputs = [
        new Uint32Array(count),
        new Uint32Array(count).fill(bins - 1),
        words(count, 3, 1).map((bit) => bit * (bins - 1)),
        Uint32Array.from({length: count}, (_, i) => Math.floor((i * bins) / count)),
        new Uint32Array(count).fill(0xffff_ffff),
      ];
      for (const host of inputs)
        expectWords(await counted(session.numbers, host, bins), countNumbers(host, bins), `${bins} bins`);
    }
  });

  describe('by edges', () => {
    it.for(ELEMENTS)('puts %s words of every bit pattern into their bins', async (element) => {
      using histogram = await Histogram.create(session.gpu, {bins: 'edges', element});
      for (const count of [0, 1, 2, 257, 4097, 9001]) {
        const host = words(count, count + 1);
        for (const bins of [1, 2, 5, 64]) {
          const edges = edgesFrom(host, bins, element);
          expectWords(
            await counted(histogram, host, bins, edges),
            countBetween(host, edges, element),
            `${count} ${bins}`,
          );
        }
      }
      // Many bins: every word of some range is an edge.
      const host = words(5000, 8, 12);
      const edges = Uint32Array.from({length: 3001}, (_, k) => k + 100);
      expectWords(await counted(histogram, host, 3000, edges), countBetween(host, edges, element), 'many');
    });

    it('is exact at special f32 edges: neighbours, zeros, infinities, NaN, subnormals', async () => {
      using histogram = await Histogram.create(session.gpu, {bins: 'edges', element: 'f32'});
      const special = [
        Number.NEGATIVE_INFINITY,
        -1,
        -1e-45,
        -0,
        0,
        1e-45,
        1.1754942e-38,
        0.1,
        1,
        Number.POSITIVE_INFINITY,
      ].map(wordOfFloat);
      const edges = Uint32Array.from(special);
      const host = Uint32Array.from([
        ...special.flatMap((word) => [word - 1, word, word + 1]),
        0x7fc0_0000,
        0xffc0_0000,
        0xffff_ffff,
      ]);
      expectWords(await counted(histogram, host, edges.length - 1, edges), countBetween(host, edges, 'f32'));
    });
  });

  it('takes millions of words', async () => {
    for (const count of largeCounts(session.gpu, 'histogram')) {
      for (const bins of [300, 10_000]) {
        const host = words(count, 5, 13);
        expectWords(await counted(session.numbers, host, bins), countNumbers(host, bins), `count ${count}`);
      }
    }
  });

  it('adds to earlier counts with isAccumulating', async () => {
    using histogram = await Histogram.create(session.gpu, {isAccumulating: true});
    for (const bins of [10, 5000]) {
      const host = words(3000, bins, 13);
      const [input, counts] = [await session.buffer(host), await session.buffer(new Uint32Array(bins).fill(5))];
      await session.run((pass) => {
        histogram.encode(pass, {input, counts, bins, count: 3000});
        histogram.encode(pass, {input, counts, bins, count: 3000});
      });
      const expected = countNumbers(host, bins).map((count) => 5 + 2 * count);
      expectWords(await session.read(counts, new Uint32Array(bins)), expected);
    }
    expect(await histogram.run(Uint32Array.of(1, 1, 0), 3)).toEqual(Uint32Array.of(1, 2, 0));
    expect(await histogram.run(Uint32Array.of(1, 1, 0), 3)).toEqual(Uint32Array.of(1, 2, 0));
  });

  it('counts typed arrays', async () => {
    using heights = await Histogram.create(session.gpu, {bins: 'edges', element: 'f32'});
    expect(await session.numbers.run(Uint32Array.of(3, 0, 3, 9), 4)).toEqual(Uint32Array.of(1, 0, 0, 2));
    expect(await session.numbers.run(new Uint32Array(0), 2)).toEqual(Uint32Array.of(0, 0));
    const values = Float32Array.of(0.5, 1, 1.5, 2, -0, 0);
    expect(await heights.run(values, Float32Array.of(0, 1, 2))).toEqual(Uint32Array.of(2, 2));
  });

  it('refuses edges for numbers, and a number for edges', async () => {
    await expect(session.numbers.run(Uint32Array.of(1), Uint32Array.of(0, 2))).rejects.toThrow('a number of bins');
    using edges = await Histogram.create(session.gpu, {bins: 'edges'});
    await expect(edges.run(Uint32Array.of(1), 4)).rejects.toThrow('an array of edges');
    await expect(edges.run(Uint32Array.of(1), new Uint32Array(0))).rejects.toThrow(
      'edges.length = 0; expected at least 2',
    );
  });

  it('refuses an invalid number of bins, and missing edges', async () => {
    using histogram = await Histogram.create(session.gpu, {bins: 'edges', element: 'i32'});
    const buffer = await session.buffer(8);
    const encoder = session.gpu.device.createCommandEncoder();
    for (const bins of [0, -1, 1.5, Number.NaN, 2 ** 32]) {
      const attempt = (): void => session.numbers.encode(encoder, {input: buffer, counts: buffer, bins, count: 1});
      expect(attempt).toThrow(InvalidParameterError);
      expect(attempt).toThrow(`bins = ${bins}; expected an integer, 1 … 2^32 − 2`);
    }
    const attempt = (): void => histogram.encode(encoder, {input: buffer, counts: buffer, bins: 2, count: 1});
    expect(attempt).toThrow("edges = undefined; expected a buffer, because bins is 'edges'");
    await expect(Histogram.create(session.gpu, {element: 'f32'})).rejects.toThrow('element = "f32"; expected u32');
  });

  itKeepsTheContract(session, {
    inputNames: ['input'],
    outputNames: ['counts'],
    inputs: (count, seed) => [words(count, seed, 8)],
    outputWords: () => [200],
    encode: (target, [input], [counts], count) => session.numbers.encode(target, {input, counts, bins: 200, count}),
    expected: ([input], count) => [countNumbers(input.subarray(0, count), 200)],
  });
});
