import {PRIMITIVES, type PrimitiveId} from '@epsball/benchmarks';
import {openGpu} from '@epsball/gpu';
import {describeGpu, HAS_SLOW_COMPILER} from '@epsball/gpu/testing';
import {Reduce} from '@epsball/gpu-primitives';
import {describe, expect, it} from 'vitest';
import {measureCell} from '../src/measure/measureCell.ts';
import {
  digits,
  fractionAt,
  fractions,
  mix,
  noise,
  positions,
  shuffled,
  smallWholes,
  unmix,
  wideNoise,
} from '../src/primitives/inputs.ts';
import {measurePrimitive} from '../src/primitives/measure.ts';
import {defineOperation, expectSame} from '../src/primitives/operation.ts';
import {proveOrder, proveWideOrder} from '../src/primitives/proveOrder.ts';
import {registry} from '../src/primitives/registry.ts';
import type {CellJob} from '../src/run/job.ts';

const IDS = Object.keys(registry) as PrimitiveId[];

function jobOf(dataset: string, n: number, row: 'primitive' | 'javascript'): CellJob {
  return {
    kind: 'primitives',
    workload: {dataset, n, dim: 1, params: {}},
    subject: {row, backend: row === 'primitive' ? 'gpu' : 'sequential'},
    adapter: 'auto',
    profile: {warmups: 1, repeats: 1, settleSeconds: 0, cellSeconds: 0.05},
    reference: null,
    referenceHash: null,
    pictureFile: null,
  };
}

describe('inputs', () => {
  it('mix permutes words, and unmix is its inverse', () => {
    for (const index of [0, 1, 2, 12_345, 2 ** 28 - 1, 2 ** 31, 2 ** 32 - 1]) expect(unmix(mix(index))).toBe(index);
    expect(new Set(noise(10_000)).size).toBe(10_000);
  });

  it('suit their operations: half of the flags set, floats whole or in [−1, 1), never −0', () => {
    const set = digits(10_000, 1).reduce((sum, flag) => sum + flag, 0);
    expect(Math.abs(set - 5000)).toBeLessThan(200);
    const wholes = smallWholes(100_000);
    expect(wholes.every((value) => Number.isInteger(value) && Math.abs(value) < 64 && !Object.is(value, -0))).toBe(
      true,
    );
    // The random walk stays far below 2^24, above which float32 sums round.
    expect(Math.abs(wholes.reduce((sum, value) => sum + value, 0))).toBeLessThan(2 ** 17);
    expect(fractions(100_000).every((value, i) => value === fractionAt(i) && value >= -1 && value < 1)).toBe(true);
  });
});

describe('shuffled', () => {
  it.each([1, 2, 3, 300, 1024, 5000])('gives each number below %i once', (count) => {
    expect(shuffled(count).toSorted()).toEqual(positions(count));
  });

  it('separates most neighbours', () => {
    const words = shuffled(5000);
    const near = words.filter((word, i) => i > 0 && Math.abs(word - words[i - 1]) < 16).length;
    expect(near).toBeLessThan(100);
  });
});

describe('proveOrder', () => {
  const keyAt = (position: number): number => [5, 3, 5, 1][position];
  const keys = Uint32Array.of(1, 3, 5, 5);

  it('accepts a stable sort', () => {
    expect(() => proveOrder(keys, Uint32Array.of(3, 1, 0, 2), keyAt)).not.toThrow();
  });

  it.each([
    ['keys out of order', Uint32Array.of(3, 1, 5, 5), Uint32Array.of(1, 3, 0, 2), /expected one after 3/],
    ['equal keys that changed places', keys, Uint32Array.of(3, 1, 2, 0), /expected one after 5/],
    ['a position that comes twice', keys, Uint32Array.of(3, 1, 0, 0), /expected one after 5/],
    ['a position that is out of range', keys, Uint32Array.of(3, 1, 0, 4), /expected one below 4/],
    ['a value beside another’s key', keys, Uint32Array.of(1, 3, 0, 2), /key 1 at 0; expected 3 of position 1/],
  ])('refuses %s', (_, sorted, places, message) => {
    expect(() => proveOrder(sorted, places, keyAt)).toThrow(message);
  });
});

describe('proveWideOrder', () => {
  const sorted = wideNoise(100);
  new BigUint64Array(sorted.buffer).sort();

  it('accepts keys in ascending order of both words', () => {
    expect(() => proveWideOrder(sorted)).not.toThrow();
  });

  it('refuses unsorted input, a repeated key, and a key that is not in the input', () => {
    expect(() => proveWideOrder(wideNoise(100))).toThrow(/expected one after the key before it/);
    const twice = sorted.slice();
    twice.copyWithin(2, 0, 2);
    expect(() => proveWideOrder(twice)).toThrow(/at 1; expected one after the key before it/);
    const strange = sorted.slice();
    strange[7]++;
    expect(() => proveWideOrder(strange)).toThrow(/at 3; expected a key of the input/);
  });
});

describe('expectSame', () => {
  it('compares floats by their bits, and names the first difference', () => {
    expect(() => expectSame({sum: Float32Array.of(NaN, 0)}, {sum: Float32Array.of(NaN, 0, 7)})).not.toThrow();
    expect(() => expectSame({sum: Float32Array.of(1, 0)}, {sum: Float32Array.of(1, -0)})).toThrow(
      'sum[1] = -0; expected 0',
    );
    expect(() => expectSame({sum: Uint32Array.of(1, 2)}, {sum: Uint32Array.of(1, 3)})).toThrow(
      'sum[1] = 3; expected 2',
    );
  });
});

describe('the plain JavaScript', () => {
  it.each(IDS)('of %s passes its own check', async (id) => {
    for (const n of [1, 300]) {
      const cell = await measureCell(jobOf(id, n, 'javascript'), measurePrimitive);
      expect(cell).toMatchObject({status: 'measured', counters: {bytes: n * PRIMITIVES[id]}});
    }
  });

  it('lists the known operations in the error for another', async () => {
    await expect(measurePrimitive(jobOf('sleep', 1, 'javascript'))).rejects.toThrow(
      /^operation = "sleep"; expected one of reduce-sum-f32, /,
    );
  });
});

describeGpu('on the device', () => {
  // Reductions take seconds to compile there; the tests of their package run them.
  const compiled = HAS_SLOW_COMPILER ? IDS.filter((id) => !/^(?:reduce|argmin)-/.test(id)) : IDS;

  it.each(compiled)('%s is right, beside a copy', async (id) => {
    const cell = await measureCell(jobOf(id, 700, 'primitive'), measurePrimitive);
    expect(cell).toMatchObject({status: 'measured', counters: {bytes: 700 * PRIMITIVES[id]}});
  });

  it('a wrong result is named by its word', async () => {
    const wrong = defineOperation({
      input: (count) => ({input: positions(count).fill(1)}),
      output: () => ({output: positions(1)}),
      create: (gpu) => Reduce.create(gpu),
      encode: (reduce, pass, buffers) => reduce.encode(pass, buffers),
      run: async (reduce, {input}) => ({output: Uint32Array.of(await reduce.run(input))}),
      javascript: () => ({output: Uint32Array.of(7)}),
    });
    const gpu = await openGpu();
    try {
      const prepared = await wrong.onDevice(gpu, 300);
      await expect(prepared.run?.()).rejects.toThrow('output[0] = 300; expected 7');
      prepared.destroy();
    } finally {
      gpu.destroy();
    }
  });
});
