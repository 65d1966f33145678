import {describe, expect, it} from 'vitest';
import {findFailures, planSuite, suites, suitesNamed, whyLeftOut, type CellContext, type Suite} from '../src/index.ts';
import {cellOf, oneProcess, resultOf} from './fixture.ts';

const [SEQUENTIAL, GPU] = [
  {row: 'sequential', backend: 'sequential'},
  {row: 'grid-bfs', backend: 'gpu'},
];
const ROWS = [
  {id: 'sequential', backends: ['sequential'], on: {sequential: {maxDim: 64}}, threadedBackends: []},
  {id: 'grid-bfs', backends: ['gpu'], on: {gpu: {maxDim: 3}}, threadedBackends: []},
  {id: 'pds', backends: ['workers'], on: {workers: {maxDim: 64}}, threadedBackends: ['workers']},
];
const WORKLOAD = {dataset: 'moons:n=500,seed=1', n: 500, dim: 2, params: {eps: 0.3, minPts: 5}};

function suiteOf(changes: Partial<Suite> = {}, workloads: Suite['profiles']['quick']['workloads'] = [WORKLOAD]): Suite {
  const profile = {
    workloads,
    warmups: 1,
    repeats: 1,
    settleSeconds: 0,
    softwareGpuMaxN: 1000,
    cellSeconds: 10,
    suiteSeconds: 60,
  };
  const words = {id: 'tiny', title: 'tiny', source: 'here', reproduces: 'Reproduces no figure', notes: []};
  const shape = {kind: 'dbscan', subjects: 'catalogue', reference: SEQUENTIAL, axis: 'n'} as const;
  return {...words, ...shape, profiles: {quick: profile, full: profile}, ...changes};
}

describe('planSuite', () => {
  it('runs the reference first, leaves out rows that do not take the dimensions, and gives workers all threads', () => {
    const plan = planSuite(suiteOf({}, [WORKLOAD, {...WORKLOAD, dim: 8}]), 'quick', ROWS, 6);
    expect(plan.map(({index, subject: {row, threads = 1}, isReference}) => [index, row, threads, isReference])).toEqual(
      [
        [0, 'sequential', 1, true],
        [0, 'grid-bfs', 1, false],
        [0, 'pds', 6, false],
        [1, 'sequential', 1, true],
        [1, 'pds', 6, false],
      ],
    );
  });

  it('runs the reference of a workload instead of the suite’s, and the subjects of a workload that has its own', () => {
    const own = {...WORKLOAD, reference: {row: 'pds', backend: 'workers'}, subjects: [SEQUENTIAL, GPU]};
    expect(planSuite(suiteOf({}, [own]), 'quick', ROWS, 1).map(({subject}) => subject.row)).toEqual([
      'pds',
      'grid-bfs',
    ]);
  });

  it('has no reference where each cell is verified by itself', () => {
    const plan = planSuite(suiteOf({kind: 'primitives', reference: null, subjects: [GPU]}), 'quick', ROWS, 1);
    expect(plan.map(({isReference}) => isReference)).toEqual([false]);
  });
});

