import {existsSync, mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {resultFileSchema, suites, type Cell, type Profile, type Suite, type Workload} from '@epsball/benchmarks';
import {InvalidParameterError} from '@epsball/clustering';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {watchPeak} from '../src/measure/hostMemory.ts';
import {runInChild} from '../src/run/childProcess.ts';
import {fitQuadratic} from '../src/run/estimates.ts';
import type {CellJob} from '../src/run/job.ts';
import {cellLine} from '../src/run/lines.ts';
import {describeCommit, describeMachine} from '../src/run/machine.ts';
import {runBench} from '../src/run/runBench.ts';
import {runSuite, type RunSuiteOptions} from '../src/run/runSuite.ts';
import {resultFile} from './reportFixture.ts';

const SEQUENTIAL = {row: 'sequential', backend: 'sequential'};
const GRID_BFS = {row: 'grid-bfs', backend: 'sequential'};
const TIMEOUT = {timeoutMs: 3_600_000};

const MOONS: Workload = {dataset: 'moons:n=500,seed=3', n: 500, dim: 2, params: {eps: 0.3, minPts: 5}, picture: true};
const PROFILE = {warmups: 1, repeats: 3, settleSeconds: 0, cellSeconds: 3600};
const JOB: CellJob = {
  kind: 'dbscan',
  workload: MOONS,
  subject: SEQUENTIAL,
  adapter: 'auto',
  profile: PROFILE,
  reference: SEQUENTIAL,
  referenceHash: null,
  pictureFile: null,
};

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'epsball-suite-'));
});

afterAll(() => rmSync(folder, {recursive: true}));

function tinySuite(workloads: readonly Workload[], changes: Partial<Suite> = {}): Suite {
  const profile: Profile = {
    workloads,
    warmups: 1,
    repeats: 2,
    settleSeconds: 0,
    softwareGpuMaxN: 1000,
    cellSeconds: 3600,
    suiteSeconds: 3600,
  };
  return {
    ...suites[0],
    id: 'tiny',
    reference: SEQUENTIAL,
    subjects: [SEQUENTIAL, GRID_BFS],
    profiles: {quick: profile, full: profile},
    ...changes,
  };
}

function options(changes: Partial<RunSuiteOptions> = {}): RunSuiteOptions {
  const found = {adapter: null, adapterError: 'not looked for'};
  return {profile: 'quick', adapter: 'auto', found, resultsDir: folder, stem: 'tiny', ...changes};
}

/** The measured cell of a job. */
async function cellOf(changes: Partial<CellJob>): Promise<Extract<Cell, {status: 'measured'}>> {
  const reply = await runInChild({...JOB, ...changes}, TIMEOUT);
  if (reply.status !== 'cell' || reply.cell.status !== 'measured') throw new Error(JSON.stringify(reply));
  return reply.cell;
}

