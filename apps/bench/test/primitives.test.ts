import {operations, suites, type PrimitiveCell, type PrimitiveSuite, type Series} from '@epsball/benchmarks';
import {describeGpu, HAS_SLOW_COMPILER} from '@epsball/gpu/testing';
import {Reduce} from '@epsball/gpu-primitives';
import {describe, expect, it} from 'vitest';
import {differingWord} from '../src/primitives/check.ts';
import {settleAfter} from '../src/primitives/deviceTimes.ts';
import {timeOnHost} from '../src/primitives/hostTimes.ts';
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
import type {SeriesJob} from '../src/primitives/job.ts';
import {measureSeries} from '../src/primitives/measureSeries.ts';
import {defineOperation, type Operation} from '../src/primitives/operation.ts';
import {proveOrder, proveWideOrder} from '../src/primitives/proveOrder.ts';
import {operationOf, registry} from '../src/primitives/registry.ts';
import {runPrimitiveSuite} from '../src/primitives/runPrimitiveSuite.ts';
import {formatElements, formatRate} from '../src/primitives/text.ts';
import type {RunSuiteOptions} from '../src/suite/runOptions.ts';
import {TINY_PROFILE} from './primitiveFixture.ts';

const [REDUCE] = operations;

function jobOf(series: Series, changes: Partial<SeriesJob> = {}): SeriesJob {
  return {kind: 'series', ...series, profile: TINY_PROFILE, adapter: 'auto', ...changes};
}

