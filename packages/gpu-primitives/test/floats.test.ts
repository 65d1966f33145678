import {describe, expect, it} from 'vitest';
import {ArgReduce, Reduce, Scan} from '@epsball/gpu-primitives';
import {describeGpu} from '@epsball/gpu/testing';
import {
  expectWords,
  floatOfWord,
  keyOf,
  mixedFloats,
  ORDERED_FLOATS,
  reduceWords,
  scanWords,
  wordOfFloat,
} from './reference.ts';
import {withSession, words} from './session.ts';

const asFloats = (bits: Uint32Array): Float32Array => new Float32Array(bits.buffer, bits.byteOffset, bits.length);

/** Relative unit in the last place: a device may round a sum up or down. */
const ULP = 2 ** -23;

describeGpu('f32', () => {
  const session = withSession(async (gpu) => ({
    sum: await Reduce.create(gpu, {element: 'f32'}),
    runningSum: await Scan.create(gpu, {element: 'f32'}),
  }));

  async function reducedWord(reduce: Reduce<'f32'>, host: Uint32Array): Promise<number> {
    const [input, output] = [await session.buffer(host), await session.buffer(1)];
    await session.run((pass) => reduce.encode(pass, {input, output, count: host.length}));
    const [word] = await session.read(output, new Uint32Array(1));
    session.clear();
    return word;
  }

  it('ORDERED_FLOATS is in order', () => {
    const keys = Array.from(ORDERED_FLOATS, (word) => keyOf(word, 'f32'));
    expect(keys).toEqual(keys.toSorted((a, b) => a - b));
    expect(new Set(keys).size).toBe(ORDERED_FLOATS.length);
  });

  it.for(['min', 'max'] as const)(
    '%s compares bits and returns NaN, zeros and subnormals unchanged',
    async (operator) => {
      using reduce = await Reduce.create(session.gpu, {operator, element: 'f32'});
      using search = await ArgReduce.create(session.gpu, {operator, element: 'f32'});
      for (let k = 0; k < ORDERED_FLOATS.length; k++) {
        // The k-th value is the best of the remaining ones. The halves test both directions.
        const part =
          operator === 'min' ? ORDERED_FLOATS.subarray(k) : ORDERED_FLOATS.subarray(0, ORDERED_FLOATS.length - k);
        const best = operator === 'min' ? part[0] : part[part.length - 1];
        const host = words(300, k).map((word) => part[word % part.length]);
        host[299] = best;
        expect(await reducedWord(reduce, host), `${k}`).toBe(best);
        const [input, output] = [await session.buffer(host), await session.buffer(2)];
        await session.run((pass) => search.encode(pass, {input, output, count: 300}));
        expectWords(await session.read(output, new Uint32Array(2)), Uint32Array.of(host.indexOf(best), best), k);
      }
    },
  );

  it('running minimum and maximum compare bits too', async () => {
    using scan = await Scan.create(session.gpu, {operator: 'max', element: 'f32'});
    const host = mixedFloats(6000, 2);
    const [input, output] = [await session.buffer(host), await session.buffer(6000)];
    await session.run((pass) => scan.encode(pass, {input, output, count: 6000}));
    expectWords(await session.read(output, new Uint32Array(6000)), scanWords(host, 'max', 'f32', false));
    session.clear();
  });

  describe('sums', () => {
    const inputs: [what: string, at: (word: number, i: number) => number][] = [
      ['of 0.1', () => 0.1],
      ['of [0, 1)', (word) => word / 2 ** 32],
      ['of both signs and all sizes', (word, i) => (word / 2 ** 31 - 1) * 2 ** ((i % 60) - 30)],
      ['that cancel', (_, i) => (i % 2 === 0 ? 1e6 : -1e6) + (i % 7) / 8],
    ];

    it.for(inputs)('%s stay within the error bound of a tree of sums', async ([what, at]) => {
      for (const count of [1000, 70_001, 2 ** 20 + 3]) {
        const values = Float32Array.from(words(count, count), at);
        const host = new Uint32Array(values.buffer);
        let [exact, magnitude] = [0, 0];
        for (const value of values) {
          exact += value;
          magnitude += Math.abs(value);
        }
        // Additions per term: at most 8 + count / 2^20 one after another, then fewer than 80. The float64 sum errs by
        // at most count · 2^-53.
        const depth = 8 + count / 2 ** 20 + 80;
        const bound = magnitude * (depth * ULP + count * 2 ** -53);
        const word = await reducedWord(session.sum, host);
        expect(Math.abs(floatOfWord(word) - exact), `${what} ${count}`).toBeLessThanOrEqual(bound);
        expect(await reducedWord(session.sum, host), 'the same bytes again').toBe(word);
      }
    });

    it('running sums stay within the same bound at every place and are reproducible', async () => {
      const count = 70_001;
      const values = Float32Array.from(words(count, 8), (word) => word / 2 ** 32);
      const [first, second] = [await session.runningSum.run(values), await session.runningSum.run(values)];
      expectWords(new Uint32Array(second.buffer), new Uint32Array(first.buffer), 'again');
      // Alone: twice a block, the blocks of a share, and up to 256 shares. In workgroups: the items of a lane, a scan
      // of the workgroup, the workgroups before, and the earlier tiles of the workgroup.
      const isAlone = session.gpu.info.kind !== 'hardware';
      const depth = isAlone ? 2 * (64 + count / 2 ** 14) + 256 : 4 * 32 + 3 * 32;
      let exact = 0;
      let worst = 0;
      for (let i = 0; i < count; i++) {
        if (exact > 0) worst = Math.max(worst, Math.abs(first[i] - exact) / (exact * depth * ULP));
        exact += values[i];
      }
      expect(first[0]).toBe(0);
      expect(worst).toBeLessThanOrEqual(1);
    });

    it('propagate infinities and NaN', async () => {
      const withOne = (value: number): Uint32Array =>
        new Uint32Array(new Float32Array(5000).fill(1).with(777, value).buffer);
      expect(await reducedWord(session.sum, withOne(Number.POSITIVE_INFINITY))).toBe(
        wordOfFloat(Number.POSITIVE_INFINITY),
      );
      expect(floatOfWord(await reducedWord(session.sum, withOne(Number.NaN)))).toBeNaN();
      expect(
        floatOfWord(await reducedWord(session.sum, new Uint32Array(asFloats(ORDERED_FLOATS.slice()).buffer))),
      ).toBeNaN();
      expect(floatOfWord(reduceWords(withOne(1), 'sum', 'f32'))).toBe(5000);
    });
  });
});
