import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {writePoints} from '@epsball/datasets';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {clusterReportSchema} from '../src/cluster/clusterReportSchema.ts';
import {describeSuspects} from '../src/cluster/suspectColumns.ts';
import type {Ended} from './runEpsball.ts';
import {runMain} from './runMain.ts';

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'epsball-columns-'));
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  write('gps.csv', 'id,time,lat,lon\n1,1700000000,52.1,4.2\n2,1700000060,52.1,4.3\n3,1700000120,48,2\n');
  write('text.csv', 'time,lat,lon\n2026-11-24T07:00:00Z,52.1,4.2\n');
  write('plain.csv', 'lat,lon\n52.1,4.2\n52.1,4.3\n48,2\n');
  write('counted.csv', `n,lat,lon\n${[5, 1, 4, 2, 8, 3].map((lat, k) => `${k},${lat},${9 - lat}`).join('\n')}\n`);
  write('bare.csv', '5,1\n6,2\n1,3\n');
  write('hostile.csv', 'lat\u001B[2J,lon\u009B31m\n52.1,4.2\n52.1,4.3\n');
  await writePoints(join(folder, 'points.npy'), {coords: Float64Array.of(0, 9, 1, 7, 2, 3), dim: 2});
});

afterAll(() => rmSync(folder, {recursive: true}));

function cluster(input: string, ...more: string[]): Promise<Ended> {
  return runMain(['cluster', input, '--eps', '1', '--min-pts', '2', ...more], {cwd: folder});
}

describe('epsball cluster', () => {
  it('names the columns that it clusters, and warns of an identifier and a time among them', async () => {
    const {code, stdout, stderr} = await cluster('gps.csv');
    expect(stdout).toMatch(/^columns +id, time, lat, lon$/m);
    expect(stderr).toBe(
      'epsball: warning: column id is an identifier by its name, column time is a time by its name; ' +
        '--columns lat,lon leaves these out\n',
    );
    expect(code).toBe(0);
  });

  it('warns of a column that never decreases', async () => {
    const {stderr} = await cluster('counted.csv');
    expect(stderr).toBe(
      'epsball: warning: column n never decreases, like a counter or a time; --columns lat,lon leaves this column out\n',
    );
  });

  it('warns of no column that --columns names', async () => {
    const {code, stdout, stderr} = await cluster('gps.csv', '--columns', 'time,lat');
    expect(stdout).toMatch(/^columns +time, lat$/m);
    expect(stderr).toBe('');
    expect(code).toBe(0);
  });

  it('prints the columns as JSON, and null for a file without columns', async () => {
    const {stdout, stderr} = await cluster('plain.csv', '--json');
    expect(clusterReportSchema.parse(JSON.parse(stdout)).columns).toEqual(['lat', 'lon']);
    expect(stderr).toBe('');
    const numbered = await cluster('bare.csv', '--json');
    expect(clusterReportSchema.parse(JSON.parse(numbered.stdout)).columns).toEqual(['0', '1']);
    const npy = await cluster('points.npy', '--json');
    expect(clusterReportSchema.parse(JSON.parse(npy.stdout)).columns).toBeNull();
  });

  it('names --columns where a column holds text', async () => {
    const {code, stderr} = await cluster('text.csv');
    expect(stderr).toBe(
      'epsball: text.csv, line 2: time = "2026-11-24T07:00:00Z"; ' +
        'expected a finite number, or --columns with the names of the coordinates\n',
    );
    expect(code).toBe(2);
  });

  it('escapes control characters of names', async () => {
    const {stdout, stderr} = await cluster('hostile.csv');
    expect(stdout).toContain(String.raw`lat\x1b[2J, lon\x9b31m`);
    expect(stderr).toBe('');
    const missing = await cluster('hostile.csv', '--columns', 'x');
    expect(missing.stderr).toContain(String.raw`lat\x1b[2J, lon\x9b31m`);
    const named = await cluster('no\u001B[2J.csv');
    expect(named.stderr).toContain(String.raw`no\x1b[2J.csv`);
    const json = await cluster('hostile.csv', '--json');
    expect(clusterReportSchema.parse(JSON.parse(json.stdout)).columns).toEqual(['lat\u001B[2J', 'lon\u009B31m']);
    // oxlint-disable-next-line no-control-regex -- what must not reach a terminal
    for (const {stdout: out, stderr: err} of [missing, named, json]) expect(out + err).not.toMatch(/[\u001B\u009B]/);
  });
});

describe('describeSuspects', () => {
  const suspects = (rows: number[][], columns: string[]): string[] =>
    describeSuspects({coords: Float64Array.from(rows.flat()), dim: columns.length}, columns)
      .replace(/; (?:--columns|choose columns).*/, '')
      .split(', column ')
      .map((line) => line.replace(/^column /, ''))
      .filter((line) => line !== '');
  const unsorted = [3, 1, 4, 1, 5, 9, 2, 6];

  it.each([
    ['time', true],
    ['Pickup_DateTime', true],
    ['startTime', true],
    ['starttime', true],
    ['created_date', true],
    ['time (s)', true],
    ['centimeter', false],
    ['sentiment', false],
    ['distance', false],
    ['lat', false],
  ])('knows a time by its name: %s', (name, isTime) => {
    const rows = unsorted.map((x) => [x, -x]);
    expect(suspects(rows, [name, 'y'])).toEqual(isTime ? [`${name} is a time by its name`] : []);
  });

  it.each([
    ['seconds', unsorted.map((x) => 1.7e9 + x)],
    ['milliseconds', unsorted.map((x) => 1.7e12 + x)],
    ['nanoseconds', unsorted.map((x) => 1.7e18 + 1e12 * x)],
    ['dates', unsorted.map((x) => 20_261_100 + x)],
  ])('knows a time by its values: %s', (_, values) => {
    const rows = values.map((x, k) => [x, unsorted[k]]);
    expect(suspects(rows, ['a', 'b'])).toEqual(['a is a time by its values']);
  });

  it('takes eastings and northings for coordinates', () => {
    expect(
      suspects(
        unsorted.map((x) => [500_000 + x, 5_800_000 - x]),
        ['e', 'n'],
      ),
    ).toEqual([]);
  });

  it('suspects no constant column, no single column and no column of five points', () => {
    expect(
      suspects(
        unsorted.map((x) => [x, 0]),
        ['x', 'y'],
      ),
    ).toEqual([]);
    expect(
      suspects(
        unsorted.toSorted((a, b) => a - b).map((x) => [x]),
        ['x'],
      ),
    ).toEqual([]);
    expect(
      suspects(
        [1, 2, 3, 4, 5].map((x) => [x, -x]),
        ['x', 'y'],
      ),
    ).toEqual([]);
  });

  it('says what to do where every column is suspect', () => {
    const columns = ['id', 'time'];
    expect(describeSuspects({coords: Float64Array.of(2, 5, 1, 6), dim: 2}, columns)).toBe(
      'column id is an identifier by its name, column time is a time by its name; choose columns with --columns',
    );
  });
});
