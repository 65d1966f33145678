import {expect, it} from 'vitest';
import {Scan, type Element, type Operator} from '@epsball/gpu-primitives';
import {describeGpu} from '@epsball/gpu/testing';
import {itKeepsTheContract} from './contract.ts';
import {countsFor, largeCounts} from './counts.ts';
import {ELEMENTS, expectWords, operands, OPERATORS, scanWords} from './reference.ts';
import {compile, teamworkOn, withSession, words} from './session.ts';

interface Variant {
  readonly operator: Operator;
  readonly element: Element;
  readonly isInclusive: boolean;
}

/** Every operator with every element, inclusive and exclusive in turn; hardware, which compiles fast, runs both. */
const VARIANTS: readonly Variant[] = OPERATORS.flatMap((operator, a) =>
  ELEMENTS.map((element, b) => ({operator, element, isInclusive: (a + b) % 2 === 1})),
);

describeGpu('Scan', () => {
  const session = withSession(async (gpu) => {
    await compile(
      teamworkOn(gpu).flatMap((cooperation) => VARIANTS.map((variant) => Scan.create(gpu, {...variant, cooperation}))),
    );
    return {sums: await Scan.create(gpu)};
  });

  async function scanned(scan: Scan<Element>, host: Uint32Array): Promise<Uint32Array> {
    const [input, output] = [await session.buffer(host), await session.buffer(host.length)];
    await session.run((pass) => scan.encode(pass, {input, output, count: host.length}));
    const result = await session.read(output, new Uint32Array(host.length));
    session.clear();
    return result;
  }

  it.for(VARIANTS)(
    '$operator of $element at every count, inclusive: $isInclusive',
    async ({operator, element, isInclusive}) => {
      const ways = session.gpu.info.kind === 'hardware' ? [isInclusive, !isInclusive] : [isInclusive];
      for (const way of ways) {
        for (const cooperation of teamworkOn(session.gpu)) {
          using scan = await Scan.create(session.gpu, {operator, element, isInclusive: way, cooperation});
          for (const count of countsFor(session.gpu, 'scan')) {
            const host = operands(count, count + 3, operator, element, words);
            const expected = scanWords(host, operator, element, way);
            expectWords(await scanned(scan, host), expected, `${cooperation}, count ${count}`);
          }
        }
      }
    },
  );

  it('scans in workgroups on every adapter', async () => {
    using scan = await Scan.create(session.gpu, {cooperation: 'workgroups'});
    for (const count of [0, 1, 257, 5000]) {
      const host = words(count, 3);
      expectWords(await scanned(scan, host), scanWords(host, 'sum', 'u32', false), `count ${count}`);
    }
  });

  it('takes millions of words', async () => {
    for (const count of largeCounts(session.gpu, 'scan')) {
      const host = words(count, 5);
      expectWords(await scanned(session.sums, host), scanWords(host, 'sum', 'u32', false), `count ${count}`);
    }
  });

  it('scans typed arrays', async () => {
    expect(await session.sums.run(Uint32Array.of(5, 2 ** 32 - 1, 7))).toEqual(Uint32Array.of(0, 5, 4));
    expect(await session.sums.run(new Uint32Array(0))).toEqual(new Uint32Array(0));
    using largest = await Scan.create(session.gpu, {operator: 'max', element: 'i32', isInclusive: true});
    expect(await largest.run(Int32Array.of(-5, -9, 4, 3))).toEqual(Int32Array.of(-5, -5, 4, 4));
    using least = await Scan.create(session.gpu, {operator: 'min', element: 'f32', isInclusive: true});
    expect(await least.run(Float32Array.of(2, -3.5, 1))).toEqual(Float32Array.of(2, -3.5, -3.5));
  });

  itKeepsTheContract(session, {
    inputNames: ['input'],
    outputNames: ['output'],
    inputs: (count, seed) => [words(count, seed)],
    outputWords: (count) => [count],
    encode: (target, [input], [output], count) => session.sums.encode(target, {input, output, count}),
    expected: ([input], count) => [scanWords(input.subarray(0, count), 'sum', 'u32', false)],
  });
});
