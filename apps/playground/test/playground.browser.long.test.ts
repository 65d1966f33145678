import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import type {Page} from 'playwright-core';
import {dbscan} from '@epsball/dbscan';
import {hdbscan} from '@epsball/hdbscan';
import {generateDataset, writePoints} from '@epsball/datasets';
import {findChromium} from '@epsball/conformance/browser';
import {openPlayground, type Playground} from './openPlayground.ts';

const hasBrowser = findChromium() !== undefined;
if (!hasBrowser) process.stderr.write('skipped: the playground in a browser: no Chromium is installed\n');

/** The line that says what was found, of a finished run. */
async function found(page: Page): Promise<string> {
  await page.waitForSelector('.status[data-state=done]');
  return (await page.locator('.status').textContent()) ?? '';
}

async function expectedFor(spec: string, eps: number, minPts: number): Promise<number> {
  return (await dbscan(generateDataset(spec), {eps, minPts, backend: 'sequential'})).clusterCount;
}

/** Number of different colours of the canvas, as the reader sees it. */
async function countColours(page: Page): Promise<number> {
  const bytes = await page.locator('.view canvas').screenshot();
  return page.evaluate(async (png) => {
    const blob = await (await fetch(`data:image/png;base64,${png}`)).blob();
    const image = await createImageBitmap(blob);
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
    context?.drawImage(image, 0, 0);
    const {data} = context?.getImageData(0, 0, image.width, image.height) ?? {};
    return new Set(new Uint32Array(data?.buffer ?? new ArrayBuffer(0))).size;
  }, bytes.toString('base64'));
}

