import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {clusterReportSchema} from '../src/cluster/clusterReportSchema.ts';
import type {Ended} from './runEpsball.ts';
import {runMain} from './runMain.ts';

let folder: string;

const STOPS = [
  [0, 'Mon'],
  [0, 'Tue'],
  [1, 'Mon'],
  [9, 'Tue'],
  [1, 'Tue'],
  [5, 'Wed'],
  [2, 'Tue'],
] as const;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'epsball-by-'));
  writeFileSync(join(folder, 'stops.csv'), `x,day\n${STOPS.map((row) => row.join()).join('\n')}\n`);
});

afterAll(() => rmSync(folder, {recursive: true}));

function epsball(...args: string[]): Promise<Ended> {
  return runMain(args, {cwd: folder});
}

function labelsIn(file: string): number[] {
  const [, ...rows] = readFileSync(join(folder, file), 'utf8').trimEnd().split('\n');
  return rows.map((row) => Number(row.split(',')[1]));
}

const CLUSTER = ['cluster', 'stops.csv', '--eps', '1', '--min-pts', '2', '--by', 'day'];
const HDBSCAN = ['hdbscan', 'stops.csv', '--min-cluster-size', '2', '--by', 'day'];

describe('epsball cluster --by', () => {
  it('clusters each group alone, in the order of the rows', async () => {
    const {stdout, stderr} = await epsball(...CLUSTER, '--json', '--verify', '--out', 'a.csv', '--plot', 'a.svg');
    const report = clusterReportSchema.parse(JSON.parse(stdout));
    expect(labelsIn('a.csv')).toEqual([0, 1, 0, -1, 1, -1, 1]);
    expect(report).toMatchObject({by: 'day', columns: ['x'], clusters: 2, noise: 2, core: 5});
    expect(report.groups).toEqual([
      {name: 'Mon', size: 2, firstLabel: 0, clusters: 1},
      {name: 'Tue', size: 4, firstLabel: 1, clusters: 1},
      {name: 'Wed', size: 1, firstLabel: 2, clusters: 0},
    ]);
    expect(report.verified).toHaveLength(2);
    expect(stderr).toBe('');
    expect((await epsball(...CLUSTER)).stdout).toMatch(/^groups +3 by day\nclusters +2\n/m);
  });

  it('takes weights and times of each group', async () => {
    const rows = ['0,a,0,1', '0,b,0,1', '0,a,9,1', '0,b,1,1', '0,c,0,2'];
    writeFileSync(join(folder, 'w.csv'), `x,g,t,w\n${rows.join('\n')}\n`);
    const flags = ['--by', 'g', '--weight-column', 'w', '--time-column', 't', '--eps-time', '1', '--verify'];
    const {stderr} = await epsball('cluster', 'w.csv', '--eps', '1', '--min-pts', '2', ...flags, '--out', 'w.out.csv');
    expect(stderr).toBe('');
    expect(labelsIn('w.out.csv')).toEqual([-1, 0, -1, 0, 1]);
  });

  it('keeps the property in GeoJSON', async () => {
    const feature = ([x, day]: readonly [number, string]) => ({
      type: 'Feature',
      geometry: {type: 'Point', coordinates: [x, 0]},
      properties: {day},
    });
    const text = JSON.stringify({type: 'FeatureCollection', features: STOPS.map(feature)});
    writeFileSync(join(folder, 'stops.geojson'), text);
    await epsball(...CLUSTER.with(1, 'stops.geojson'), '--out', 'b.geojson');
    const {features} = JSON.parse(readFileSync(join(folder, 'b.geojson'), 'utf8'));
    const found = features.map(({properties}: {properties: {day: string; cluster: number}}) => properties);
    expect(found.slice(0, 2)).toEqual([
      {day: 'Mon', cluster: 0, core: true},
      {day: 'Tue', cluster: 1, core: true},
    ]);
  });

  it.for([
    [[...CLUSTER, '--save-model', 'm.arrow'], '--by = "day"; expected no --save-model beside it'],
    [[...CLUSTER, '--assign-noise'], '--by = "day"; expected no --assign-noise beside it'],
    [[...CLUSTER, '--explain', '1'], '--by = "day"; expected no --explain beside it'],
    [CLUSTER.with(7, 'dai'), 'has no column "dai"; expected one of x, day'],
    [[...HDBSCAN, '--tree', 't.svg'], '--by = "day"; expected no --tree beside it'],
    [
      ['cluster', 'a.npy', '--eps', '1', '--min-pts', '1', '--by', 'day'],
      '--by = "day"; expected no groups for a .npy',
    ],
  ] as const)('refuses %s', async ([args, message]) => {
    const {code, stderr} = await epsball(...args);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });
});

describe('epsball hdbscan --by', () => {
  it('clusters each group alone', async () => {
    const rows = ['a', 'b'].flatMap((group) => [0, 1, 2, 50, 51, 52].map((x) => `${x},${group}`));
    writeFileSync(join(folder, 'two.csv'), `x,day\n${rows.toSorted().join('\n')}\n`);
    const {stdout, stderr} = await epsball(...HDBSCAN.with(1, 'two.csv'), '--verify', '--out', 'h.csv');
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^groups +2 by day\nclusters +4\n/m);
    expect(stdout).toContain('verified: all numbers equal the backend workers');
    expect(labelsIn('h.csv')).toEqual([0, 2, 0, 2, 0, 2, 1, 3, 1, 3, 1, 3]);
    const json = await epsball(...HDBSCAN, '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({by: 'day', groups: [{name: 'Mon'}, {name: 'Tue'}, {name: 'Wed'}]});
  });
});
