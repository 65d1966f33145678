import {readFileSync} from 'node:fs';
import {catalogue} from '@epsball/dbscan';
import {generateDataset} from '@epsball/datasets';
import {CITIES_CREDIT} from '@epsball/datasets/cities';
import {describe, expect, it} from 'vitest';
import {cellKeyOf, isSameSubject, nameSubject, planSuite, REFERENCE, referenceOf} from '../src/dbscan/plan.ts';
import type {DbscanSuite, Subject} from '../src/dbscan/suite.ts';
import {suites} from '../src/suites.ts';
import {gdbscanHybrid, gdbscanHybridPictures} from '../src/suites/gdbscanHybrid.ts';
import {real} from '../src/suites/real.ts';
import {milanesi} from '../src/suites/milanesi.ts';

const PROFILES = ['quick', 'full'] as const;
const GPU = {row: 'grid-bfs', backend: 'gpu'};

const dbscanSuites = suites.filter((suite) => suite.kind === 'dbscan');

describe.for(dbscanSuites.map((suite) => ({id: suite.id, suite})))('suite $id', ({suite}) => {
  it('names each workload once in a profile', () => {
    for (const profile of PROFILES) {
      const names = suite.profiles[profile].workloads.map(
        ({dataset, params}) => `${dataset} ${params.eps} ${params.minPts}`,
      );
      expect(new Set(names).size).toBe(names.length);
    }
  });

  it('states the size and dimension that its data set has', () => {
    const generated = suite.profiles.quick.workloads.filter(({dataset, n}) => dataset !== 'cities' && n <= 10_000);
    for (const {dataset, n, dim} of generated) {
      const points = generateDataset(dataset);
      expect({n: points.coords.length / points.dim, dim: points.dim}).toEqual({n, dim});
    }
  });

  it('measures every subject that it names in the quick profile, on two threads and with a software GPU', () => {
    const {softwareGpuMaxN} = suite.profiles.quick;
    const measured = planSuite(suite, 'quick', catalogue, 2).filter(
      ({workload, subject}) =>
        workload.hardwareOnly !== true &&
        (subject.threads ?? 1) <= 2 &&
        (subject.backend !== 'gpu' || workload.n <= softwareGpuMaxN),
    );
    const onAnyThreads = (subject: Subject): string => nameSubject({...subject, threads: 1});
    const all = catalogue.flatMap(({id, backends}) => backends.map((backend) => ({row: id, backend})));
    const named = suite.subjects === 'catalogue' ? (suite.profiles.quick.subjects ?? all) : suite.subjects;
    const names = measured.map(({subject}) => onAnyThreads(subject));
    expect(names).toEqual(expect.arrayContaining(named.map(onAnyThreads)));
  });

  it('runs the reference of a workload before its other subjects', () => {
    const plan = planSuite(suite, 'quick', catalogue, 2);
    const started = new Set<number>();
    for (const {index, workload, subject} of plan) {
      if (!started.has(index)) expect(subject).toEqual(referenceOf(suite, workload));
      started.add(index);
    }
  });
});

describe('the suite of the document', () => {
  it('runs from 1000 to 1,000,000 points with the parameters of Figure 1', () => {
    const {workloads} = milanesi.profiles.full;
    expect(workloads.map(({n}) => n)).toEqual([
      1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000,
    ]);
    for (const {params} of workloads) expect(params).toEqual({eps: 0.03, minPts: 8});
  });

  it('publishes only what the text states: 68 s, 1 s and 59×, at 1,000,000 points', () => {
    expect(milanesi.published.map(({quantity, n, value, reading}) => [quantity, n, value, reading])).toEqual([
      ['time', 1_000_000, 68_000, 'stated in the text'],
      ['time', 1_000_000, 1000, 'stated in the text'],
      ['speedUp', 1_000_000, 59, 'stated in the text'],
    ]);
  });
});

