import type axeCore from 'axe-core';
import {readFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import type {Page} from 'playwright-core';

declare global {
  var axe: typeof axeCore;
}

/** Returns the violations that axe finds in a page, each with its elements, and a horizontal overflow of the page. */
export async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  const {violations, beyond} = await page.evaluate(async () => ({
    violations: (await globalThis.axe.run({resultTypes: ['violations']})).violations,
    beyond: document.documentElement.scrollWidth - innerWidth,
  }));
  const faults = violations.map(({id, nodes}) => `${id}: ${nodes.map(({html}) => html).join(' ')}`);
  return beyond > 0 ? [...faults, `${beyond} pixels wider than the window`] : faults;
}
