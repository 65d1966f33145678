import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, it} from 'vitest';
import {loadPictures} from '../src/report/dbscan/pictures.ts';
import {buildReport} from '../src/report/model.ts';
import {dbscanSectionOf, measuredCell, PIXEL, resultFile} from './reportFixture.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'epsball-pictures-'));
  for (const name of ['circles.png', 'moons.png']) writeFileSync(join(folder, name), PIXEL);
});

afterAll(() => rmSync(folder, {recursive: true}));

it('shows each data set once, also if two have the same labels', async () => {
  const on = {n: 1000, row: 'sequential', backend: 'sequential', labelsHash: 'same', clusterCount: 1};
  const cells = ['circles', 'moons', 'moons'].map((name) =>
    measuredCell(1, {...on, dataset: `${name}:n=1000`, datasetHash: name, picture: `${name}.png`}),
  );
  const files = [{folder, result: resultFile(cells, {suite: 'variants'})}];
  const section = dbscanSectionOf(buildReport(files, false, '2026-11-21T16:00:00.000Z'));
  const pictures = await loadPictures(section, 'variants');
  expect(pictures.map(({title}) => title)).toEqual([
    'circles: 1 cluster at eps 0.03, minPts 8',
    'moons: 1 cluster at eps 0.03, minPts 8',
  ]);
  expect(new Set(pictures.map(({name}) => name)).size).toBe(2);
});
