import type axeCore from 'axe-core';
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import type {Browser, Page} from 'playwright-core';

/** A start, guides, a definition, a package, a reference, wide tables. */
const SHOWN = [
  '/',
  '/start-gps',
  '/choosing',
  '/contract',
  '/performance',
  '/packages/dbscan',
  '/reference/dbscan/dbscan',
  '/how-dbscan-works',
  '/errors',
];
/** Of a small telephone, in style pixels. */
const WIDTH = 390;

declare global {
  var axe: typeof axeCore;
}

/**
 * Opens pages in a narrow window, light and dark.
 *
 * @param paths   Default: some of each kind
 * @returns       the number of pages
 * @throws Error  on an error of a page, a page wider than the window, or a violation that axe finds
 */
export async function lookAtPages(browser: Browser, origin: string, paths: readonly string[] = SHOWN): Promise<number> {
  const script = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({viewport: {width: WIDTH, height: 900}, colorScheme});
    context.setDefaultTimeout(0);
    const page = await context.newPage();
    page.on('pageerror', (error) => found.push(String(error)));
    for (const path of paths) {
      await page.goto(origin + path, {waitUntil: 'networkidle'});
      found.push(...(await faultsOf(page, script)).map((fault) => `${path}, ${colorScheme}: ${fault}`));
    }
    await context.close();
  }
  if (found.length > 0) throw new Error(found.join('\n'));
  return paths.length;
}

async function faultsOf(page: Page, script: string): Promise<string[]> {
  await page.evaluate(script);
  const violations = await page.evaluate(
    async () => (await globalThis.axe.run({resultTypes: ['violations']})).violations,
  );
  const faults = violations.map(({id, nodes}) => `${id}: ${nodes.map(({html}) => html).join(' ')}`);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  return width > WIDTH ? [...faults, `${width} pixels wide; expected at most ${WIDTH}`] : faults;
}
