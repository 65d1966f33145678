// Serves the built site and looks at it as a reader does: follows every link, to pages and to headings, and in Chromium
// opens pages and asks the search box. Without Chromium only the links are checked.
//
// node --conditions=@epsball/source scripts/checkSite.ts
import {findChromium} from '@epsball/conformance/browser';
import {join} from 'node:path';
import {chromium, type Browser} from 'playwright-core';
import {serve} from 'vitepress';

const HERE = join(import.meta.dirname, '..');
/** Pages to look at: a start, a guide, a package, a reference, wide tables. */
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

const port = 20_000 + (process.pid % 10_000);
const {server} = await serve({root: HERE, port});
const origin = `http://localhost:${port}`;
try {
  const pages = await followLinks();
  print(`docs site: ${pages} pages, no dead link, no dead anchor`);
  const executablePath = findChromium();
  if (executablePath === undefined) print('skipped: the site in a browser: no Chromium is installed');
  else await look(executablePath);
} finally {
  server?.close();
}

/** Follows all links of the site from its first page. Returns the number of pages. */
async function followLinks(): Promise<number> {
  const texts = new Map<string, string>();
  const waiting = ['/'];
  const wanted: {from: string; path: string; id: string}[] = [];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (texts.has(path)) continue;
    const response = await fetch(origin + path);
    if (response.status !== 200) throw new Error(`${path} = status ${response.status}; expected 200`);
    const text = await response.text();
    texts.set(path, text);
    for (const [, href] of text.matchAll(/<a [^>]*?href="([^"]+)"/g)) {
      const {origin: other, pathname, hash} = new URL(href, origin + path);
      if (other !== origin) continue;
      wanted.push({from: path, path: pathname, id: decodeURIComponent(hash.slice(1))});
      waiting.push(pathname);
    }
  }
  const dead = wanted.filter(({path, id}) => id !== '' && !texts.get(path)?.includes(`id="${id}"`));
  if (dead.length > 0) {
    const lines = new Set(dead.map(({from, path, id}) => `${from}: ${path}#${id}`));
    throw new Error(`links to no heading:\n${[...lines].join('\n')}`);
  }
  return texts.size;
}

async function look(executablePath: string): Promise<void> {
  const browser = await chromium.launch({timeout: 0, executablePath, args: ['--no-sandbox']});
  try {
    await search(browser);
    await show(browser);
  } finally {
    await browser.close();
  }
}

/** Asks the search box, and follows its first answer. */
async function search(browser: Browser): Promise<void> {
  const page = await browser.newPage();
  page.setDefaultTimeout(0);
  await page.goto(origin);
  await page.locator('#local-search button').click();
  await page.locator('#localsearch-input').fill('border point');
  await page.waitForSelector('.VPLocalSearchBox .result');
  const answers = await page.locator('.VPLocalSearchBox .result').count();
  await page.locator('.VPLocalSearchBox .result').first().click();
  await page.waitForURL((url) => url.pathname !== '/');
  print(`search: ${answers} answers to “border point”; the first leads to ${new URL(page.url()).pathname}`);
  await page.close();
}

/** Opens pages in a narrow window, and fails on an error of a page, or on one that is wider than the window. */
async function show(browser: Browser): Promise<void> {
  const width = 390;
  const context = await browser.newContext({viewport: {width, height: 900}});
  context.setDefaultTimeout(0);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  for (const path of SHOWN) {
    await page.goto(origin + path, {waitUntil: 'networkidle'});
    const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth);
    if (scrollWidth > width) errors.push(`${path} = ${scrollWidth} pixels wide; expected at most ${width}`);
  }
  await context.close();
  if (errors.length > 0) throw new Error(errors.join('\n'));
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
