import {expect, it} from 'vitest';
import {InvalidParameterError} from '@epsball/clustering';
import {BitRanks} from '@epsball/gpu-primitives';
import {describeGpu} from '@epsball/gpu/testing';
import {withSession, words} from './session.ts';

function bitsIn(word: number): number {
  let rest = word;
  let count = 0;
  for (; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/** Each word with the number of bits before it; at the end 0 and all bits. */
function pairsOf(bits: Uint32Array): Uint32Array {
  const pairs = new Uint32Array(2 * bits.length + 2);
  let before = 0;
  for (let word = 0; word <= bits.length; word++) {
    pairs[2 * word] = bits[word] ?? 0;
    pairs[2 * word + 1] = before;
    before += bitsIn(bits[word] ?? 0);
  }
  return pairs;
}

describeGpu('BitRanks', () => {
  const session = withSession(async (gpu) => ({bitRanks: await BitRanks.create(gpu)}));

  it.for([1, 2, 31, 255, 256, 257, 5000, 70_001])('counts the bits before each of %i words', async (length) => {
    const sparse = words(length, 3).map((word, k) => (k % 3 === 0 ? word : 0));
    for (const host of [words(length, length), sparse, new Uint32Array(length).fill(0xffff_ffff)]) {
      const [bits, pairs] = [await session.buffer(host), await session.buffer(2 * length + 2)];
      await session.run((pass) => session.bitRanks.encode(pass, {bits, pairs, words: length}));
      expect(await session.read(pairs, new Uint32Array(2 * length + 2))).toEqual(pairsOf(host));
      session.clear();
    }
  });

  it('allocates nothing behind reserve', async () => {
    using own = await BitRanks.create(session.gpu);
    own.reserve(1000);
    const before = session.gpu.allocatedBytes;
    const [bits, pairs] = [await session.buffer(words(1000, 1)), await session.buffer(2002)];
    await session.run((pass) => own.encode(pass, {bits, pairs, words: 1000}));
    session.clear();
    expect(session.gpu.allocatedBytes).toBe(before);
  });

  it('refuses no words, and buffers that are too small', async () => {
    const [bits, pairs] = [await session.buffer(4), await session.buffer(9)];
    for (const length of [0, -1, 1.5, Number.NaN]) {
      const encode = session.run((pass) => session.bitRanks.encode(pass, {bits, pairs, words: length}));
      await expect(encode).rejects.toThrow(InvalidParameterError);
    }
    await expect(session.run((pass) => session.bitRanks.encode(pass, {bits, pairs, words: 4}))).rejects.toThrow(
      'bytes of pairs',
    );
    session.clear();
  });
});
