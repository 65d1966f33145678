import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {
  REFERENCE,
  suites,
  type DbscanCell,
  type DbscanSuite,
  type SuiteProfile,
  type Workload,
} from '@epsball/benchmarks';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {readEarlierLabels} from '../src/suite/dbscan/earlierLabels.ts';
import {runDbscanSuite} from '../src/suite/dbscan/runDbscanSuite.ts';
import {measuredCell, resultFile} from './reportFixture.ts';

const MOONS: Workload = {dataset: 'moons:n=400,seed=5', n: 400, dim: 2, params: {eps: 0.3, minPts: 5}, picture: false};
const GRID_BFS = {row: 'grid-bfs', backend: 'sequential'};

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'epsball-labels-'));
});

afterAll(() => rmSync(folder, {recursive: true}));

function save(name: string, cells: readonly DbscanCell[]): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(resultFile(cells)));
  return file;
}

async function run(references: readonly string[]): Promise<DbscanCell[]> {
  const profile: SuiteProfile = {
    workloads: [MOONS],
    warmups: 0,
    repeats: 1,
    settleSeconds: 0,
    softwareGpuMaxN: 0,
    cellSeconds: 20,
    suiteSeconds: 60,
  };
  const template = suites.find((suite) => suite.kind === 'dbscan');
  if (template?.kind !== 'dbscan') throw new Error('no suite of DBSCAN');
  const suite: DbscanSuite = {...template, subjects: [GRID_BFS], profiles: {quick: profile, full: profile}};
  const found = {adapter: null, adapterError: 'not looked for'};
  const earlierLabels = await readEarlierLabels(references);
  const options = {profile: 'quick', adapter: 'auto', found, resultsDir: folder, stem: 't', log: () => {}} as const;
  return runDbscanSuite(suite, {...options, earlierLabels});
}

describe('labels of an earlier run', () => {
  it('replace the reference; other labels and other points are refused', async () => {
    const [reference, first] = await run([]);
    const again = await run([save('good.json', [reference])]);
    expect(again.map(({status}) => status)).toEqual(['leftOut', 'measured']);
    expect(again[0]).toMatchObject({row: 'sequential', reason: 'its labels are those of good.json'});
    expect(again[1]).toMatchObject({...GRID_BFS, verifiedAgainst: ['sequential']});

    if (first.status !== 'measured') throw new Error(first.status);
    const wrongLabels = await run([save('labels.json', [{...first, labelsHash: 'ffffffffffffffff'}])]);
    expect(wrongLabels[1]).toMatchObject({status: 'failed', error: expect.stringMatching(/^labels differ/)});
    const wrongPoints = await run([save('points.json', [{...first, datasetHash: 'ffffffffffffffff'}])]);
    expect(wrongPoints[1]).toMatchObject({
      status: 'failed',
      error: 'not verifiable: the points are not those of points.json',
    });
  });

  it('count only for the same data and parameters', async () => {
    const {dataset, n, dim, params} = MOONS;
    const labels = await readEarlierLabels([
      save('some.json', [measuredCell(1, {dataset, n, dim, ...params, row: 'sequential', backend: 'sequential'})]),
    ]);
    expect(labels(MOONS, REFERENCE)?.file).toBe('some.json');
    expect(labels({...MOONS, params: {eps: 0.3, minPts: 6}}, REFERENCE)).toBeUndefined();
    expect(labels({...MOONS, params: {eps: 0.2, minPts: 5}}, REFERENCE)).toBeUndefined();
    expect(labels({...MOONS, dataset: 'moons:n=400,seed=6'}, REFERENCE)).toBeUndefined();
  });

  it('are those of sequential, or else those of the very subject that is the reference', async () => {
    const {dataset, n, dim, params} = MOONS;
    const key = {dataset, n, dim, ...params};
    const pds = {...key, row: 'pds', backend: 'sequential', labelsHash: 'aaaaaaaaaaaaaaaa'};
    const own = save('pds.json', [{...measuredCell(2000, pds), verifiedAgainst: ['reference']}]);
    const labels = await readEarlierLabels([own]);
    expect(labels(MOONS, {row: 'pds', backend: 'sequential'})).toMatchObject({
      labelsHash: 'aaaaaaaaaaaaaaaa',
      seconds: 2,
    });
    expect(labels(MOONS, REFERENCE)).toBeUndefined();
    expect(labels(MOONS, {row: 'pds', backend: 'workers', threads: 2})).toBeUndefined();
    const sequential = save('both.json', [measuredCell(1, {...key, row: 'sequential', backend: 'sequential'})]);
    const both = await readEarlierLabels([own, sequential]);
    expect(both(MOONS, {row: 'pds', backend: 'sequential'})?.file).toBe('both.json');
  });

  it('have the time of the reference, or of sequential with an index; not that of all pairs', async () => {
    const {dataset, n, dim, params} = MOONS;
    const key = {dataset, n, dim, ...params, row: 'sequential', backend: 'sequential'};
    const pairs = {...REFERENCE, options: {index: 'none'}};
    const file = save('pairs.json', [measuredCell(9000, {...key, options: pairs.options})]);
    const slow = await readEarlierLabels([file]);
    expect(slow(MOONS, REFERENCE)).toMatchObject({seconds: null});
    expect(slow(MOONS, pairs)).toMatchObject({seconds: 9});
    const both = await readEarlierLabels([save('indexed.json', [measuredCell(3000, key)]), file]);
    expect(both(MOONS, REFERENCE)).toMatchObject({seconds: 3});
    expect(both(MOONS, {...REFERENCE, options: {index: 'directory'}})).toMatchObject({seconds: 3});
  });

  it('come from result files', async () => {
    const file = join(folder, 'none.json');
    writeFileSync(file, '{}');
    await expect(readEarlierLabels([file])).rejects.toThrow('result file');
  });
});
