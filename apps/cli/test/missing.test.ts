import {readPoints} from '@epsball/datasets';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {clusterReportSchema} from '../src/cluster/clusterReportSchema.ts';
import type {Ended} from './runEpsball.ts';
import {runMain} from './runMain.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'epsball-missing-'));
  // Rows 1 and 4 lack a value.
  writeFileSync(join(folder, 'gaps.csv'), 'x,y,g\n0,0,a\n,0,a\n9,0,b\n0,1,a\n3,nan,b\n9,1,b\n');
});

afterAll(() => rmSync(folder, {recursive: true}));

function epsball(...args: string[]): Promise<Ended> {
  return runMain(args, {cwd: folder});
}

function textOf(name: string): string {
  return readFileSync(join(folder, name), 'utf8');
}

const CLUSTER = ['cluster', 'gaps.csv', '--columns', 'x,y', '--eps', '1', '--min-pts', '2'];
const HDBSCAN = ['hdbscan', 'gaps.csv', '--columns', 'x,y', '--min-cluster-size', '2'];

describe('epsball cluster --missing', () => {
  it('writes rows without a value as noise', async () => {
    const {stdout, stderr} = await epsball(...CLUSTER, '--missing', 'noise', '--out', 'n.csv', '--verify', '--json');
    expect(stderr).toBe('');
    expect(clusterReportSchema.parse(JSON.parse(stdout))).toMatchObject({
      points: 4,
      clusters: 2,
      noise: 0,
      missing: {rule: 'noise', rows: 2},
    });
    expect(textOf('n.csv')).toBe('index,label,core\n0,0,1\n1,-1,0\n2,1,1\n3,0,1\n4,-1,0\n5,1,1\n');
    const text = await epsball(...CLUSTER, '--missing', 'noise', '--out', 'n.npy');
    expect(text.stdout).toMatch(/^missing +2 rows without a value: noise, beside the points$/m);
  });

  it('leaves rows out, and keeps the numbers of the others', async () => {
    const flags = ['--missing', 'drop', '--by', 'g', '--explain', '5,0'];
    const {stdout, stderr} = await epsball(...CLUSTER, ...flags.slice(0, 4), '--out', 'd.csv');
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^missing +2 rows without a value: left out$/m);
    expect(stdout).toMatch(/^groups +2 by g$/m);
    expect(textOf('d.csv')).toBe('index,label,core\n0,0,1\n2,1,1\n3,0,1\n5,1,1\n');
    const explained = await epsball(...CLUSTER, '--missing', 'drop', '--explain', '5,0');
    expect(explained.stdout).toMatch(/^row 5 +cluster 1, core: 2 of 2/m);
    await epsball(...CLUSTER, '--missing', 'drop', '--out', 'd.parquet');
    expect((await readPoints(join(folder, 'd.parquet'), {columns: ['row', 'label']})).coords).toEqual(
      Float64Array.of(0, 0, 2, 1, 3, 0, 5, 1),
    );
  });

  it('keeps features without a geometry, or leaves them out', async () => {
    const places = [[13, 52], null, [13, 52]];
    const features = places.map((at, id) => ({
      type: 'Feature',
      id,
      geometry: at && {type: 'Point', coordinates: at},
      properties: {id},
    }));
    writeFileSync(join(folder, 'gaps.geojson'), JSON.stringify({type: 'FeatureCollection', features}));
    const globe = ['cluster', 'gaps.geojson', '--metric', 'haversine', '--eps', '1km', '--min-pts', '2'];
    await epsball(...globe, '--missing', 'noise', '--out', 'n.geojson');
    const all = JSON.parse(textOf('n.geojson')).features;
    expect(all[1]).toEqual({...features[1], properties: {id: 1, cluster: -1, core: false}});
    await epsball(...globe, '--missing', 'drop', '--out', 'd.geojson');
    const kept = JSON.parse(textOf('d.geojson')).features;
    expect(kept.map(({id, properties}: {id: number; properties: object}) => [id, properties])).toEqual([
      [0, {id: 0, cluster: 0, core: true}],
      [2, {id: 2, cluster: 0, core: true}],
    ]);
    expect((await epsball(...globe)).stderr).toContain('point 1');
  });

  it.for([
    [CLUSTER, 'gaps.csv, line 3: x = ""; expected a finite number'],
    [[...CLUSTER, '--missing', 'skip'], '--missing = "skip"; expected one of error, noise, drop'],
    [[...CLUSTER, '--missing', 'drop', '--out', 'a.npy'], '--out = "a.npy"; expected a table with --missing drop'],
    [[...CLUSTER, '--missing', 'noise', '--explain', '4'], '--explain = "4"; expected rows that lack no value'],
    [[...CLUSTER, '--missing', 'noise', '--explain', '6'], '--explain = "6"; expected rows from 0 to 5'],
  ] as const)('refuses %s', async ([args, message]) => {
    const {code, stderr} = await epsball(...args);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });

  it('names the row of a wrong value among all', async () => {
    writeFileSync(join(folder, 'wrong.csv'), 'lat,lon\n1,2\n,3\n99,4\n');
    const flags = ['--metric', 'haversine', '--eps', '1km', '--min-pts', '2', '--missing', 'noise'];
    const {code, stderr} = await epsball('cluster', 'wrong.csv', ...flags);
    expect([code, stderr]).toEqual([2, expect.stringContaining('wrong.csv: point 2')]);
  });
});

describe('epsball hdbscan --missing', () => {
  it('writes rows without a value as noise of score 1, or leaves them out', async () => {
    const {stderr} = await epsball(...HDBSCAN, '--missing', 'noise', '--out', 'h.csv', '--memberships', 'm.npy');
    expect(stderr).toBe('');
    const rows = textOf('h.csv').trimEnd().split('\n');
    expect(rows).toHaveLength(7);
    expect(rows[2]).toBe('1,-1,0,1');
    const {coords} = await readPoints(join(folder, 'm.npy'));
    expect(coords.length).toBe(12);
    expect([...coords.subarray(2, 4), ...coords.subarray(8, 10)]).toEqual([0, 0, 0, 0]);
    await epsball(...HDBSCAN, '--missing', 'drop', '--out', 'h.tsv', '--memberships', 'm.csv', '--tree', 't.svg');
    expect(
      textOf('h.tsv')
        .split('\n')
        .map((row) => row.split('\t')[0]),
    ).toEqual(['index', '0', '2', '3', '5', '']);
    const members = textOf('m.csv').trimEnd().split('\n').slice(1);
    expect(new Set(members.map((row) => row.split(',')[0]))).toEqual(new Set(['0', '2', '3', '5']));
  });
});
