import {expect, it} from 'vitest';
import {Kernel} from '@epsball/gpu';
import {float64ProbeWgsl} from './float64Probe.wgsl.ts';
import {withSession, words} from './session.ts';
import {describeGpu} from '@epsball/gpu/testing';

const bits = new BigUint64Array(1);
const asFloat = new Float64Array(bits.buffer);

/** A float64 with the given exponent field and random fraction and sign. */
function withExponent(exponent: number, low: number, high: number): number {
  bits[0] = (BigInt((high >>> 31) * 2048 + exponent) << 52n) | (BigInt(high & 0xfffff) << 32n) | BigInt(low);
  return asFloat[0];
}

/** Numbers of a pair that the kernel writes. */
const RESULTS = 8;

const SPECIAL = [
  0,
  -0,
  1,
  -1,
  5e-324,
  2.2250738585072014e-308,
  2.225073858507201e-308,
  1.7976931348623157e308,
  1e-160,
  1e154,
  1e155,
  2,
  3,
  4,
  0.25,
  1 / 3,
];

function manyPairs(): Float64Array {
  const random = words(60_000, 42);
  const pairs: number[] = SPECIAL.flatMap((a) => SPECIAL.flatMap((b) => [a, b]));
  for (let k = 0; k + 6 <= random.length; k += 6) {
    const exponent = random[k] % 2047;
    const near = Math.min(2046, Math.max(0, exponent + (random[k + 1] % 121) - 60));
    pairs.push(withExponent(exponent, random[k + 2], random[k + 3]), withExponent(near, random[k + 4], random[k + 5]));
    // Close values with few bits: exact ties.
    const a = withExponent(1000 + (random[k] % 60), (random[k + 2] & 0xf8000000) >>> 0, random[k + 3]);
    pairs.push(a, a + a * 2 ** -(random[k + 1] % 56));
    // Squares that underflow.
    const tiny = withExponent(480 + (random[k] % 80), random[k + 2], random[k + 3]);
    pairs.push(tiny, tiny);
  }
  return Float64Array.from(pairs);
}

describeGpu('software float64', () => {
  const session = withSession();

  /** Results of the software operations on pairs (a, b), `RESULTS` float64 per pair. */
  async function probe(pairs: Float64Array): Promise<Float64Array> {
    const count = pairs.length / 2;
    const kernel = await Kernel.create(session.gpu, float64ProbeWgsl, 'probe');
    const results = await session.buffer(2 * RESULTS * count);
    const bound = kernel.bind({pairs: await session.buffer(pairs), results});
    await session.run((pass) => kernel.dispatch(pass, bound, [Math.ceil(count / 64), 1, 1]));
    return session.read(results, new Float64Array(RESULTS * count));
  }

  it('subtracts, adds, multiplies, divides and takes roots as JavaScript does, bit for bit', async () => {
    const pairs = manyPairs();
    const results = await probe(pairs);
    const wrong: unknown[] = [];
    for (let k = 0; k < pairs.length / 2; k++) {
      const [a, b] = [Math.abs(pairs[2 * k]), Math.abs(pairs[2 * k + 1])];
      const quotient = a === 0 && b === 0 ? 0 : a / b;
      const expected = [Math.abs(pairs[2 * k] - pairs[2 * k + 1]), a + b, a * b, quotient, Math.sqrt(a)];
      expected.forEach((value, j) => {
        const actual = results[RESULTS * k + j];
        if (!Object.is(actual, value)) wrong.push({a: pairs[2 * k], b: pairs[2 * k + 1], j, value, actual});
      });
    }
    expect(wrong.slice(0, 5)).toEqual([]);
  });

  it('floors values below 2^32 and widens float32, subnormals included', async () => {
    const singles = Float32Array.from([0, -0, 1, -1.5, 1e-45, -1e-45, 1.1754942e-38, 3.4028235e38, 0.1, 123456.79]);
    const pairs = new Float64Array(2 * singles.length);
    const low = new Uint32Array(pairs.buffer);
    singles.forEach((_, k) => (low[4 * k] = new Uint32Array(singles.buffer)[k]));
    const widened = await probe(pairs);
    expect([...singles].map((_, k) => widened[RESULTS * k + 6])).toEqual([...singles]);

    const values = [0, 0.5, 1, 1.9999999999999998, 2.5, 1023.99, 65536.5, 2147483647.75, 4294967295.5, 3e-310];
    const results = await probe(Float64Array.from(values.flatMap((value) => [value, 0])));
    const floors = new Uint32Array(results.buffer);
    expect(values.map((_, k) => floors[2 * (RESULTS * k + 5)])).toEqual(values.map(Math.floor));
  });
});
