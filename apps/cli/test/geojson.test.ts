import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, it, onTestFinished} from 'vitest';
import {runMain} from './runMain.ts';

interface Written {
  readonly features: readonly {readonly properties: object}[];
}

it('GeoJSON to GeoJSON keeps ids, other members and altitudes, in cluster and in predict', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'epsball-geojson-'));
  onTestFinished(() => rmSync(folder, {recursive: true}));
  const feature = (id: unknown, coordinates: number[]): object => ({
    type: 'Feature',
    id,
    note: `n ${String(id)}`,
    geometry: {type: 'Point', coordinates},
    properties: {name: `name ${String(id)}`},
  });
  const features = [feature('a', [13.4, 52.5, 34]), feature(2, [13.5, 52.5]), feature('c', [2, 48, -1.5])];
  writeFileSync(join(folder, 'in.geojson'), JSON.stringify({type: 'FeatureCollection', features}));
  const globe = ['--metric', 'haversine', '--eps', '20km', '--min-pts', '2'];
  const run = async (...args: string[]): Promise<Written> => {
    expect(await runMain([...args, '--out', 'out.geojson'], {cwd: folder})).toMatchObject({code: 0, stderr: ''});
    return JSON.parse(readFileSync(join(folder, 'out.geojson'), 'utf8')) as Written;
  };
  for (const args of [
    ['cluster', 'in.geojson', ...globe, '--save-model', 'm.arrow'],
    ['cluster', 'in.geojson', '--eps', '0.2', '--min-pts', '2'],
    ['predict', 'm.arrow', 'in.geojson'],
  ]) {
    const written = await run(...args);
    expect(written.features).toMatchObject(features);
    expect(written.features.map(({properties}) => properties)).toMatchObject([
      {cluster: 0},
      {cluster: 0},
      {cluster: -1},
    ]);
  }
});
