import {existsSync, mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {resultFileSchema, suites, type DbscanSuite, type SuiteProfile, type Workload} from '@epsball/benchmarks';
import {InvalidParameterError} from '@epsball/clustering';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {runInChild} from '../src/suite/childProcess.ts';
import type {MeasureJob} from '../src/suite/job.ts';
import {watchPeak} from '../src/suite/dbscan/hostMemory.ts';
import {runDbscanSuite} from '../src/suite/dbscan/runDbscanSuite.ts';
import {describeCommit, describeMachine} from '../src/suite/machine.ts';
import {runBench} from '../src/suite/runBench.ts';
import type {RunSuiteOptions} from '../src/suite/runOptions.ts';
import {resultFile} from './reportFixture.ts';

const SEQUENTIAL = {row: 'sequential', backend: 'sequential'};
const GRID_BFS = {row: 'grid-bfs', backend: 'sequential'};
const TIMEOUT = {timeoutMs: 30_000};

const MOONS: Workload = {dataset: 'moons:n=500,seed=3', n: 500, dim: 2, params: {eps: 0.3, minPts: 5}, picture: true};
const JOB: MeasureJob = {
  kind: 'measure',
  workload: MOONS,
  subject: SEQUENTIAL,
  adapter: 'auto',
  warmups: 1,
  repeats: 3,
  settleSeconds: 0,
  cellSeconds: 10,
  reference: SEQUENTIAL,
  referenceHash: null,
  pictureFile: null,
};

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'epsball-suite-'));
});

afterAll(() => rmSync(folder, {recursive: true}));

function tinySuite(workloads: readonly Workload[], changes: Partial<DbscanSuite> = {}): DbscanSuite {
  const profile: SuiteProfile = {
    workloads,
    warmups: 1,
    repeats: 2,
    settleSeconds: 0,
    softwareGpuMaxN: 1000,
    cellSeconds: 10,
    suiteSeconds: 60,
  };
  const template = suites.find((suite) => suite.kind === 'dbscan');
  if (template === undefined) throw new Error('there is no such suite');
  return {
    ...template,
    id: 'tiny',
    subjects: [SEQUENTIAL, GRID_BFS],
    profiles: {quick: profile, full: profile},
    ...changes,
  };
}

function options(changes: Partial<RunSuiteOptions> = {}): RunSuiteOptions {
  const found = {adapter: null, adapterError: 'not looked for'};
  return {profile: 'quick', adapter: 'auto', found, resultsDir: folder, stem: 'tiny', log: () => {}, ...changes};
}

describe('a cell in a child process', () => {
  it('returns the requested number of times, verified against the definition', async () => {
    const reply = await runInChild(JOB, TIMEOUT);
    if (reply.status !== 'measured') throw new Error(JSON.stringify(reply));
    const {cell} = reply;
    expect(cell.wall.allMs.length).toBe(3);
    expect(cell).toMatchObject({
      ...SEQUENTIAL,
      n: 500,
      eps: 0.3,
      minPts: 5,
      clusterCount: 2,
      verifiedAgainst: ['definition'],
    });
    expect(Object.keys(cell.phaseMs)).toContain('clusters');
  });

  it('measures for longer than it warms up if the profile says so', async () => {
    const reply = await runInChild({...JOB, repeats: 1, settleSeconds: 60, warmSeconds: 0}, TIMEOUT);
    if (reply.status !== 'measured') throw new Error(JSON.stringify(reply));
    expect(reply.cell.wall.allMs.length).toBe(5);
  });

  it('measures as many short runs as the profile says', async () => {
    const reply = await runInChild({...JOB, repeats: 1, repeatsMax: 9, settleSeconds: 60, warmSeconds: 0}, TIMEOUT);
    if (reply.status !== 'measured') throw new Error(JSON.stringify(reply));
    expect(reply.cell.wall.allMs.length).toBe(9);
  });

  it('counts a first run of more than a quarter of the seconds for repeats, and repeats within them', async () => {
    const reply = await runInChild({...JOB, warmups: 5, repeats: 9, repeatSeconds: 1e-6}, TIMEOUT);
    if (reply.status !== 'measured') throw new Error(JSON.stringify(reply));
    expect(reply.cell.wall.allMs.length).toBe(1);
  });

  it('returns no time if the labels differ from the reference', async () => {
    const reply = await runInChild({...JOB, subject: GRID_BFS, referenceHash: 'ffffffffffffffff'}, TIMEOUT);
    expect(reply.status).toBe('failed');
    expect(reply).toMatchObject({error: expect.stringMatching(/^labels differ from the sequential variant’s/)});
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
    const reply = await runInChild({...JOB, warmups: 1e9}, {timeoutMs: 2000});
    expect(reply).toEqual({status: 'stopped', seconds: 2});
  });

  it('is killed by an abort and rejects with its reason', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    setTimeout(() => controller.abort(reason), 500);
    const endless = runInChild({...JOB, warmups: 1e9}, {...TIMEOUT, signal: controller.signal});
    await expect(endless).rejects.toBe(reason);
  });
});

