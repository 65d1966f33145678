import {describe, expect, it} from 'vitest';
import {InvalidParameterError} from '@epsball/clustering';
import {Gather, Scatter} from '@epsball/gpu-primitives';
import {describeGpu} from '@epsball/gpu/testing';
import {itKeepsTheContract} from './contract.ts';
import {COUNTS, largeCounts} from './counts.ts';
import {expectWords} from './reference.ts';
import {withSession, words} from './session.ts';

const STRIDES = [1, 2, 3, 7];

function gathered(input: Uint32Array, inputCount: number, indices: Uint32Array, stride: number): Uint32Array {
  const result = new Uint32Array(indices.length * stride);
  indices.forEach((from, i) => {
    for (let k = 0; k < stride; k++) result[i * stride + k] = from < inputCount ? input[from * stride + k] : 0;
  });
  return result;
}

function scattered(input: Uint32Array, indices: Uint32Array, output: Uint32Array, stride: number): Uint32Array {
  const result = output.slice();
  indices.forEach((to, i) => {
    for (let k = 0; k < stride; k++)
      if ((to + 1) * stride <= result.length) result[to * stride + k] = input[i * stride + k];
  });
  return result;
}

/** A permutation of all places, without a pattern. */
function permutation(count: number, seed: number): Uint32Array {
  const random = words(count, seed);
  const order = Uint32Array.from({length: count}, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const j = random[i] % (i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

describeGpu('Gather and Scatter', () => {
  const session = withSession(async (gpu) => ({
    gather: await Gather.create(gpu),
    scatter: await Scatter.create(gpu),
  }));

  it.for(STRIDES)('gathers records of %d words, and zeros for indices out of range', async (stride) => {
    for (const count of COUNTS) {
      const inputCount = 500;
      const host = words(inputCount * stride, count);
      const list = words(count, count + 1, 10).map((word, i) => (i % 100 === 3 ? 0xffff_ffff - word : word));
      const [input, indices] = [await session.buffer(host), await session.buffer(list)];
      const output = await session.buffer(new Uint32Array(count * stride).fill(5));
      await session.run((pass) => session.gather.encode(pass, {input, inputCount, indices, output, count, stride}));
      const actual = await session.read(output, new Uint32Array(count * stride));
      expectWords(actual, gathered(host, inputCount, list, stride), `count ${count}`);
      session.clear();
    }
  });

  it.for(STRIDES)('scatters records of %d words, and ignores indices out of range', async (stride) => {
    for (const count of COUNTS) {
      const host = words(count * stride, count);
      // Half of the places are used; the last tenth is out of range.
      const list = permutation(count, count + 1).map((place) => 2 * place);
      if (count > 3) list[3] = 0xffff_ffff;
      const outputCount = Math.ceil(1.8 * count);
      const before = words(outputCount * stride, 3);
      const [input, indices] = [await session.buffer(host), await session.buffer(list)];
      const output = await session.buffer(before);
      await session.run((pass) => session.scatter.encode(pass, {input, indices, output, outputCount, count, stride}));
      const actual = await session.read(output, new Uint32Array(outputCount * stride));
      expectWords(actual, scattered(host, list, before, stride), `count ${count}`);
      session.clear();
    }
  });

  it('takes millions of words, there and back', async () => {
    for (const count of largeCounts(session.gpu, 'gather')) {
      const host = words(count, 5);
      const list = new Uint32Array(count);
      for (let i = 0; i < count; i++) list[i] = count - 1 - i;
      const [input, indices] = [await session.buffer(host), await session.buffer(list)];
      const [middle, output] = [await session.buffer(count), await session.buffer(count)];
      await session.run((pass) => {
        session.gather.encode(pass, {input, inputCount: count, indices, output: middle, count});
        session.scatter.encode(pass, {input: middle, indices, output, outputCount: count, count});
      });
      const backwards = await session.read(middle, new Uint32Array(count));
      expectWords(backwards.toReversed(), host, `gathered ${count}`);
      expectWords(await session.read(output, backwards), host, `scattered ${count}`);
      session.clear();
    }
  });

  it('copies from typed arrays', async () => {
    const values = Float32Array.of(0.5, 1.5, 2.5, 3.5);
    expect(await session.gather.run(values, Uint32Array.of(3, 9, 0), new Float32Array(3))).toEqual(
      Float32Array.of(3.5, 0, 0.5),
    );
    expect(await session.gather.run(values, Uint32Array.of(1, 0, 2), new Float32Array(6), 2)).toEqual(
      Float32Array.of(2.5, 3.5, 0.5, 1.5, 0, 0),
    );
    expect(await session.scatter.run(values, Uint32Array.of(1, 0), Float32Array.of(9, 9, 9, 9, 9, 9), 2)).toEqual(
      Float32Array.of(2.5, 3.5, 0.5, 1.5, 9, 9),
    );
    expect(await session.scatter.run(Int32Array.of(-1, -2), Uint32Array.of(2, 5), Int32Array.of(7, 7, 7))).toEqual(
      Int32Array.of(7, 7, -1),
    );
    await expect(session.gather.run(values, Uint32Array.of(1), new Float32Array(2))).rejects.toThrow(
      'into.length = 2; expected indices.length · stride = 1',
    );
    await expect(session.scatter.run(values, Uint32Array.of(1), values)).rejects.toThrow(
      'values.length = 4; expected indices.length · stride = 1',
    );
  });

  it('refuses an invalid stride or number of records', async () => {
    const buffer = await session.buffer(8);
    const encoder = session.gpu.device.createCommandEncoder();
    const shared = {input: buffer, indices: buffer, output: buffer, count: 1};
    expect(() => session.gather.encode(encoder, {...shared, inputCount: 1, stride: 0})).toThrow(InvalidParameterError);
    expect(() => session.gather.encode(encoder, {...shared, inputCount: 1, stride: 0})).toThrow(
      'stride = 0; expected an integer ≥ 1',
    );
    expect(() => session.gather.encode(encoder, {...shared, inputCount: -1})).toThrow(
      'inputCount = -1; expected an integer',
    );
    expect(() => session.scatter.encode(encoder, {...shared, outputCount: 0.5})).toThrow(
      'outputCount = 0.5; expected an integer',
    );
    expect(() => session.gather.encode(encoder, {...shared, inputCount: 9})).toThrow(
      'bytes of input = 32; expected at least 36',
    );
    expect(() => session.scatter.encode(encoder, {...shared, outputCount: 9})).toThrow(
      'bytes of output = 32; expected at least 36',
    );
  });

  describe('Gather', () => {
    itKeepsTheContract(session, {
      inputNames: ['input', 'indices'],
      outputNames: ['output'],
      inputs: (count, seed) => [words(80, seed), words(count, seed + 9, 6)],
      outputWords: (count) => [2 * count],
      encode: (target, [input, indices], [output], count) =>
        session.gather.encode(target, {input, inputCount: 40, indices, output, count, stride: 2}),
      expected: ([input, indices], count) => [gathered(input, 40, indices.subarray(0, count), 2)],
    });
  });

  describe('Scatter', () => {
    itKeepsTheContract(session, {
      inputNames: ['input', 'indices'],
      outputNames: ['output'],
      inputs: (count, seed) => [words(count, seed), Uint32Array.from({length: count}, (_, i) => i)],
      outputWords: (count) => [count],
      encode: (target, [input, indices], [output], count) => {
        const outputCount = typeof count === 'number' ? count : count.atMost;
        session.scatter.encode(target, {input, indices, output, outputCount, count});
      },
      expected: ([input], count) => [input.subarray(0, count)],
    });
  });
});
