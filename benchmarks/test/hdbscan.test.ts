import {describe, expect, it} from 'vitest';
import {planHdbscan, suiteKinds, suites, whyHdbscanLeftOut, type HdbscanSuite} from '@epsball/benchmarks';

const SUITE = suites.find((suite): suite is HdbscanSuite => suite.kind === 'hdbscan');

describe('the suite of HDBSCAN*', () => {
  if (SUITE === undefined) throw new Error('no suite of the kind hdbscan');
  const {full} = SUITE.profiles;
  const context = {adapterError: null, softwareGpu: false, hasR: true, elapsedSeconds: 0};

  it('has a cell for each data set, size and method', () => {
    expect(planHdbscan(SUITE, full).length).toBe(SUITE.datasets.length * full.sizes.length * 4);
  });

  it('leaves R out where it is missing or would keep too many pairs', () => {
    const key = {method: 'R', dataset: 'tweets', n: 20_000} as const;
    expect(whyHdbscanLeftOut(key, SUITE, full, context)).toBe(null);
    expect(whyHdbscanLeftOut({...key, n: 100_000}, SUITE, full, context)).toContain('at most 20,000 points');
    expect(whyHdbscanLeftOut(key, SUITE, full, {...context, hasR: false})).toContain('not installed');
  });

  it('leaves large sets out on a software GPU, and everything when its time is used up', () => {
    const key = {method: 'gpu', dataset: 'tweets', n: 1_000_000} as const;
    expect(whyHdbscanLeftOut(key, SUITE, full, context)).toBe(null);
    expect(whyHdbscanLeftOut(key, SUITE, full, {...context, softwareGpu: true})).toContain('software GPU');
    expect(whyHdbscanLeftOut(key, SUITE, full, {...context, adapterError: 'no adapter'})).toBe('no adapter');
    expect(whyHdbscanLeftOut(key, SUITE, full, {...context, elapsedSeconds: 1e4})).toContain('used up');
  });

  it('names failed cells', () => {
    const failed = {
      method: 'gpu',
      dataset: 'tweets:seed=1',
      n: 5000,
      status: 'failed',
      error: 'labels differ',
    } as const;
    expect(suiteKinds.hdbscan.findFailures(SUITE, [failed], null)).toEqual([
      'hdbscan: gpu on tweets at 5,000: labels differ',
    ]);
  });
});
