// Takes pictures of the page for people to look at, after `pnpm build`:
// `node --conditions=@epsball/source scripts/screenshots.ts FOLDER [NAME…]`. Names are those of the list below, or
// their beginnings. Default: all.
import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import type {Page} from 'playwright-core';
import {designs} from '../src/steps/designs.ts';
import {openPlayground} from '../test/openPlayground.ts';

interface Shot {
  readonly name: string;
  readonly fragment: string;
  readonly ready: (page: Page) => Promise<unknown>;
}

/** Limit of one picture. */
const PATIENCE_MS = 100_000;
const done = (page: Page): Promise<unknown> =>
  page.waitForSelector('.status[data-state=done]', {timeout: PATIENCE_MS}).then(() => page.waitForTimeout(3000));

const shots: readonly Shot[] = [
  {name: 'explore', fragment: '#/explore', ready: done},
  {
    name: 'million',
    fragment: '#/explore?data=milanesi:n=1000000&eps=0.03&minPts=8&algorithm=pds&backend=sequential&draw=webgpu',
    ready: done,
  },
  {name: 'tweets', fragment: '#/explore?data=tweets&eps=0.01&minPts=40&algorithm=pds&backend=sequential', ready: done},
  {
    name: 'compare',
    fragment: '#/compare?data=milanesi:n=20000&eps=0.1&minPts=8',
    ready: async (page) => {
      await page.getByRole('button', {name: /^Run/}).click();
      await page.waitForSelector('[data-state=done]');
      await page.getByRole('button', {name: /^Run/}).waitFor({timeout: PATIENCE_MS});
    },
  },
  ...designs.flatMap(({id}) =>
    [0.15, 0.55, 1].map((share) => ({
      name: `${id}-${share}`,
      fragment: `#/designs?design=${id}&set=moons`,
      ready: async (page: Page) => {
        const slider = page.getByRole('slider', {name: 'Step', exact: true});
        const last = Number(await slider.getAttribute('max'));
        await slider.fill(String(Math.round(share * last)));
        await page.waitForTimeout(600);
      },
    })),
  ),
];

const [folder = 'screenshots', ...names] = process.argv.slice(2);
const sizes = [
  [1400, 900],
  [390, 844],
] as const;
mkdirSync(folder, {recursive: true});
const playground = await openPlayground({from: 'dist'});
try {
  for (const {name, fragment, ready} of shots) {
    if (names.length > 0 && !names.some((wanted) => name.startsWith(wanted))) continue;
    for (const theme of ['light', 'dark'] as const) {
      for (const [width, height] of sizes) {
        const page = await playground.open(fragment, {theme, width, height});
        await ready(page);
        await page.screenshot({path: join(folder, `${name}-${theme}-${width}.png`), fullPage: width < 1000});
        await page.context().close();
      }
    }
    process.stdout.write(`${name}\n`);
  }
} finally {
  await playground.close();
}
for (const error of new Set(playground.errors)) process.stdout.write(`error of the page: ${error}\n`);
