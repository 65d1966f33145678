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
  const counted = (step: number): string => [5, 1, 4, 2, 8, 3].map((a, k) => `${k * step},${a},${9 - a}\n`).join('');
  write('counted.csv', `n,a,b\n${counted(1)}`);
  write('rising.csv', `n,a,b\n${counted(2)}`);
  write('mixed.csv', 'a,b\n1,2\n3,4\n5,?\n');
  write('trips.csv', 'id,start lat,start lng,end lat,end lng\n1,52,13,53,10\n2,52,13.1,53,10.1\n');
  write('log.csv', 'id,time\n1,5\n2,3\n');
  write('names.csv', 'first,last\nAda,Byron\nAlan,Turing\n');
  write('grid.csv', 'easting,northing\n390000,5820000\n390001,5820000\n');
  write('bare.csv', '5,1\n6,2\n1,3\n');
  write('hostile.csv', 'lat\u001B[2J,lon\u009B31m\n52.1,4.2\n52.1,4.3\n');
  await writePoints(join(folder, 'points.npy'), {coords: Float64Array.of(0, 9, 1, 7, 2, 3), dim: 2});
});

afterAll(() => rmSync(folder, {recursive: true}));

function cluster(input: string, ...more: string[]): Promise<Ended> {
  return runMain(['cluster', input, '--eps', '1', '--min-pts', '2', ...more], {cwd: folder});
}

describe('epsball cluster', () => {
  it('names the columns that it clusters, and those that it leaves out, with the reason', async () => {
    const {code, stdout, stderr} = await cluster('gps.csv');
    expect(stdout).toMatch(/^columns +lat, lon$/m);
    expect(stdout).toMatch(/^left out +id \(identifier by its name\); time \(time by its name\); --columns chooses$/m);
    expect(stderr).toBe('');
    expect(code).toBe(0);
    const {stdout: json} = await cluster('gps.csv', '--json');
    expect(clusterReportSchema.parse(JSON.parse(json)).left).toEqual([
      {name: 'id', why: 'identifier by its name'},
      {name: 'time', why: 'time by its name'},
    ]);
    const {stdout: all} = await cluster('gps.csv', '--columns', 'id,time,lat,lon', '--json');
    expect(clusterReportSchema.parse(JSON.parse(all))).toMatchObject({dim: 4, left: null});
  });

  it('leaves numbers of rows out, and warns of another column that never decreases', async () => {
    const counted = await cluster('counted.csv');
    expect(counted.stdout).toMatch(/^left out +n \(numbers of rows\); --columns chooses$/m);
    expect(counted.stderr).toBe('');
    const {stdout, stderr} = await cluster('rising.csv');
    expect(stdout).toMatch(/^columns +n, a, b$/m);
    expect(stderr).toBe(
      'epsball: warning: column n never decreases, like a counter or a time; --columns a,b leaves this column out\n',
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

  it('leaves text out, and names --columns where text is among numbers', async () => {
    const {code, stdout} = await cluster('text.csv');
    expect(stdout).toMatch(/^left out +time \(timestamps\); --columns chooses$/m);
    expect(code).toBe(0);
    const mixed = await cluster('mixed.csv');
    expect(mixed.stderr).toBe(
      'epsball: mixed.csv, line 4: b = "?"; expected a finite number, or --columns with the names of the coordinates\n',
    );
    expect(mixed.code).toBe(2);
  });

  it('shows the line to type where names tell several places or none', async () => {
    const advised = async (file: string, ...more: string[]): Promise<string> => {
      const {code, stderr} = await cluster(file, ...more);
      expect([code, stderr.trimEnd().split('\n').length]).toEqual([2, 1]);
      return stderr;
    };
    const trips = await advised('trips.csv');
    expect(trips).toContain("or both chosen by --columns 'start lat,start lng' or --columns 'end lat,end lng'\n");
    const {stdout} = await cluster('trips.csv', '--columns', 'start lat,start lng');
    expect(stdout).toMatch(/^columns +start lat, start lng$/m);
    const globe = ['--metric', 'haversine', '--eps', '5km'];
    expect(await advised('trips.csv', ...globe)).toContain("--columns 'end lat,end lng'");
    expect(await advised('log.csv')).toContain(
      'has the columns id, time, identifiers and times by their names; expected coordinates chosen by --columns id,time\n',
    );
    expect(await advised('names.csv')).toContain('has the columns first, last; expected columns of numbers\n');
    const projected = await advised('grid.csv', ...globe);
    expect(projected).toContain('has the columns easting, northing, of a projection; haversine takes degrees;');
    const metres = await advised('grid.csv', ...globe, '--columns', 'northing,easting');
    expect(metres).toContain('expected −90 to 90 degrees (coordinates in metres');
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
