import {describe, expect, it} from 'vitest';
import {isSameSubject, nameSubject, referenceOf} from '../src/dbscan/plan.ts';
import {dclust, dclustDim, dclustEps, dclustKernels, dclustMinPts, dclustNone} from '../src/suites/dclust.ts';

const SUITES = [dclustNone, dclust, dclustMinPts, dclustEps, dclustDim, dclustKernels];

describe('the suites of CUDA-DClust', () => {
  it('run over the numbers that the figures of the paper do', () => {
    expect(dclust.profiles.full.workloads.map(({n}) => n / 1000)).toEqual([10, 20, 30, 65, 130, 260, 520, 1000, 2000]);
    expect(dclustNone.profiles.full.workloads.map(({n}) => n / 1000)).toEqual([30, 65, 130, 260, 520, 1000]);
    const minPts = dclustMinPts.profiles.full.workloads.map(({params}) => params.minPts);
    expect([minPts[0], minPts.at(-1)]).toEqual([4, 2048]);
    const eps = dclustEps.profiles.full.workloads.map(({params}) => params.eps);
    expect([eps[0], eps.at(-1)]).toEqual([0.02, 0.1]);
    expect(dclustDim.profiles.full.workloads.map(({dim}) => dim)).toEqual([4, 8, 16, 32, 64]);
    for (const {profiles} of [dclustMinPts, dclustEps, dclustDim]) {
      for (const {n} of profiles.full.workloads) expect(n).toBe(260_000);
    }
  });

  it('have both versions wherever the paper has the star alone', () => {
    for (const {subjects} of [dclust, dclustMinPts, dclustEps, dclustDim]) {
      const names = subjects === 'catalogue' ? [] : subjects.map(nameSubject);
      expect(names).toContain('dclust/gpu (index directory)');
      expect(names).toContain('dclust/gpu (index none)');
    }
  });

  it('compare labels with the directory on a CPU in any dimension, and 4,000,000 points without the directory', () => {
    for (const {dim} of [{dim: 4}, {dim: 64}]) {
      const workload = dclustDim.profiles.full.workloads.find((one) => one.dim === dim);
      expect(workload && nameSubject(referenceOf(dclustDim, workload))).toBe('sequential/sequential (index directory)');
    }
    const named = dclustKernels.profiles.full.workloads.map((one) => [
      one.n,
      nameSubject(referenceOf(dclustKernels, one)),
    ]);
    expect(named).toEqual([
      [520_000, 'sequential/sequential'],
      [4_000_000, 'dclust/gpu (index none)'],
    ]);
  });

  it('publish what the text and Table 1 state, beside subjects and data that the full profile measures', () => {
    for (const {published, subjects, profiles} of SUITES) {
      for (const {subject, over, n, dim, minPts} of published) {
        for (const one of [subject, over ?? subject]) {
          expect(subjects === 'catalogue' || subjects.some((known) => isSameSubject(known, one))).toBe(true);
        }
        const fitting = profiles.full.workloads.filter(
          (workload) =>
            workload.n === n &&
            (dim ?? workload.dim) === workload.dim &&
            (minPts ?? workload.params.minPts) === workload.params.minPts,
        );
        expect(fitting).toHaveLength(1);
      }
    }
  });

  it('state a share of the index that is the quotient of the times beside it, as the paper rounds it', () => {
    for (const {published} of [dclust, dclustDim]) {
      const shares = published.filter(({quantity}) => quantity === 'indexShare');
      expect(shares.length).toBeGreaterThan(3);
      for (const {n, dim, value} of shares) {
        const valueOf = (quantity: string): number =>
          published.find((one) => one.quantity === quantity && one.n === n && one.dim === dim)?.value ?? NaN;
        expect(value).toBeCloseTo(valueOf('indexTime') / valueOf('timeWithoutIndex'), 2);
      }
    }
  });

  it('take at most 100 seconds together in the quick profile', () => {
    const seconds = SUITES.map(({profiles}) => profiles.quick.suiteSeconds);
    expect(seconds.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(100);
  });
});
