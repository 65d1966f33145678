import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {suites, type Cell, type Profile, type Suite, type Workload} from '@epsball/benchmarks';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {readEarlierLabels} from '../src/run/earlierLabels.ts';
import {runSuite} from '../src/run/runSuite.ts';
import {measuredCell, resultFile} from './reportFixture.ts';

const MOONS: Workload = {dataset: 'moons:n=400,seed=5', n: 400, dim: 2, params: {eps: 0.3, minPts: 5}};
const REFERENCE = {row: 'sequential', backend: 'sequential'};
const GRID_BFS = {row: 'grid-bfs', backend: 'sequential'};

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'epsball-labels-'));
});

afterAll(() => rmSync(folder, {recursive: true}));

function save(name: string, cells: readonly Cell[]): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(resultFile(cells)));
  return file;
}

async function run(references: readonly string[]): Promise<Cell[]> {
  const profile: Profile = {
    workloads: [MOONS],
    warmups: 0,
    repeats: 1,
    settleSeconds: 0,
    softwareGpuMaxN: 0,
    cellSeconds: 3600,
    suiteSeconds: 3600,
  };
  const suite: Suite = {
    ...suites[0],
    reference: REFERENCE,
    subjects: [GRID_BFS],
    profiles: {quick: profile, full: profile},
  };
  const found = {adapter: null, adapterError: 'not looked for'};
  const earlierLabels = await readEarlierLabels(references);
  const options = {profile: 'quick', adapter: 'auto', found, resultsDir: folder, stem: 't'} as const;
  return runSuite(suite, {...options, earlierLabels});
}

describe('labels of an earlier run', () => {
  it('replace the reference; other labels and other points are refused', async () => {
    const [reference, first] = await run([]);
    const again = await run([save('good.json', [reference])]);
    expect(again.map(({status}) => status)).toEqual(['leftOut', 'measured']);
    expect(again[0]).toMatchObject({row: 'sequential', reason: 'its labels are those of good.json'});
    expect(again[1]).toMatchObject({...GRID_BFS, verified: ['sequential']});

    if (first.status !== 'measured') throw new Error(first.status);
    const wrongLabels = await run([save('labels.json', [{...first, labels: 'ffffffffffffffff'}])]);
    expect(wrongLabels[1]).toMatchObject({status: 'failed', reason: expect.stringMatching(/^labels differ/)});
    const wrongPoints = await run([save('points.json', [{...first, points: 'ffffffffffffffff'}])]);
    expect(wrongPoints[1]).toMatchObject({
      status: 'failed',
      reason: 'not verifiable: the points are not those of points.json',
    });
  });

  it('count only for the same data and parameters', async () => {
    const {dataset, n, dim, params} = MOONS;
    const labels = await readEarlierLabels([
      save('some.json', [measuredCell(1, {dataset, n, dim, params, row: 'sequential', backend: 'sequential'})]),
    ]);
    expect(labels(MOONS, REFERENCE)?.file).toBe('some.json');
    expect(labels({...MOONS, params: {eps: 0.3, minPts: 6}}, REFERENCE)).toBeUndefined();
    expect(labels({...MOONS, params: {eps: 0.2, minPts: 5}}, REFERENCE)).toBeUndefined();
    expect(labels({...MOONS, dataset: 'moons:n=400,seed=6'}, REFERENCE)).toBeUndefined();
  });

  it('are those of sequential, or else those of the very subject that is the reference', async () => {
    const {dataset, n, dim, params} = MOONS;
    const key = {dataset, n, dim, params};
    const pds = {...key, row: 'pds', backend: 'sequential', labels: 'aaaaaaaaaaaaaaaa'};
    const own = save('pds.json', [{...measuredCell(2000, pds), verified: ['reference']}]);
    const labels = await readEarlierLabels([own]);
    expect(labels(MOONS, {row: 'pds', backend: 'sequential'})).toMatchObject({
      labels: 'aaaaaaaaaaaaaaaa',
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
    const key = {dataset, n, dim, params, row: 'sequential', backend: 'sequential'};
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
