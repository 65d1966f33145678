import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {faultsOf, findChromium} from '@epsball/conformance/browser';
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

describe.runIf(findChromium() !== undefined)('every view of the playground', () => {
  let playground: Playground;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'epsball-accessible-'));
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
    expect(await faultsOf(page)).toEqual([]);
    await page.close();
  });

  it('has had no error', () => {
    expect(playground.errors).toEqual([]);
  });
});
