import {describe, expect, it} from 'vitest';
import {InvalidParameterError} from '@epsball/clustering';
import {ArgReduce, type Element} from '@epsball/gpu-primitives';
import {describeGpu} from '@epsball/gpu/testing';
import {itKeepsTheContract} from './contract.ts';
import {countsFor, largeCounts} from './counts.ts';
import {ELEMENTS, expectWords, identityWord, keyOf} from './reference.ts';
import {compile, withSession, words} from './session.ts';

const DIRECTIONS = ['min', 'max'] as const;
type Direction = (typeof DIRECTIONS)[number];

/** Expected output: index, then value. */
function found(host: Uint32Array, operator: Direction, element: Element): Uint32Array {
  if (host.length === 0) return Uint32Array.of(0xffff_ffff, identityWord(operator, element));
  let index = 0;
  let best = keyOf(host[0], element);
  for (let i = 1; i < host.length; i++) {
    const key = keyOf(host[i], element);
    if (operator === 'min' ? key < best : key > best) [index, best] = [i, key];
  }
  return Uint32Array.of(index, host[index]);
}

describeGpu('ArgReduce', () => {
  const session = withSession(async (gpu) => {
    const variants = DIRECTIONS.flatMap((operator) => ELEMENTS.map((element) => ({operator, element})));
    await compile(variants.map((variant) => ArgReduce.create(gpu, variant)));
    return {argmin: await ArgReduce.create(gpu)};
  });

  async function search(object: ArgReduce<Element>, host: Uint32Array, stride = 1, field = 0): Promise<Uint32Array> {
    const [input, output] = [await session.buffer(host), await session.buffer(2)];
    await session.run((pass) => object.encode(pass, {input, output, count: host.length / stride, stride, field}));
    const result = await session.read(output, new Uint32Array(2));
    session.clear();
    return result;
  }

  describe.for(DIRECTIONS)('arg%s', (operator) => {
    it.for(ELEMENTS)('finds the first of the best %s words at every count', async (element) => {
      using object = await ArgReduce.create(session.gpu, {operator, element});
      for (const count of countsFor(session.gpu, 'argReduce')) {
        // Every bit pattern; few distinct values, so that many are equal; one value only.
        for (const host of [words(count, count + 1), words(count, 3, 2), new Uint32Array(count).fill(9)]) {
          expectWords(await search(object, host), found(host, operator, element), `count ${count}`);
        }
      }
      // The worst possible word is the result if all words are equal to it.
      for (const worst of [0, 0xffff_ffff, 0x7fff_ffff, 0x8000_0000]) {
        for (const count of [1, 5, 1025, 9001]) {
          const host = new Uint32Array(count).fill(worst);
          expectWords(await search(object, host), Uint32Array.of(0, worst), `${count} times ${worst}`);
        }
      }
    });
  });

  it('finds a single least word at any position', async () => {
    const host = new Uint32Array(9001).fill(50);
    for (const place of [0, 1, 3, 4, 255, 256, 1023, 1024, 4095, 8191, 8192, 8999, 9000]) {
      host[place] = 4;
      expectWords(await search(session.argmin, host), Uint32Array.of(place, 4), place);
      host[place] = 50;
    }
  });

  it('takes millions of words', async () => {
    for (const count of largeCounts(session.gpu, 'argReduce')) {
      const host = new Uint32Array(count).fill(7);
      host[count - 2] = 3;
      host[count - 1] = 3;
      expectWords(await search(session.argmin, host), Uint32Array.of(count - 2, 3), count);
    }
  });

  it('takes one field of a record', async () => {
    for (const [stride, field] of [
      [2, 1],
      [3, 0],
      [5, 4],
    ]) {
      for (const count of [0, 1, 2, 257, 9000]) {
        const host = words(count * stride, stride, 12);
        const own = host.filter((_, i) => i % stride === field);
        expectWords(
          await search(session.argmin, host, stride, field),
          found(own, 'min', 'u32'),
          `${stride} ${field} ${count}`,
        );
      }
    }
  });

  it('refuses an invalid stride or field', async () => {
    const buffer = await session.buffer(8);
    const attempt = (stride: number, field: number) => () =>
      session.argmin.encode(session.gpu.device.createCommandEncoder(), {
        input: buffer,
        output: buffer,
        count: 1,
        stride,
        field,
      });
    expect(attempt(0, 0)).toThrow(InvalidParameterError);
    expect(attempt(0, 0)).toThrow('stride = 0; expected an integer ≥ 1');
    expect(attempt(2, 2)).toThrow('field = 2; expected an integer, 0 … stride − 1 = 1');
  });

  it('searches typed arrays', async () => {
    using argmax = await ArgReduce.create(session.gpu, {operator: 'max', element: 'f32'});
    expect(await argmax.run(Float32Array.of(-1, 7.5, 7.5, 2))).toEqual({index: 1, value: 7.5});
    expect(await argmax.run(Float32Array.of(1, Number.NaN, 2))).toEqual({index: 1, value: Number.NaN});
    expect(await argmax.run(new Float32Array(0))).toEqual({index: -1, value: Number.NEGATIVE_INFINITY});
    expect(await session.argmin.run(Uint32Array.of(5, 4, 4))).toEqual({index: 1, value: 4});
    using ofIntegers = await ArgReduce.create(session.gpu, {element: 'i32'});
    expect(await ofIntegers.run(Int32Array.of(5, -4, 4))).toEqual({index: 1, value: -4});
  });

  itKeepsTheContract(session, {
    inputNames: ['input'],
    outputNames: ['output'],
    inputs: (count, seed) => [words(count, seed, 10)],
    outputWords: () => [2],
    encode: (target, [input], [output], count) => session.argmin.encode(target, {input, output, count}),
    expected: ([input], count) => [found(input.subarray(0, count), 'min', 'u32')],
  });
});
