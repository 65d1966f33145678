import {describe, expect, it} from 'vitest';
import {InvalidParameterError} from '@epsball/clustering';
import {Reduce, type Element, type ReduceOptions} from '@epsball/gpu-primitives';
import {describeGpu} from '@epsball/gpu/testing';
import {itKeepsTheContract} from './contract.ts';
import {countsFor, largeCounts} from './counts.ts';
import {ELEMENTS, expectWords, identityWord, operands, OPERATORS, reduceWords} from './reference.ts';
import {compile, withSession, words} from './session.ts';

describeGpu('Reduce', () => {
  const session = withSession(async (gpu) => {
    const variants = OPERATORS.flatMap((operator) => ELEMENTS.map((element) => ({operator, element})));
    await compile(variants.map((variant) => Reduce.create(gpu, variant)));
    return {sum: await Reduce.create(gpu)};
  });

  async function reduced(reduce: Reduce<Element>, host: Uint32Array, stride = 1, field = 0): Promise<number> {
    const [input, output] = [await session.buffer(host), await session.buffer(1)];
    await session.run((pass) => reduce.encode(pass, {input, output, count: host.length / stride, stride, field}));
    const [word] = await session.read(output, new Uint32Array(1));
    session.clear();
    return word;
  }

  describe.for(OPERATORS)('%s', (operator) => {
    it.for(ELEMENTS)('combines %s words of every bit pattern, at every count', async (element) => {
      using reduce = await Reduce.create(session.gpu, {operator, element});
      for (const count of countsFor(session.gpu, 'reduce')) {
        const host = operands(count, count + 7, operator, element, words);
        expect(await reduced(reduce, host), `count ${count}`).toBe(reduceWords(host, operator, element));
      }
    });
  });

  it('takes millions of words', async () => {
    for (const count of largeCounts(session.gpu, 'reduce')) {
      const host = words(count, 5);
      expect(await reduced(session.sum, host), `count ${count}`).toBe(reduceWords(host, 'sum', 'u32'));
    }
  });

  it('takes one field of a record', async () => {
    for (const [stride, field] of [
      [2, 0],
      [2, 1],
      [3, 2],
      [4, 0],
      [7, 5],
    ]) {
      for (const count of [0, 1, 2, 255, 256, 257, 9000]) {
        const host = words(count * stride, stride + field);
        const own = host.filter((_, i) => i % stride === field);
        expect(await reduced(session.sum, host, stride, field), `${stride} ${field} ${count}`).toBe(
          reduceWords(own, 'sum', 'u32'),
        );
      }
    }
  });

  it('refuses an invalid stride or field', async () => {
    const buffer = await session.buffer(8);
    const attempt = (stride: number, field: number) => () =>
      session.sum.encode(session.gpu.device.createCommandEncoder(), {
        input: buffer,
        output: buffer,
        count: 1,
        stride,
        field,
      });
    for (const stride of [0, -1, 1.5, Number.NaN]) {
      expect(attempt(stride, 0)).toThrow(InvalidParameterError);
      expect(attempt(stride, 0)).toThrow(`stride = ${stride}; expected an integer ≥ 1`);
    }
    for (const field of [-1, 3, 0.5]) {
      expect(attempt(3, field)).toThrow(`field = ${field}; expected an integer, 0 … stride − 1 = 2`);
    }
  });

  it('reduces typed arrays', async () => {
    using most = await Reduce.create(session.gpu, {operator: 'max', element: 'f32'});
    using least = await Reduce.create(session.gpu, {operator: 'min', element: 'i32'});
    expect(await session.sum.run(Uint32Array.of(2 ** 32 - 1, 2, 3))).toBe(4);
    expect(await session.sum.run(new Uint32Array(0))).toBe(0);
    expect(await most.run(Float32Array.of(-1.5, 2.25, -8))).toBe(2.25);
    expect(await most.run(new Float32Array(0))).toBe(Number.NEGATIVE_INFINITY);
    expect(await least.run(Int32Array.of(3, -7, 5))).toBe(-7);
    // Calls run one after another.
    const results = await Promise.all([1, 2, 3].map((value) => session.sum.run(new Uint32Array(1000).fill(value))));
    expect(results).toEqual([1000, 2000, 3000]);
  });

  it('refuses unknown operators and element types', async () => {
    const wrong = JSON.parse('{"operator": "mean"}') as ReduceOptions<'u32'>;
    await expect(Reduce.create(session.gpu, wrong)).rejects.toThrow('operator = "mean"; expected one of sum, min, max');
    const strange = JSON.parse('{"element": "f64"}') as ReduceOptions<'u32'>;
    await expect(Reduce.create(session.gpu, strange)).rejects.toThrow('element = "f64"; expected one of u32, i32, f32');
  });

  it('returns the identity for an empty input', async () => {
    for (const [operator, element] of [
      ['min', 'f32'],
      ['max', 'f32'],
      ['min', 'i32'],
      ['max', 'u32'],
    ] as const) {
      using reduce = await Reduce.create(session.gpu, {operator, element});
      expect(await reduced(reduce, new Uint32Array(0))).toBe(identityWord(operator, element));
    }
  });

  itKeepsTheContract(session, {
    inputNames: ['input'],
    outputNames: ['output'],
    inputs: (count, seed) => [words(count, seed)],
    outputWords: () => [1],
    encode: (target, [input], [output], count) => session.sum.encode(target, {input, output, count}),
    expected: ([input], count) => [Uint32Array.of(reduceWords(input.subarray(0, count), 'sum', 'u32'))],
  });

  it('gives the same result for typed arrays and for buffers', async () => {
    const host = words(3001, 77);
    expectWords(Uint32Array.of(await session.sum.run(host)), Uint32Array.of(await reduced(session.sum, host)));
  });
});