describe('whyLeftOut', () => {
  const HERE: CellContext = {threads: 2, softwareGpu: false, adapterError: null, elapsedSeconds: 0, previous: null};
  const suite = suiteOf();
  it.for<
    [string, string | null, Parameters<typeof whyLeftOut>[2], Parameters<typeof whyLeftOut>[3], Partial<CellContext>]
  >([
    ['runs what the machine can do', null, WORKLOAD, GPU, {}],
    [
      'keeps large cells from a software adapter',
      'software GPU adapter',
      {...WORKLOAD, n: 1001},
      GPU,
      {softwareGpu: true},
    ],
    ['says why there is no adapter', 'no Vulkan', WORKLOAD, GPU, {adapterError: 'no Vulkan'}],
    [
      'keeps data for hardware from the reference, too',
      'only with a hardware GPU',
      {...WORKLOAD, hardwareOnly: true},
      SEQUENTIAL,
      {adapterError: 'x'},
    ],
    ['keeps to the threads of the machine', 'this machine has 2 threads', WORKLOAD, {...SEQUENTIAL, threads: 4}, {}],
    [
      'expects work to grow with n²',
      'expected to take more than',
      WORKLOAD,
      SEQUENTIAL,
      {previous: {n: 100, runSeconds: 0.5}},
    ],
    ['runs what is expected to be short', null, WORKLOAD, SEQUENTIAL, {previous: {n: 100, runSeconds: 0.3}}],
    [
      'expects less where eps shrinks',
      null,
      {...WORKLOAD, params: {...WORKLOAD.params, eps: 0.15}},
      SEQUENTIAL,
      {previous: {n: 100, eps: 0.3, runSeconds: 0.5}},
    ],
    ['stops when the time of the suite is used up', '60 s of this suite', WORKLOAD, SEQUENTIAL, {elapsedSeconds: 61}],
    [
      'leaves out what was too slow with as many points',
      'more than 20 times',
      WORKLOAD,
      GPU,
      {slowAt: {n: 500, factor: 20}},
    ],
    ['runs what was too slow with more points', null, WORKLOAD, GPU, {slowAt: {n: 501, factor: 20}}],
  ])('%s', ([, reason, workload, subject, context]) => {
    const why = whyLeftOut(suite, 'quick', workload, subject, {...HERE, ...context})?.reason ?? null;
    if (reason === null) expect(why).toBeNull();
    else expect(why).toContain(reason);
  });
});

describe('findFailures', () => {
  const limits = {hostBytesPerPoint: 60, hostFromPoints: 1000, deviceBytesPerPoint: 80, rows: ['grid-bfs']};
  const query = {suite: 'memory', ...GPU, n: 1000, params: {eps: 0.1}};
  const {adapter} = resultOf('memory', []);
  const cell = cellOf(query, oneProcess(1), {hostBytes: 61_000, deviceBytes: 81_000});

  it('names cells over the host and the device limit, of rows with a promise', () => {
    expect(findFailures(suiteOf({limits}), [cell], adapter)).toEqual([
      'tiny: grid-bfs/gpu on made-up, 1,000 × 2, eps 0.1: 61.0 host bytes a point; allowed 60',
      'tiny: grid-bfs/gpu on made-up, 1,000 × 2, eps 0.1: 81.0 device bytes a point; allowed 80',
    ]);
    expect(findFailures(suiteOf({limits: {...limits, rows: []}}), [cell], adapter)).toEqual([]);
    expect(findFailures(suiteOf(), [cell], adapter)).toEqual([]);
  });

  it('does not count host memory of small runs, nor of a software GPU, which holds the device’s', () => {
    const host = {...cell, deviceBytes: null};
    expect(findFailures(suiteOf({limits}), [{...host, n: 999}], adapter)).toEqual([]);
    expect(findFailures(suiteOf({limits}), [host], adapter && {...adapter, kind: 'bundled'})).toEqual([]);
  });

  it('names a failed cell with what it said', () => {
    const {dataset, n, dim, params, row, backend, threads, options} = cell;
    const failed = {
      status: 'failed',
      dataset,
      n,
      dim,
      params,
      row,
      backend,
      threads,
      options,
      reason: 'labels differ',
    } as const;
    expect(findFailures(suiteOf(), [failed], adapter)).toEqual([
      'tiny: grid-bfs/gpu on made-up, 1,000 × 2, eps 0.1: labels differ',
    ]);
  });
});

describe('suitesNamed', () => {
  it('finds a suite by its id, and those whose ids begin with it and a dash', () => {
    for (const suite of suites) expect(suitesNamed(suite.id)).toContain(suite);
    expect(suitesNamed('dclust').map(({id}) => id)).toEqual(
      suites.map(({id}) => id).filter((id) => id === 'dclust' || id.startsWith('dclust-')),
    );
    expect(suitesNamed('dcl')).toEqual([]);
  });
});
