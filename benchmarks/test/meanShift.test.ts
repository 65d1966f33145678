import {describe, expect, it} from 'vitest';
import {
  describeFit,
  estimateMs,
  fitQuadratic,
  nameMeanShift,
  planMeanShift,
  resultFileSchema,
  suites,
  USUAL_TILE,
  whyMeanShiftLeftOut,
  type MeanShiftCell,
  type MeanShiftSuite,
} from '../src/index.ts';
import {failedMeanShifts} from '../src/meanShift/plan.ts';

const SUITE = suites.find((suite): suite is MeanShiftSuite => suite.kind === 'mean-shift');
if (SUITE === undefined) throw new Error('there is no such suite');
const {quick, full} = SUITE.profiles;
const SEQUENTIAL = {method: 'sequential', threads: 1, tileWidth: null} as const;

describe('the suite of mean shift', () => {
  it('has every number of the document: 4 versions at 5 sizes, and 7 tiles', () => {
    expect(full.sizes).toEqual([100, 1000, 10_000, 100_000, 250_000]);
    const byMethod = Map.groupBy(
      SUITE.published,
      ({method, tileWidth}) => `${method}${tileWidth === null ? '' : ' sweep'}`,
    );
    expect([...byMethod].map(([method, figures]) => [method, figures.length])).toEqual([
      ['sequential', 5],
      ['workers', 5],
      ['tiled', 5],
      ['naive', 5],
      ['tiled sweep', 7],
    ]);
    expect(SUITE.published.filter(({isEstimated}) => isEstimated).map(({method, n, ms}) => [method, n, ms])).toEqual([
      ['sequential', 250_000, 27_768_000],
      ['workers', 250_000, 8_720_000],
    ]);
  });

  it('measures what each of its tables needs', () => {
    const plan = planMeanShift(SUITE, full);
    const names = plan.map(({subject}) => nameMeanShift({...subject, n: 1}));
    for (const threads of [2, 4, 8]) expect(names).toContain(`workers on ${threads} threads at 1`);
    expect(plan.filter(({subject}) => subject.method === 'tiled' && subject.tileWidth !== USUAL_TILE).length).toBe(6);
    for (const {subject, sizes} of plan) {
      if (['sequential', 'workers'].includes(subject.method))
        expect(sizes).toEqual(expect.arrayContaining([...full.sizes]));
      expect(sizes).toEqual([...sizes].toSorted((a, b) => a - b));
    }
  });

  it('leaves out what the machine cannot do, and marks as slow what only takes too long', () => {
    const context = {threads: 2, adapterError: null, softwareGpu: true, elapsedSeconds: 0, previous: null};
    expect(whyMeanShiftLeftOut(SEQUENTIAL, 250_000, quick, context)).toBeNull();
    const grown = {...context, previous: {n: 1000, runSeconds: quick.cellSeconds / 4}};
    expect(whyMeanShiftLeftOut(SEQUENTIAL, 2000, quick, grown)).toBeNull();
    expect(whyMeanShiftLeftOut(SEQUENTIAL, 10_000, quick, grown)).toEqual({
      reason: 'one run is expected to take more than 0.6 s',
      isSlow: true,
    });
    expect(whyMeanShiftLeftOut(SEQUENTIAL, 100, quick, {...context, elapsedSeconds: 99})?.isSlow).toBe(true);
    const fourThreads = {method: 'workers', threads: 4, tileWidth: null} as const;
    expect(whyMeanShiftLeftOut(fourThreads, 100, quick, context)).toEqual({
      reason: 'the machine has 2 processors',
      isSlow: false,
    });
    const tiled = {method: 'tiled', threads: 1, tileWidth: 64} as const;
    expect(whyMeanShiftLeftOut(tiled, 10_000, quick, context)?.reason).toBe(
      'software GPU adapter: at most 1,000 points',
    );
    expect(whyMeanShiftLeftOut(tiled, 10_000, quick, {...context, softwareGpu: false})).toBeNull();
    expect(whyMeanShiftLeftOut(tiled, 100, quick, {...context, adapterError: 'no Vulkan'})?.reason).toBe('no Vulkan');
  });

  it('reads its cells back from JSON, and says which failed', () => {
    const key = {...SEQUENTIAL, n: 100};
    const cells: MeanShiftCell[] = [
      {...key, status: 'estimated', ms: 5, fit: 't = n²'},
      {...key, status: 'failed', error: 'out of luck'},
      {...key, method: 'tiled', tileWidth: 64, status: 'leftOut', reason: 'no adapter'},
    ];
    const file = {
      format: 'epsball-benchmark',
      version: 1,
      kind: 'mean-shift',
      suite: 'mean-shift',
      profile: 'quick',
      startedAt: '2026-11-20T15:04:23.000Z',
      elapsedMs: 1,
      commit: {hash: 'unknown', dirty: false},
      machine: {node: 'v24', os: 'Linux', arch: 'x64', cpu: 'Test', threads: 2, memoryBytes: 1},
      adapter: null,
      adapterError: 'none',
      cells,
    };
    expect(resultFileSchema.parse(JSON.parse(JSON.stringify(file)))).toEqual(file);
    expect(failedMeanShifts(SUITE, cells)).toEqual(['mean-shift: sequential at 100: out of luck']);
  });
});

describe('the quadratic fit', () => {
  it('finds the law of exact times, and goes through two of them', () => {
    const law = (n: number): number => 2e-5 * n * n + 3e-3 * n;
    for (const sizes of [
      [100, 1000],
      [100, 300, 1000, 10_000],
    ]) {
      const fit = fitQuadratic(sizes.map((n) => ({n, ms: law(n)})));
      expect(fit?.perPair).toBeCloseTo(2e-5, 12);
      expect(fit?.perPoint).toBeCloseTo(3e-3, 9);
      expect(fit && estimateMs(fit, 250_000)).toBeCloseTo(law(250_000), 0);
    }
  });

  it('comes to the document’s estimate from its own times', () => {
    const times = SUITE.published.filter(({method, isEstimated}) => method === 'sequential' && !isEstimated);
    const fit = fitQuadratic(times);
    // 27,768 s there.
    expect((fit && estimateMs(fit, 250_000)) ?? 0).toBeGreaterThan(26e6);
    expect((fit && estimateMs(fit, 250_000)) ?? 0).toBeLessThan(33e6);
  });

  it('has no negative term, and none without two sizes', () => {
    const flat = fitQuadratic([
      {n: 100, ms: 10},
      {n: 1000, ms: 20},
    ]);
    expect(flat?.perPair).toBe(0);
    expect(flat?.perPoint).toBeGreaterThan(0);
    expect(fitQuadratic([{n: 100, ms: 10}])).toBeUndefined();
    const steep = fitQuadratic([
      {n: 100, ms: 1},
      {n: 1000, ms: 200},
    ]);
    expect(steep?.perPoint).toBe(0);
    expect(steep && describeFit(steep)).toMatch(/^t = \S+ · n² \+ 0.00 · n ms, fitted to n = 100, 1,000$/);
  });
});
