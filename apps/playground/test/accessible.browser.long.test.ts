import {mkdtemp, readFile, rm} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import type axeCore from 'axe-core';
import {findChromium} from '@epsball/conformance/browser';
import {designs} from '../src/steps/animations.ts';
import {openPlayground, type Playground} from './openPlayground.ts';

const VIEWS = [
  '#/explore?data=moons&eps=0.3&minPts=5&algorithm=sequential',
  '#/explore?data=varied&method=hdbscan&minClusterSize=20&minSamples=5&backend=sequential',
  '#/explore?data=moons&method=mean-shift&backend=sequential',
  '#/explore?data=file:places.csv&eps=20&minPts=1&metric=haversine',
  '#/compare?data=moons:n=800&eps=0.3&minPts=5',
  ...designs.map(({id}) => `#/designs?design=${id}&set=circles&step=2`),
  '#/stream',
];

/** More clusters than colours, on a map. */
const PLACES = ['lat,lon', ...Array.from({length: 15}, (_, k) => `${40 + k},${2 * k}`)].join('\n');

declare global {
  var axe: typeof axeCore;
}

describe.runIf(findChromium() !== undefined)('every view of the playground', () => {
  let playground: Playground;
  let folder: string;
  let script: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'epsball-accessible-'));
    script = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    playground = await openPlayground({hasWebGpu: false, outDir: join(folder, 'dist')});
  });
  afterAll(async () => {
    await playground.close();
    await rm(folder, {recursive: true});
  });

  const cases = VIEWS.flatMap((view) =>
    (['light', 'dark'] as const).flatMap((theme) => [1400, 390].map((width) => [view, theme, width] as const)),
  );

  it.for(cases)('has no violation, and does not scroll sideways: %s, %s, %i pixels', async ([view, theme, width]) => {
    const page = await playground.open(view, {theme, width, height: 844});
    if (view.includes('file:')) {
      const file = {name: 'places.csv', mimeType: 'text/csv', buffer: Buffer.from(PLACES)};
      await page.locator('input[type=file]').setInputFiles(file);
      await page.locator('.scale-bar').waitFor();
    }
    if (view.startsWith('#/explore')) {
      await page.waitForSelector('.status[data-state=done]');
      for (const summary of await page.locator('summary').all()) await summary.click();
    }
    if (view.startsWith('#/compare')) {
      await page.getByRole('button', {name: /^Run on/}).click();
      await page.waitForSelector('.run[data-state=done]');
      await page.getByRole('button', {name: /^Run on/}).waitFor();
    }
    await page.evaluate(script);
    const found = await page.evaluate(async (): Promise<axeCore.Result[]> => (await globalThis.axe.run()).violations);
    expect(found.map(({id, nodes}) => `${id}: ${nodes.map(({html}) => html).join(' ')}`)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await page.close();
  });

  it('has had no error', () => {
    expect(playground.errors).toEqual([]);
  });
});