describe('the suite of G-DBSCAN and the hybrid', () => {
  it('divides by both sequential codes, and measures both in either profile', () => {
    const names = (gdbscanHybrid.baselines ?? []).map(nameSubject);
    expect(names).toEqual(['sequential/sequential', 'sequential/sequential (index none)']);
    for (const profile of PROFILES) {
      const measured = planSuite(gdbscanHybrid, profile, catalogue, 16).map(({subject}) => nameSubject(subject));
      expect(measured).toEqual(expect.arrayContaining(names));
    }
  });

  it('measures the codes with a grid one after another, then those without', () => {
    for (const profile of PROFILES) {
      const cells = planSuite(gdbscanHybrid, profile, catalogue, 16).filter(({index}) => index === 0);
      const withoutIndex = cells.map(({subject}) => subject.options?.index === 'none');
      expect(withoutIndex).toEqual(withoutIndex.toSorted((a, b) => Number(a) - Number(b)));
    }
  });

  it('publishes only what the text states, beside subjects that the full profile measures', () => {
    expect(gdbscanHybrid.published.map(({subject, n, value}) => [nameSubject(subject), n, value])).toEqual([
      ['gdbscan/gpu (index none)', 50_000, 10],
      ['gdbscan/gpu (index none)', 200_000, 15],
      ['hybrid/gpu ×8 (index none)', 200_000, 40],
    ]);
    for (const {subject} of gdbscanHybrid.published) {
      const {subjects} = gdbscanHybrid;
      expect(subjects === 'catalogue' || subjects.some((one) => isSameSubject(one, subject))).toBe(true);
    }
  });

  it('draws the six sets of scikit-learn', () => {
    const {workloads} = gdbscanHybridPictures.profiles.quick;
    expect(workloads.map(({dataset, picture}) => [dataset.split(':')[0], picture])).toEqual(
      ['circles', 'moons', 'varied', 'aniso', 'blobs', 'no-structure'].map((name) => [name, true]),
    );
  });
});

describe('the suite of real data', () => {
  it('credits GeoNames with the line that the data set asks for', () => {
    expect(real.credits).toContain(CITIES_CREDIT);
  });
});

describe('planSuite', () => {
  it('leaves out a row that does not take the dimensions', () => {
    const rows = [
      {id: 'sequential', maxDims: {sequential: Infinity}, backends: ['sequential'], threadedBackends: []},
      {id: 'flat', maxDims: {gpu: 1}, backends: ['gpu'], threadedBackends: []},
    ];
    expect(
      planSuite({...milanesi, subjects: 'catalogue'}, 'quick', rows, 2).every(({subject}) => subject === REFERENCE),
    ).toBe(true);
  });

  it('runs the reference of a workload instead of the suite’s', () => {
    const {workloads} = milanesi.profiles.quick;
    const quick = {...milanesi.profiles.quick, workloads: [workloads[0], {...workloads[1], reference: GPU}]};
    const gdbscan = {row: 'gdbscan', backend: 'gpu'};
    const suite = {...milanesi, subjects: [REFERENCE, gdbscan], profiles: {...milanesi.profiles, quick}};
    expect(planSuite(suite, 'quick', catalogue, 2).map(({index, subject}) => [index, subject])).toEqual([
      [0, REFERENCE],
      [0, gdbscan],
      [1, GPU],
      [1, gdbscan],
    ]);
    const named = {...suite, reference: {...REFERENCE, options: {index: 'none'}}};
    expect(nameSubject(planSuite(named, 'quick', catalogue, 2)[0].subject)).toBe('sequential/sequential (index none)');
  });

  it('keeps to the subjects that a suite lists, and still adds the reference', () => {
    const suite = {...milanesi, subjects: [GPU]};
    const subjects = new Set(
      planSuite(suite, 'quick', catalogue, 2).map(({subject}) => `${subject.row} ${subject.backend}`),
    );
    expect([...subjects]).toEqual(['sequential sequential', 'grid-bfs gpu']);
  });

  it('takes the subjects of a workload that has its own, beside its reference', () => {
    const {quick, full} = milanesi.profiles;
    const [first, second] = quick.workloads;
    const workloads = [first, {...second, subjects: [GPU]}];
    const suite = {...milanesi, profiles: {quick: {...quick, workloads}, full}};
    const names = planSuite(suite, 'quick', catalogue, 2).map(({index, subject}) => [index, nameSubject(subject)]);
    expect(names).toEqual([
      [0, 'sequential/sequential'],
      [0, 'grid-bfs/sequential'],
      [0, 'grid-bfs/gpu'],
      [1, 'sequential/sequential'],
      [1, 'grid-bfs/gpu'],
    ]);
  });

  it('takes the subjects of a profile that has its own', () => {
    const {quick, full} = milanesi.profiles;
    const suite = {...milanesi, profiles: {quick: {...quick, subjects: [GPU]}, full}};
    const subjectsOf = (profile: 'quick' | 'full'): string[] => [
      ...new Set(planSuite(suite, profile, catalogue, 2).map(({subject}) => nameSubject(subject))),
    ];
    expect(subjectsOf('quick')).toEqual(['sequential/sequential', 'grid-bfs/gpu']);
    expect(subjectsOf('full')).toContain('grid-bfs/sequential');
  });

  it('keeps two thread counts of a subject apart, and gives workers of the catalogue all threads', () => {
    const rows = [
      {id: 'sequential', maxDims: {sequential: Infinity}, backends: ['sequential'], threadedBackends: []},
      {id: 'sets', maxDims: {workers: 8, gpu: 8}, backends: ['workers', 'gpu'], threadedBackends: ['workers']},
      {id: 'both', maxDims: {gpu: 8}, backends: ['gpu'], threadedBackends: ['gpu']},
    ];
    const [workload] = milanesi.profiles.quick.workloads;
    const threadsOf = (subjects: DbscanSuite['subjects']): number[] =>
      planSuite({...milanesi, subjects}, 'quick', rows, 16)
        .filter((cell) => cell.workload === workload)
        .map(({subject}) => cellKeyOf(workload, subject).threads);
    const sets = {row: 'sets', backend: 'workers'};
    expect(
      threadsOf([
        {...sets, threads: 2},
        {...sets, threads: 4},
      ]),
    ).toEqual([1, 2, 4]);
    expect(threadsOf('catalogue')).toEqual([1, 16, 1, 16]);
  });
});

