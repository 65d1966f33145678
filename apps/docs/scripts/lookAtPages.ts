import {faultsOf} from '@epsball/conformance/browser';
import type {Browser} from 'playwright-core';

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

/**
 * Opens pages in a narrow window, light and dark.
 *
 * @param paths   Default: some of each kind
 * @returns       the number of pages
 * @throws Error  on an error of a page, a page wider than the window, or a violation that axe finds
 */
export async function lookAtPages(browser: Browser, origin: string, paths: readonly string[] = SHOWN): Promise<number> {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({viewport: {width: WIDTH, height: 900}, colorScheme});
    context.setDefaultTimeout(0);
    const page = await context.newPage();
    page.on('pageerror', (error) => found.push(String(error)));
    for (const path of paths) {
      await page.goto(origin + path, {waitUntil: 'networkidle'});
      found.push(...(await faultsOf(page)).map((fault) => `${path}, ${colorScheme}: ${fault}`));
    }
    await context.close();
  }
  if (found.length > 0) throw new Error(found.join('\n'));
  return paths.length;
}