async function cellsOf(job: SeriesJob, operation: Operation): Promise<PrimitiveCell[]> {
  const cells: PrimitiveCell[] = [];
  await measureSeries(job, operation, (cell) => cells.push(cell));
  return cells;
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

describe('differingWord', () => {
  it('compares floats by their bits, and returns the first difference', () => {
    expect(differingWord({sum: Float32Array.of(NaN, 0)}, {sum: Float32Array.of(NaN, 0, 7)})).toBeNull();
    expect(differingWord({sum: Float32Array.of(1, 0)}, {sum: Float32Array.of(1, -0)})).toBe('sum[1] = -0; expected 0');
    expect(differingWord({sum: Uint32Array.of(1, 2)}, {sum: Uint32Array.of(1, 3)})).toBe('sum[1] = 3; expected 2');
  });
});

describe('timeOnHost', () => {
  const repeats = {repeats: 3, settleSeconds: 0, cellSeconds: 10};

  it('measures the requested number of runs after one warm-up run', () => {
    let runs = 0;
    expect(timeOnHost(() => runs++, repeats).length).toBe(3);
    expect(runs).toBe(4);
  });

  it('measures the first run if it takes a quarter of the limit, and stops at the limit', () => {
    let runs = 0;
    expect(timeOnHost(() => runs++, {...repeats, cellSeconds: 0}).length).toBe(1);
    expect(runs).toBe(1);
  });
});

describe('settleAfter', () => {
  it('keeps a device busy for as long as it has waited, at most a second', () => {
    expect(settleAfter(0.02, 0.1)).toBe(0.1);
    expect(settleAfter(0.4, 0.1)).toBe(0.4);
    expect(settleAfter(30, 0.1)).toBe(1);
    expect(settleAfter(0, 0)).toBe(0);
  });
});

describe('a series of JavaScript', () => {
  it.each(operations)('of $id passes its own check at every count', async (operation) => {
    const cells = await cellsOf(jobOf({operation, implementation: 'javascript'}), registry[operation.id]);
    expect(cells.map(({status}) => status)).toEqual(['measured', 'measured', 'measured']);
    expect(cells[1]).toMatchObject({operation: operation.id, count: 300, bytes: 300 * operation.bytesPerElement});
  });

  it('leaves out a count that takes too long', async () => {
    const profile = {...TINY_PROFILE, runSeconds: 0};
    const cells = await cellsOf(
      jobOf({operation: REDUCE, implementation: 'javascript'}, {profile}),
      registry[REDUCE.id],
    );
    expect(cells.map(({status}) => status)).toEqual(['measured', 'leftOut', 'leftOut']);
  });
});

describeGpu('a series on the device', () => {
  // A software adapter is slow even on small runs, so the number of runs is fixed and small.
  const profile = {...TINY_PROFILE, counts: [1, 700], repeats: 1, cellSeconds: 0.05, runSeconds: Infinity};

  // Reductions take seconds to compile there; the tests of their package run them.
  const compiled = HAS_SLOW_COMPILER
    ? operations.filter(({id}) => !/^(?:reduce|arg(?:min|max))-/.test(id))
    : operations;

  it.each(compiled)('of $id is correct at every count, beside a copy', async (operation) => {
    const cells = await cellsOf(jobOf({operation, implementation: 'gpu'}, {profile}), registry[operation.id]);
    expect(cells.filter(({implementation}) => implementation === 'gpu')).toMatchObject(
      profile.counts.map((count) => ({count, status: 'measured', element: operation.element})),
    );
    const copies = cells.filter(({implementation}) => implementation === 'copy');
    for (const copy of copies) expect(copy).toMatchObject({status: 'measured', wall: null});
  });

  it('returns no time for a wrong result, and names the wrong word', async () => {
    const wrong = reductionThat({expects: 7});
    const cells = await cellsOf(jobOf({operation: REDUCE, implementation: 'gpu'}), wrong);
    expect(cells[1]).toMatchObject({count: 300, status: 'failed', error: 'sum[0] = 300; expected 7'});
  });

  it('leaves out a count that exceeds the memory of the adapter', async () => {
    const large = reductionThat({expects: 0, scratchWords: 2 ** 34});
    const cells = await cellsOf(jobOf({operation: REDUCE, implementation: 'gpu'}), large);
    expect(cells.map(({status}) => status)).toEqual(['leftOut', 'leftOut', 'leftOut']);
    expect(cells[0]).toMatchObject({
      reason: expect.stringMatching(/^bytes of bench\/primitives\.much = 68,719,476,736; /),
    });
  });
});

describe('runPrimitiveSuite', () => {
  const base = suites.find((suite) => suite.kind === 'primitives');
  if (base === undefined) throw new Error('there is no such suite');
  const tiny = (changes: Partial<PrimitiveSuite> = {}): PrimitiveSuite => {
    return {...base, operations: [REDUCE], profiles: {quick: TINY_PROFILE, full: TINY_PROFILE}, ...changes};
  };
  const options: RunSuiteOptions = {
    profile: 'quick',
    adapter: 'auto',
    found: {adapter: null, adapterError: 'no Vulkan here'},
    resultsDir: '.',
    stem: 'tiny',
    log: () => {},
  };

  it('measures JavaScript in a child process, and leaves GPU cells out without an adapter', async () => {
    const lines: string[] = [];
    const cells = await runPrimitiveSuite(tiny(), {...options, log: (line) => lines.push(line)});
    expect(cells.map(({implementation, count, status}) => [implementation, count, status])).toEqual([
      ...TINY_PROFILE.counts.map((count) => ['gpu', count, 'leftOut']),
      ...TINY_PROFILE.counts.map((count) => ['javascript', count, 'measured']),
    ]);
    expect(cells[0]).toMatchObject({reason: 'no Vulkan here'});
    // Cells that are left out are one line of the suite, in the end.
    expect(lines.length).toBe(cells.filter(({status}) => status !== 'leftOut').length);
  });

  it('records why the child process failed at the first count, and that the other counts failed with it', async () => {
    const unknown = {...REDUCE, id: 'reduce-nothing'};
    const cells = await runPrimitiveSuite(tiny({operations: [unknown]}), options);
    const [first, ...rest] = cells.slice(TINY_PROFILE.counts.length);
    expect(first).toMatchObject({status: 'failed', error: expect.stringMatching(/^operation = "reduce-nothing"/)});
    expect(rest.map(({status}) => status)).toEqual(['leftOut', 'leftOut']);
  });

  it('leaves the remaining cells out at the suite’s time limit', async () => {
    const late = {...TINY_PROFILE, suiteSeconds: -1};
    const cells = await runPrimitiveSuite(tiny({profiles: {quick: late, full: late}}), options);
    expect(cells.at(-1)).toMatchObject({status: 'leftOut', reason: expect.stringMatching(/are used up$/)});
  });
});

describe('operationOf', () => {
  it('lists the known operations in its error', () => {
    expect(() => operationOf('sleep')).toThrow(/^operation = "sleep"; expected one of reduce-sum-f32, /);
  });
});

describe('format', () => {
  it('writes powers of two as 2^k from 1024 on', () => {
    expect([512, 1024, 2 ** 24, 5000].map(formatElements)).toEqual(['512', '2¹⁰', '2²⁴', '5,000']);
  });

  it('formats rates with three digits', () => {
    expect([4123.4, 87.26, 0.05126].map(formatRate)).toEqual(['4,123', '87.3', '0.0513']);
  });
});

/** A sum of ones on the device, with a chosen expectation. */
function reductionThat({expects, scratchWords}: {expects: number; scratchWords?: number}): Operation {
  return defineOperation({
    input: (count) => ({values: positions(count).fill(1)}),
    output: () => ({sum: new Uint32Array(1)}),
    scratch: () => (scratchWords === undefined ? {} : {much: scratchWords}),
    create: (gpu) => Reduce.create(gpu),
    encode: (reduce, pass, buffer, count) =>
      reduce.encode(pass, {input: buffer('values'), output: buffer('sum'), count}),
    javascript: () => ({sum: Uint32Array.of(expects)}),
  });
}