describe('a cell in a child process', () => {
  it('returns the requested number of times, verified against the definition', async () => {
    const cell = await cellOf({});
    expect(cell.wall?.allMs.length).toBe(3);
    expect(cell).toMatchObject({...SEQUENTIAL, n: 500, params: MOONS.params, clusters: 2, verified: ['definition']});
    expect(Object.keys(cell.phaseMs)).toContain('clusters');
  });

  it.for<[string, Partial<typeof PROFILE> & Partial<CellJob['profile']>, number]>([
    ['measures for longer than it warms up if the profile says so', {repeats: 1, settleSeconds: 60, warmSeconds: 0}, 5],
    [
      'measures as many short runs as the profile says',
      {repeats: 1, repeatsMax: 9, settleSeconds: 60, warmSeconds: 0},
      9,
    ],
    ['counts a first run of more than a quarter of the seconds', {warmups: 5, repeats: 9, repeatSeconds: 1e-6}, 1],
  ])('%s', async ([, changes, runs]) => {
    expect((await cellOf({profile: {...PROFILE, ...changes}})).wall?.allMs.length).toBe(runs);
  });

  it('returns no time if the labels differ from the reference', async () => {
    const reply = await runInChild({...JOB, subject: GRID_BFS, referenceHash: 'ffffffffffffffff'}, TIMEOUT);
    expect(reply).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/^labels differ from the sequential variant’s/),
    });
  });

  it('measures mean shift, HDBSCAN*, changes and primitives in the same shape', async () => {
    const shift = {dataset: 'gaussians3d:seed=1,n=100', n: 100, dim: 3, params: {bandwidth: 2, iterations: 10}};
    const shifted = await cellOf({kind: 'mean-shift', workload: shift, subject: {row: 'shift', backend: 'sequential'}});
    expect(shifted.counters).toMatchObject({error: 0});
    const tree = {dataset: 'moons:seed=1,n=300', n: 300, dim: 2, params: {minClusterSize: 10, minSamples: 5}};
    const clustered = await cellOf({kind: 'hdbscan', workload: tree, subject: {row: 'hdbscan', backend: 'sequential'}});
    expect(clustered).toMatchObject({clusters: 2, verified: ['all numbers equal the backend workers']});
    const changes = {...MOONS, params: {...MOONS.params, changes: 2}};
    const changed = await cellOf({
      kind: 'dynamic',
      workload: changes,
      subject: {row: 'dynamic', backend: 'sequential'},
    });
    expect(changed).toMatchObject({clusters: 2, verified: ['reference']});
    const fresh = await cellOf({kind: 'dynamic', workload: changes, subject: {row: 'pds', backend: 'sequential'}});
    expect(fresh).toMatchObject({clusters: 2, verified: ['definition']});
    const sum = {dataset: 'reduce-sum-f32', n: 300, dim: 1, params: {}};
    const summed = await cellOf({
      kind: 'primitives',
      workload: sum,
      subject: {row: 'javascript', backend: 'sequential'},
    });
    expect(summed).toMatchObject({counters: {bytes: 1200}, points: null});
  });

  it('reports the error for unknown data', async () => {
    const reply = await runInChild({...JOB, workload: {...MOONS, dataset: 'nowhere'}}, TIMEOUT);
    expect(reply).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/^dataset = "nowhere"; expected one of/),
    });
  });

  it('refuses data whose size differs from the suite', async () => {
    const reply = await runInChild({...JOB, workload: {...MOONS, n: 501}}, TIMEOUT);
    expect(reply).toMatchObject({status: 'failed', error: expect.stringContaining('expected 501 of 2')});
  });

  it('is stopped when it takes too long', async () => {
    const reply = await runInChild({...JOB, profile: {...PROFILE, warmups: 1e9}}, {timeoutMs: 2000});
    expect(reply).toEqual({status: 'stopped', seconds: 2});
  });

  it('is killed by an abort and rejects with its reason', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    setTimeout(() => controller.abort(reason), 500);
    const endless = runInChild({...JOB, profile: {...PROFILE, warmups: 1e9}}, {...TIMEOUT, signal: controller.signal});
    await expect(endless).rejects.toBe(reason);
  });
});