describe('isSameSubject', () => {
  it('counts no threads as one, and another number as another subject', () => {
    expect(isSameSubject(REFERENCE, {...REFERENCE, threads: 1})).toBe(true);
    expect(isSameSubject(REFERENCE, {...REFERENCE, threads: 2})).toBe(false);
  });

  it('counts no options as none, other options as another subject, and not the order in which they stand', () => {
    expect(isSameSubject(REFERENCE, {...REFERENCE, options: {}})).toBe(true);
    expect(isSameSubject(REFERENCE, {...REFERENCE, options: {index: 'none'}})).toBe(false);
    const both = {row: 'pds', backend: 'workers', options: {union: 'lock', index: 'none'}};
    expect(isSameSubject(both, {...both, options: {index: 'none', union: 'lock'}})).toBe(true);
    expect(isSameSubject(both, {...both, options: {index: 'none', union: 'lock', pointsPerChunk: 1}})).toBe(false);
  });
});

describe('nameSubject', () => {
  it('names threads and options, where there are any', () => {
    expect(nameSubject(GPU)).toBe('grid-bfs/gpu');
    expect(nameSubject({...REFERENCE, options: {index: 'none'}})).toBe('sequential/sequential (index none)');
    const options = {union: 'lock', pointsPerChunk: 8};
    expect(nameSubject({row: 'pds', backend: 'workers', threads: 4, options})).toBe(
      'pds/workers ×4 (pointsPerChunk 8, union lock)',
    );
  });
});

describe('cellKeyOf', () => {
  it('has the options of its subject', () => {
    const [workload] = milanesi.profiles.quick.workloads;
    expect(cellKeyOf(workload, REFERENCE).options).toEqual({});
    expect(cellKeyOf(workload, {...REFERENCE, options: {index: 'none'}}).options).toEqual({index: 'none'});
  });
});

describe('the quick profile', () => {
  it('gives its suites eight minutes together, as METHOD.md says', () => {
    const seconds = suites.map(({profiles}) => profiles.quick.suiteSeconds);
    expect(seconds.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(480);
  });
});

describe('METHOD.md', () => {
  it('names every suite', () => {
    const text = readFileSync(new URL('../METHOD.md', import.meta.url), 'utf8');
    for (const {id} of suites) expect(text).toContain(`\`${id}\``);
  });
});
