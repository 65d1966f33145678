import {spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import {afterAll, beforeAll, expect, it} from 'vitest';
import {BIN} from './runEpsball.ts';

/** Commands with packages or inputs of their own, which other tests run. */
const ELSEWHERE = /^npm |epsball segment| --work /;

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const LINES = [...README.matchAll(/^```sh\n(.*?)^```/gms)]
  .flatMap(([, block]) => block.trim().split('\n'))
  .filter((line) => !ELSEWHERE.test(line));

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'epsball-readme-'));
  // Two towns of thirty places.
  const places = Array.from({length: 60}, (_, k) => [52 + 3 * (k % 2) + 0.01 * (k % 7), 13 + 0.01 * (k % 5)]);
  const csv = `lat,lon\n${places.map((place) => place.join()).join('\n')}\n`;
  writeFileSync(join(folder, 'gps.csv'), csv);
  writeFileSync(join(folder, 'gps.csv.gz'), gzipSync(csv));
  writeFileSync(join(folder, 'roads.csv'), 'from,to,km\n0,1,12\n1,2,8.5\n0,2,15\n3,4,9\n');
  writeFileSync(join(folder, 'crimes.csv'), 'lat,lon,when\n52.5,13.4,2024-05-01T12:00Z\n52.5,13.4,2024-05-01T14:00Z\n');
  writeFileSync(join(folder, 'trips.csv'), 'lat,lon,city\n52.5,13.4,Berlin\n48.1,11.6,Munich\n52.5,13.4,Berlin\n');
  writeFileSync(join(folder, 'places.json'), JSON.stringify(places.map(([lat, lon]) => ({lat, lon, name: 'a'}))));
  const features = places.map(([lat, lon]) => ({
    type: 'Feature',
    geometry: {type: 'Point', coordinates: [lon, lat]},
    properties: {},
  }));
  writeFileSync(join(folder, 'cities.geojson'), JSON.stringify({type: 'FeatureCollection', features}));
});

afterAll(() => rmSync(folder, {recursive: true}));

it.for(LINES)('the README runs: %s', (line) => {
  const command = line.replace('npx epsball', 'epsball');
  const shell = `set -o pipefail; epsball() { "${process.execPath}" "${BIN}" "$@"; }; ${command}`;
  const {status, stderr} = spawnSync('bash', ['-c', shell], {cwd: folder, encoding: 'utf8'});
  expect({status, stderr}).toEqual({status: 0, stderr: ''});
});
