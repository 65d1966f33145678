import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {clusterReportSchema} from '../src/cluster/clusterReportSchema.ts';
import {runMain} from './runMain.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'epsball-text-'));
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  write('comma.txt', '52,5\t13,4\n52,5\t13,5\n48,0\t2,0\n');
  write('pipes.csv', 'lat, N|lon, E\n52.5|13.4\n52.5|13.5\n48|2\n');
  write('bare.csv', '13.4,52.5\n13.5,52.5\n2,48\n');
  write('text.csv', 'Berlin,52.5,13.4\nPotsdam,52.5,13.5\nParis,48,2\n');
  write('savetxt.txt', '5.25e+01 1.34e+01\n5.25e+01 1.35e+01\n4.8e+01 2.0e+00\n');
  for (const name of ['places.kml', 'places.gpx', 'places.csv.zst']) write(name, '{}');
});

afterAll(() => rmSync(folder, {recursive: true}));

const GLOBE = ['--metric', 'haversine', '--eps', '20km', '--min-pts', '2'];
const PLANE = ['--eps', '0.2', '--min-pts', '2'];

/** Clusters of three places, two of them near each other. */
async function clustersOf(input: string, ...flags: string[]): Promise<unknown> {
  const {code, stdout, stderr} = await runMain(['cluster', input, '--json', ...flags], {cwd: folder});
  expect({code, stderr}).toEqual({code: 0, stderr: ''});
  const {points, clusters, noise} = clusterReportSchema.parse(JSON.parse(stdout));
  return {points, clusters, noise};
}

async function refusalOf(command: string, input: string, ...flags: string[]): Promise<string> {
  const {code, stderr} = await runMain([command, input, ...flags], {cwd: folder});
  expect(code).toBe(2);
  return stderr;
}

const FOUND = {points: 3, clusters: 1, noise: 1};

describe('text input', () => {
  it('with a decimal comma is refused with the flag that reads it', async () => {
    const flags = [...PLANE, '--columns', '0,1'];
    expect(await refusalOf('cluster', 'comma.txt', ...flags)).toContain('expected a finite number, or --decimal ,\n');
    expect(await clustersOf('comma.txt', ...flags, '--decimal', ',')).toEqual(FOUND);
  });

  it('takes a delimiter', async () => {
    expect(await clustersOf('pipes.csv', ...PLANE, '--delimiter', '|')).toEqual(FOUND);
    expect(await clustersOf('comma.txt', ...PLANE, '--delimiter', 'tab', '--decimal', ',')).toEqual(FOUND);
    expect(await refusalOf('cluster', 'pipes.csv', ...PLANE, '--delimiter', '||')).toContain('--delimiter = "||"');
    expect(await refusalOf('suggest', 'pipes.csv', '--delimiter', 'x')).toContain('--delimiter = "x"');
    const work = ['scale', 'run', 'pipes.csv', ...PLANE, '--work', 'w', '--delimiter', '|', '--json'];
    const {stdout} = await runMain(work, {cwd: folder});
    expect(JSON.parse(stdout)).toMatchObject({rowCount: 3, clusterCount: 1});
  });

  it('of numpy.savetxt is read', async () => {
    expect(await clustersOf('savetxt.txt', ...PLANE)).toEqual(FOUND);
  });

  it('without a header names --columns, which then reads it', async () => {
    expect(await refusalOf('cluster', 'bare.csv', ...GLOBE)).toContain(
      'has no header; expected a latitude and a longitude chosen by --columns 0,1 or 1,0\n',
    );
    expect(await clustersOf('bare.csv', ...GLOBE, '--columns', '1,0')).toEqual(FOUND);
    expect(await refusalOf('cluster', 'text.csv', ...PLANE, '--columns', '0,1')).toContain('"Potsdam"');
    expect(await clustersOf('text.csv', ...PLANE, '--columns', '1,2')).toEqual(FOUND);
  });

  it('of an unknown extension is refused by its extension', async () => {
    for (const name of ['places.kml', 'places.gpx', 'places.csv.zst']) {
      for (const [command, flags] of [
        ['cluster', GLOBE],
        ['suggest', ['--metric', 'haversine']],
      ] as const) {
        const extension = name.slice(name.lastIndexOf('.'));
        expect(await refusalOf(command, name, ...flags)).toContain(`has the unknown extension ${extension}; expected`);
      }
    }
  });
});