describe('runDbscanSuite', () => {
  it('measures every subject of every workload and draws the picture', async () => {
    const lines: string[] = [];
    const cells = await runDbscanSuite(tinySuite([MOONS]), options({log: (line) => lines.push(line)}));
    expect(cells.map(({status, row, backend}) => [status, row, backend])).toEqual([
      ['measured', 'sequential', 'sequential'],
      ['measured', 'grid-bfs', 'sequential'],
    ]);
    const hashes = cells.map((cell) => (cell.status === 'measured' ? cell.labelsHash : cell.status));
    expect(new Set(hashes).size).toBe(1);
    expect(cells[1]).toMatchObject({verifiedAgainst: ['sequential', 'definition'], picture: null});
    expect(cells[0]).toMatchObject({picture: 'tiny-0.png'});
    expect(existsSync(join(folder, 'tiny-0.png'))).toBe(true);
    // One line a cell, then the one that names the fastest.
    expect(lines.length).toBe(3);
    expect(lines[0]).toMatch(/n = 500 .*sequential\/sequential .* 2 clusters {2}labels verified$/);
  });

  it('compares with the reference of the workload and records it', async () => {
    const workload = {...MOONS, dataset: 'moons:n=4001,seed=3', n: 4001, picture: false, reference: GRID_BFS};
    const pds = {row: 'pds', backend: 'sequential'};
    const cells = await runDbscanSuite(tinySuite([workload], {subjects: [SEQUENTIAL, pds]}), options());
    expect(cells).toMatchObject([
      {...GRID_BFS, status: 'measured', verifiedAgainst: ['reference']},
      {...pds, status: 'measured', verifiedAgainst: ['agreement']},
    ]);
  });

  it('continues after a failed cell', async () => {
    const cells = await runDbscanSuite(tinySuite([{...MOONS, dataset: 'nowhere'}, MOONS]), options());
    expect(cells.map(({status}) => status)).toEqual(['failed', 'failed', 'measured', 'measured']);
    expect(cells[1]).toMatchObject({error: 'not verifiable: the sequential variant gave no labels'});
  });

  it('leaves GPU cells out without an adapter and records why', async () => {
    const onGpu = ['dense-grid', 'gdbscan'].map((row) => ({row, backend: 'gpu'}) as const);
    const suite = tinySuite([MOONS], {subjects: [SEQUENTIAL, ...onGpu]});
    const cells = await runDbscanSuite(suite, options({found: {adapter: null, adapterError: 'no Vulkan here'}}));
    const leftOut = cells.filter((cell) => cell.status === 'leftOut');
    expect(leftOut.map(({row, backend, reason}) => [row, backend, reason])).toEqual(
      onGpu.map(({row}) => [row, 'gpu', 'no Vulkan here']),
    );
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
