import {execFile} from 'node:child_process';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {dbscan} from '@epsball/dbscan';
import {readLabels} from '@epsball/datasets';
import {nodeProgram, shellCommand} from '../src/out/code.ts';
import {labelTable} from '../src/out/labelTable.ts';
import {svgPicture} from '../src/out/svgPicture.ts';
import {DEFAULT_LINK} from '../src/state/link.ts';

const run = promisify(execFile);
const APP = join(import.meta.dirname, '..');
const FROM_SOURCE = ['--conditions=@epsball/source', '--import', join(APP, '../../packages/wgsl-codegen/src/hook.ts')];
const places = [
  [48.4, 9.99],
  [48.39, 10],
  [50.7, 7.1],
];
const csv = ['"a b",lat,lng', ...places.map(([lat, lng]) => `1,${lat},${lng}`)].join('\n');
const data = {columns: ['lng', 'lat'], available: ['a b', 'lat', 'lng'], dim: 2, isMap: true};
const link = {...DEFAULT_LINK, data: "file:it's.csv", metric: 'haversine', eps: 5, minPts: 2} as const;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'epsball-out-'));
  await writeFile(join(folder, "it's.csv"), csv);
});
afterAll(() => rm(folder, {recursive: true}));

describe('the program', () => {
  it('finds the same labels in Node', async () => {
    const program = nodeProgram({link, data, bandwidth: 0})
      .replace("readPoints('it\\'s", `readPoints('${folder}/it\\'s`)
      .replace('console.log(labels)', 'console.log(labels.join())');
    const {stdout} = await run(process.execPath, [...FROM_SOURCE, '--input-type=module', '-e', program], {cwd: APP});
    const points = {coords: Float64Array.from(places.flat()), dim: 2, columns: ['lat', 'lon']};
    const {labels} = await dbscan(points, {eps: 5, minPts: 2, metric: 'haversine', angles: 'degrees', epsUnit: 'km'});
    expect(stdout.trim()).toBe(labels.join());
  });

  it.for(['hdbscan', 'mean-shift'] as const)('runs for %s', async (method) => {
    const asked = {link: {...DEFAULT_LINK, data: 'moons:n=300', method}, data: {...data, isMap: false}, bandwidth: 0.5};
    const {stdout} = await run(process.execPath, [...FROM_SOURCE, '--input-type=module', '-e', nodeProgram(asked)], {
      cwd: APP,
    });
    expect(stdout).toMatch(/^Int32Array\(300\)/);
  });
});

describe('the command', () => {
  it('finds the same labels', async () => {
    const command = shellCommand({link, data, bandwidth: 0}) ?? '';
    expect(command).toBe(
      "epsball cluster 'it'\\''s.csv' --columns lat,lng --eps 5km --min-pts 2 --metric haversine --out labels.npy",
    );
    const start = `epsball() { "${process.execPath}" "${join(APP, '../cli/bin/epsball.mjs')}" "$@"; }; `;
    await run('sh', ['-c', start + command], {cwd: folder});
    expect(await readLabels(join(folder, 'labels.npy'))).toEqual(Int32Array.of(0, 0, -1));
  });

  it('also makes the points of a data set, and does not exist for mean shift', () => {
    const asked = {link: {...DEFAULT_LINK, method: 'hdbscan'} as const, data: {...data, available: []}, bandwidth: 0};
    expect(shellCommand(asked)).toBe(
      'epsball generate milanesi:n=100000 --out points.npy\n' +
        'epsball hdbscan points.npy --min-cluster-size 200 --min-samples 10 --out labels.npy',
    );
    expect(shellCommand({...asked, link: {...asked.link, method: 'mean-shift'}})).toBeUndefined();
  });
});

describe('the table of labels', () => {
  const points = {coords: Float64Array.from(places.flat()), dim: 2, columns: ['lat', 'a "b", c']};

  it('is CSV with the names of the axes', async () => {
    expect(await labelTable(points, Int32Array.of(0, 0, -1), 'csv').text()).toBe(
      'lat,"a ""b"", c",label\n48.4,9.99,0\n48.39,10,0\n50.7,7.1,-1\n',
    );
  });

  it('is GeoJSON with the longitude first', async () => {
    const named = {...points, columns: ['lat', 'lon']};
    const text = await labelTable(named, Int32Array.of(0, 0, -1), 'geojson').text();
    expect(JSON.parse(text).features[2]).toEqual({
      type: 'Feature',
      geometry: {type: 'Point', coordinates: [7.1, 50.7]},
      properties: {row: 2, label: -1},
    });
  });

  it('holds more rows than a part', async () => {
    const many = {coords: new Float32Array(120_001), dim: 1};
    const text = await labelTable(many, new Int32Array(120_001), 'csv').text();
    expect(text.split('\n').length).toBe(120_003);
  });
});

it('a picture of few points has circles, noise below, and a safe title', () => {
  const svg = svgPicture({
    width: 100,
    height: 50,
    background: '#fff',
    ink: '#000',
    image: 'data:,',
    coords: Float32Array.of(1, 2, 3, 4),
    labels: Int32Array.of(0, -1),
    scale: [1, -1],
    shift: [10, 20],
    radius: 2,
    colourOf: (label) => (label < 0 ? '#999' : '#00f'),
    title: 'a <b> & c',
    isMap: false,
  });
  expect(svg).toContain('a &lt;b> &amp; c');
  expect(svg.match(/<circle[^>]*>/g)).toEqual([
    '<circle cx="13.0" cy="16.0" r="2.0" fill="#999"/>',
    '<circle cx="11.0" cy="18.0" r="2.0" fill="#00f"/>',
  ]);
});
