import {describe, expect, it} from 'vitest';
import {REFERENCE, whyLeftOut, type CellContext} from '../src/dbscan/plan.ts';
import {milanesi} from '../src/suites/milanesi.ts';

const FRESH: CellContext = {softwareGpu: false, adapterError: null, threads: 2, elapsedSeconds: 0, previous: null};
const GPU = {row: 'grid-bfs', backend: 'gpu'};

describe('whyLeftOut', () => {
  const [small] = milanesi.profiles.quick.workloads;
  const large = milanesi.profiles.quick.workloads.at(-1) ?? small;

  it('runs everything on a hardware adapter that is fast enough', () => {
    expect(whyLeftOut(milanesi, 'quick', large, GPU, FRESH)).toBeNull();
  });

  it('keeps large cells from a software adapter', () => {
    expect(whyLeftOut(milanesi, 'quick', small, GPU, {...FRESH, softwareGpu: true})).toBeNull();
    expect(whyLeftOut(milanesi, 'quick', large, GPU, {...FRESH, softwareGpu: true})).toMatch(
      /^software GPU adapter: at most/,
    );
  });

  it('keeps workloads for hardware from the reference, too, where there is none', () => {
    for (const context of [{softwareGpu: true}, {adapterError: 'no Vulkan'}]) {
      expect(whyLeftOut(milanesi, 'quick', large, REFERENCE, {...FRESH, ...context})).toMatch(
        /only with a hardware GPU$/,
      );
    }
    expect(whyLeftOut(milanesi, 'quick', large, REFERENCE, FRESH)).toBeNull();
  });

  it('says why there is no adapter', () => {
    const context = {...FRESH, adapterError: 'no Vulkan'};
    expect(whyLeftOut(milanesi, 'quick', small, GPU, context)).toBe('no Vulkan');
  });

  it('expects the work to grow with n²', () => {
    const third = {n: large.n / 2, runSeconds: milanesi.profiles.quick.cellSeconds / 3};
    expect(whyLeftOut(milanesi, 'quick', large, GPU, {...FRESH, previous: third})).toMatch(
      /^expected to take more than/,
    );
    const fifth = {n: large.n / 2, runSeconds: milanesi.profiles.quick.cellSeconds / 5};
    expect(whyLeftOut(milanesi, 'quick', large, GPU, {...FRESH, previous: fifth})).toBeNull();
  });

  it('leaves out what was too slow with as many points or fewer', () => {
    const slowAt = {n: small.n, factor: 20};
    expect(whyLeftOut(milanesi, 'quick', small, GPU, {...FRESH, slowAt})).toBe(
      'more than 20 times as long as the fastest on 5,000 points',
    );
    expect(whyLeftOut(milanesi, 'quick', small, GPU, {...FRESH, slowAt: {...slowAt, n: large.n}})).toBeNull();
  });

  it('keeps to the threads that the machine has', () => {
    const subject = {row: 'sets', backend: 'workers', threads: 4};
    expect(whyLeftOut(milanesi, 'quick', small, subject, FRESH)).toBe('this machine has 2 threads');
    expect(whyLeftOut(milanesi, 'quick', small, subject, {...FRESH, threads: 4})).toBeNull();
  });

  it('stops when the time of the suite is used up, the reference too', () => {
    const late = {...FRESH, elapsedSeconds: milanesi.profiles.quick.suiteSeconds + 1};
    expect(whyLeftOut(milanesi, 'quick', small, GPU, late)).toMatch(/are used up$/);
    expect(whyLeftOut(milanesi, 'quick', small, REFERENCE, late)).toMatch(/are used up$/);
  });
});