describe('runSuite', () => {
  it('measures every subject of every workload and draws the picture', async () => {
    const lines: string[] = [];
    const onCell: RunSuiteOptions['onCell'] = (cell, _, reference) => lines.push(cellLine(cell, reference));
    const cells = await runSuite(tinySuite([MOONS]), options({onCell}));
    expect(cells).toMatchObject([
      {...SEQUENTIAL, status: 'measured', verified: ['definition'], picture: 'tiny-0.png'},
      {...GRID_BFS, status: 'measured', verified: ['sequential', 'definition'], picture: null},
    ]);
    expect(new Set(cells.map((cell) => (cell.status === 'measured' ? cell.labels : cell.status))).size).toBe(1);
    expect(existsSync(join(folder, 'tiny-0.png'))).toBe(true);
    expect(lines[0]).toMatch(/^sequential on moons, 500 × 2, eps 0.3, minPts 5: .*; verified$/);
    expect(lines[1]).toMatch(/^grid-bfs\/sequential on .*, [\d.]+× as fast as sequential; verified$/);
  });

  it('compares with the reference of the workload and records it', async () => {
    const workload = {...MOONS, dataset: 'moons:n=4001,seed=3', n: 4001, picture: false, reference: GRID_BFS};
    const pds = {row: 'pds', backend: 'sequential'};
    const cells = await runSuite(tinySuite([workload], {subjects: [SEQUENTIAL, pds]}), options());
    expect(cells).toMatchObject([
      {...GRID_BFS, status: 'measured', verified: ['reference']},
      {...pds, status: 'measured', verified: ['agreement']},
    ]);
  });

  it('continues after a failed cell', async () => {
    const cells = await runSuite(tinySuite([{...MOONS, dataset: 'nowhere'}, MOONS]), options());
    expect(cells.map(({status}) => status)).toEqual(['failed', 'failed', 'measured', 'measured']);
    expect(cells[1]).toMatchObject({reason: 'not verifiable: the sequential variant gave no labels'});
  });

  it('leaves GPU cells out without an adapter and records why, and starts none when the time is used up', async () => {
    const onGpu = ['dense-grid', 'gdbscan'].map((row) => ({row, backend: 'gpu'}) as const);
    const suite = tinySuite([MOONS], {subjects: [SEQUENTIAL, ...onGpu]});
    const cells = await runSuite(suite, options({found: {adapter: null, adapterError: 'no Vulkan here'}}));
    expect(cells.slice(1)).toMatchObject(onGpu.map(({row}) => ({row, status: 'leftOut', reason: 'no Vulkan here'})));
    const late = await runSuite(suite, options({seconds: -1}));
    expect(late.map(({status}) => status)).toEqual(['leftOut', 'leftOut', 'leftOut']);
  });
});

describe('the fit of slow cells', () => {
  it('finds the law of exact times, has no negative term, and none without two sizes', () => {
    const law = (n: number): {n: number; ms: number} => ({n, ms: 3e-5 * n * n + 0.02 * n});
    expect(fitQuadratic([100, 1000, 5000].map(law))).toMatchObject({
      perPair: expect.closeTo(3e-5, 9),
      perPoint: expect.closeTo(0.02, 6),
    });
    expect(
      fitQuadratic([
        {n: 100, ms: 1},
        {n: 1000, ms: 900},
      ])?.perPoint,
    ).toBe(0);
    expect(fitQuadratic([law(100)])).toBeUndefined();
  });

  it('comes near the document’s estimate from its own times', () => {
    const seconds = {100: 0.005384, 1000: 0.475485, 10_000: 49.29, 100_000: 4560.37};
    const fit = fitQuadratic(Object.entries(seconds).map(([n, s]) => ({n: Number(n), ms: 1000 * s})));
    const {perPair = 0, perPoint = 0} = fit ?? {};
    expect((perPair * 250_000 ** 2 + perPoint * 250_000) / 27_768_000).toBeCloseTo(1.05, 1);
  });
});

describe('runBench', () => {
  it('refuses a suite that does not exist', async () => {
    const run = runBench({suites: ['nothing'], profile: 'quick', outDir: folder, adapter: 'auto', log: () => {}});
    await expect(run).rejects.toThrow(
      new InvalidParameterError('suite', 'nothing', `one of ${suites.map(({id}) => id).join(', ')}`),
    );
  });

  it('rejects at once if the signal has fired, and writes no report', async () => {
    const outDir = join(folder, 'aborted');
    const signal = AbortSignal.abort(new Error('stop'));
    const run = runBench({suites: ['milanesi'], profile: 'quick', outDir, adapter: 'auto', signal, log: () => {}});
    await expect(run).rejects.toThrow('stop');
    expect(readdirSync(outDir)).toEqual(['results']);
  });
});

describe('the facts of a result', () => {
  it('describe the machine and the commit as the schema expects', async () => {
    const result = resultFile([], {machine: describeMachine(), commit: await describeCommit()});
    expect(resultFileSchema.parse(result)).toEqual(result);
  });

  it('count memory that was held for a while, if the system reports it', () => {
    const peak = watchPeak();
    new Uint8Array(2 ** 26).fill(1);
    const risen = peak();
    const canTell = process.platform === 'linux' && readFileSync('/proc/self/status', 'utf8').includes('VmHWM');
    if (canTell) expect(risen).toBeGreaterThan(2 ** 25);
    else expect(risen).toBeNull();
  });
});
