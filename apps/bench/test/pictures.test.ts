import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, it} from 'vitest';
import {picturesHtml} from '../src/report/pictures.ts';
import {measuredCell, PIXEL, resultFile} from './reportFixture.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'epsball-pictures-'));
  for (const name of ['circles.png', 'moons.png']) writeFileSync(join(folder, name), PIXEL);
});

afterAll(() => rmSync(folder, {recursive: true}));

it('shows each data set once, also if two have the same labels', async () => {
  const on = {n: 1000, row: 'sequential', backend: 'sequential', labels: 'same', clusters: 1};
  const cells = ['circles', 'moons', 'moons'].map((name) =>
    measuredCell(1, {...on, dataset: `${name}:n=1000`, points: name, picture: `${name}.png`}),
  );
  const html = await picturesHtml([{folder, result: resultFile(cells, {suite: 'variants'})}], {
    suite: 'variants',
    isRaw: false,
  });
  expect([...html.matchAll(/<h4>([^<]*)<\/h4>/g)].map(([, title]) => title)).toEqual([
    'circles: 1 cluster at eps 0.03, minPts 8',
    'moons: 1 cluster at eps 0.03, minPts 8',
  ]);
});