describe.runIf(hasBrowser).for([
  ['WebGPU', true],
  ['canvas 2D', false],
] as const)('the playground in Chromium with %s', ([kind, hasWebGpu]) => {
  let playground: Playground;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'epsball-playground-'));
    playground = await openPlayground({hasWebGpu, outDir: join(folder, 'dist')});
  });
  afterAll(async () => {
    await playground.close();
    await rm(folder, {recursive: true});
  });

  it('clusters the data set of a link, draws it, and says by what', async () => {
    const page = await playground.open('#/explore?data=moons&eps=0.3&minPts=5&algorithm=pds&backend=sequential');
    expect(await found(page)).toMatch(
      new RegExp(`^${await expectedFor('moons', 0.3, 5)} clusters .* 1,500 points .* by pds on one thread`),
    );
    await page.waitForTimeout(500);
    expect(await countColours(page)).toBeGreaterThan(20);
    expect(await page.locator('footer').textContent()).toMatch(hasWebGpu ? /WebGPU: .*software/ : /No WebGPU/);
  });

  it('follows the sliders, and its link returns to the same', async () => {
    const page = await playground.open('#/explore?data=varied&eps=0.18&minPts=5&algorithm=sequential');
    await found(page);
    await page.getByRole('spinbutton', {name: 'eps, as a number'}).fill('0.4');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => location.hash.includes('eps=0.4&'));
    const count = await expectedFor('varied', 0.4, 5);
    await page.waitForFunction(
      (text) => document.querySelector('.status')?.textContent?.startsWith(text),
      `${count} cl`,
    );
    await page.getByRole('slider', {name: 'minPts', exact: true}).press('ArrowRight');
    await page.waitForFunction(() => location.hash.includes('minPts=6&'));
    const again = await playground.open(new URL(page.url()).hash);
    await page.waitForTimeout(600);
    expect((await found(again)).split('points')[0]).toBe((await found(page)).split('points')[0]);
  });

  it('opens a file, chooses eps at the bend, and says what is wrong with another file', async () => {
    const page = await playground.open('#/explore?data=moons&eps=0.3&minPts=5&algorithm=sequential');
    await found(page);
    const path = join(folder, 'points.npy');
    await writePoints(path, generateDataset('blobs:n=900'));
    await page.locator('input[type=file]').setInputFiles(path);
    await page.waitForFunction(() => document.querySelector('.status')?.textContent?.includes(' 900 points'));
    expect(page.url()).toMatch(/data=file:points\.npy&eps=0\.\d+/);
    await page.locator('input[type=file]').setInputFiles({
      name: 'bad.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('x,y\n1,2\n3,?\n'),
    });
    await page.waitForSelector('[role=alert]');
    expect(await page.locator('[role=alert]').textContent()).toBe('bad.csv, line 3: y = "?"; expected a finite number');
    expect(await found(page), 'what was there').toContain(' 900 points');
    expect(page.url()).toMatch(/data=file:points\.npy&/);
    await page.getByRole('spinbutton', {name: 'eps, as a number'}).fill('100');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelector('.status')?.textContent?.startsWith('1 cluster '));
  });

  it('shows places on a map, pasted as text, with kilometres', async () => {
    const page = await playground.open('#/explore?data=moons&eps=0.3&minPts=2&algorithm=sequential');
    await found(page);
    await page.evaluate(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData(
        'text',
        'city,lat,lng\nUlm,48.4,9.99\nNeu-Ulm,48.39,10\nBonn,50.7,7.1\nCologne,50.9,6.96\n',
      );
      document.body.dispatchEvent(new ClipboardEvent('paste', {clipboardData, bubbles: true}));
    });
    await page.waitForFunction(() => document.querySelector('.status')?.textContent?.includes(' 4 points'));
    expect(page.url()).toMatch(/data=file:pasted\.csv&eps=[^&]+&minPts=2&metric=haversine/);
    await page.locator('.scale-bar', {hasText: 'km'}).waitFor();
    await page.getByRole('spinbutton', {name: 'eps (km), as a number'}).fill('30');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelector('.status')?.textContent?.startsWith('2 clusters · 0'));
    expect(await countColours(page), 'with outlines').toBeGreaterThan(5);
  });

  it('shows the tree of HDBSCAN* beside the points, and selects from it', async () => {
    const page = await playground.open(
      '#/explore?data=varied&method=hdbscan&minClusterSize=20&minSamples=5&backend=sequential',
    );
    const points = generateDataset('varied');
    const {clusterCount} = await hdbscan(points, {minClusterSize: 20, minSamples: 5});
    expect(await found(page)).toMatch(new RegExp(`^${clusterCount} clusters .* by HDBSCAN\\* on one thread`));
    expect(await page.locator('.tree rect.selected').count()).toBe(clusterCount);
    await page.locator('.tree rect.selected').first().click();
    await page.locator('.clusters button[aria-pressed=true]').waitFor();
    await page
      .locator('.tree rect.above')
      .first()
      .click({position: {x: 2, y: 1}});
    await page.locator('.tree rect.above.shown').waitFor();
    await page.getByRole('slider', {name: 'minClusterSize', exact: true}).press('ArrowRight');
    await page.locator('.status', {hasText: 'by selecting from the hierarchy'}).waitFor();
    expect(page.url()).toContain('minClusterSize=21&');
  });

  it('runs mean shift with an estimated bandwidth', async () => {
    const page = await playground.open('#/explore?data=blobs&method=mean-shift&backend=sequential');
    expect(await found(page)).toMatch(/^\d+ clusters? .* 1,500 points .* by mean shift on one thread/);
    expect(Number(await page.getByRole('spinbutton', {name: 'bandwidth, as a number'}).inputValue())).toBeGreaterThan(
      0,
    );
  });

  it('says of the landing data what is drawn', async () => {
    const page = await playground.open('');
    expect(await page.locator('.controls select').first().locator('option:checked').textContent()).toContain(
      'Ten clusters',
    );
    expect(await found(page)).toMatch(/^10 clusters /);
  });

  it('moves the view by keys and by the wheel', async () => {
    const page = await playground.open('#/explore?data=moons&eps=0.3&minPts=5&algorithm=sequential');
    await found(page);
    const canvas = page.locator('.view canvas');
    await page.waitForTimeout(500);
    const pictures = [await canvas.screenshot()];
    for (const act of [
      () => canvas.press('+'),
      () => canvas.press('ArrowLeft'),
      () => canvas.hover().then(() => page.mouse.wheel(0, -400)),
    ]) {
      await act();
      await page.waitForTimeout(500);
      pictures.push(await canvas.screenshot());
    }
    await canvas.press('0');
    await page.mouse.move(0, 0);
    await page.waitForTimeout(500);
    for (let k = 1; k < pictures.length; k++) expect(pictures[k].equals(pictures[k - 1])).toBe(false);
  });

  it('animates a design by buttons and keys, and the link keeps the step', async () => {
    const page = await playground.open('#/designs?design=dclust&set=circles');
    await page.getByRole('button', {name: 'Step forward'}).click();
    await page.getByRole('button', {name: 'Step forward'}).press('ArrowRight');
    await page.waitForFunction(() => location.hash.endsWith('step=2'));
    expect(await page.locator('.step-text').textContent()).toMatch(/^Round 2\. 5 chains process/);
    expect(await page.locator('.stage .points circle').count()).toBe(260);
    await page.getByRole('button', {name: 'Play'}).click();
    await page.waitForFunction(() => Number(/step=(\d+)/.exec(location.hash)?.[1]) > 3);
    await page.getByRole('button', {name: 'Pause'}).click();
    await page.getByRole('button', {name: /PDSDBSCAN/}).click();
    await page.waitForFunction(() => location.hash.includes('design=pds&set=circles&step=0'));
  });

  it('compares variants, whose labels are the same', async () => {
    const page = await playground.open('#/compare?data=moons:n=800&eps=0.3&minPts=5');
    await page.locator('.facts', {hasText: 'Your files'}).waitFor();
    for (const one of await page.locator('.run:not([data-run$="/sequential"]) input:enabled').all())
      await one.uncheck();
    await page.getByRole('button', {name: 'Run on 800 points'}).click();
    await page.waitForFunction(() => document.querySelectorAll('.run[data-state=done]').length >= 3);
    await page.getByRole('button', {name: /^Run on/}).waitFor();
    expect(await page.locator('.run .error').count()).toBe(0);
    expect(await page.getByText('same labels').count()).toBeGreaterThanOrEqual(3);
    const box = page.locator('.run[data-run="dense-grid/gpu"] input');
    expect(await box.isDisabled(), 'a variant that the browser cannot run').toBe(!hasWebGpu);
  });

  it(`has had no error with ${kind}`, () => {
    expect(playground.errors).toEqual([]);
  });
});
