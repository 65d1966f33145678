// Serves the built site and looks at it as a reader does: follows every link, to pages and to headings, and in Chromium
// asks the search box questions and looks at pages: at all of them with --all. Without Chromium only the links are
// checked.
//
// node --conditions=@epsball/source scripts/checkSite.ts [--all]
import {findChromium} from '@epsball/conformance/browser';
import {join} from 'node:path';
import {chromium, type Browser} from 'playwright-core';
import {serve} from 'vitepress';
import {lookAtPages} from './lookAtPages.ts';

const HERE = join(import.meta.dirname, '..');
/** What a reader types, and the page that the first answer is on. `nothing`: no answer. */
const QUESTIONS = [
  ['choose eps', '/choosing'],
  ['gpu install', '/gpu'],
  ['geojson', '/start-gps'],
  ['kilometres', '/start-gps'],
  ['kilometers', '/start-gps'],
  ['python', '/coming-from'],
  ['install', '/start'],
  ['@epsball/', 'nothing'],
  ['border point', '/how-dbscan-works'],
  ['how hdbscan works', '/how-hdbscan-works'],
  ['scikit-learn', '/coming-from'],
  ['shared memory headers', '/browsers'],
  ['out of memory', '/scale-out'],
  ['NaN', '/errors'],
  ['cluster gps points within 200 m', '/start-gps'],
  ['gps', '/start-gps'],
  ['gpu server', '/gpu'],
  ['headless gpu', '/gpu'],
  ['web worker', '/browsers'],
  ['browser', '/browsers'],
  ['cosine distance of embeddings', '/choosing'],
  ['embeddings', '/choosing'],
  ['100 million points', '/scale-out'],
  ['why is my point noise', '/choosing'],
  ['move from scikit-learn', '/coming-from'],
  ['many minClusterSize', '/hdbscan'],
  ['which variant is fastest', '/variants'],
  ['fastest', '/variants'],
  ['no gpu', '/errors'],
  ['GPU_UNAVAILABLE', '/gpu'],
  ['out of memory error', '/errors'],
  ['stops of vehicles', '/start-gps'],
  ['positions over time', '/start-gps'],
  ['trajectory', '/start-gps'],
  ['new points old clusters', '/hdbscan'],
  ['60 % noise', '/hdbscan'],
  ['run in a web page', '/browsers'],
  ['html', '/browsers'],
  ['500 million points parquet', '/scale-out'],
  ['billion points', '/scale-out'],
  ['out of core', '/scale-out'],
  ['stay points', '/start-gps'],
  ['cosine', '/choosing'],
  ['streaming', '/packages/dbscan-dynamic'],
  ['duplicates', '/hdbscan'],
  ['dbcv', '/choosing'],
  ['WorkersUnavailableError', '/reference/clustering/workersunavailableerror'],
  ['createDeviceDbscan', '/reference/dbscan/createdevicedbscan'],
] as const;

const port = 20_000 + (process.pid % 10_000);
const {server} = await serve({root: HERE, port});
const origin = `http://localhost:${port}`;
try {
  const pages = await followLinks();
  print(`docs site: ${pages.length} pages, no dead link, no dead anchor`);
  const executablePath = findChromium();
  if (executablePath === undefined) print('skipped: the site in a browser: no Chromium is installed');
  else await look(executablePath, process.argv.includes('--all') ? pages : undefined);
} finally {
  server?.close();
}

/** Follows all links of the site from its first page. Returns the paths of all pages. */
async function followLinks(): Promise<string[]> {
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
  return [...texts.keys()];
}

/** @param paths  pages to look at. Default: some of each kind */
async function look(executablePath: string, paths?: readonly string[]): Promise<void> {
  const browser = await chromium.launch({timeout: 0, executablePath, args: ['--no-sandbox']});
  try {
    await search(browser);
    print(`${await lookAtPages(browser, origin, paths)} pages, light and dark, 390 pixels wide: no violation of axe`);
  } finally {
    await browser.close();
  }
}

/**
 * Asks the search box.
 *
 * @throws Error  if the first answer to a question is on another page
 */
async function search(browser: Browser): Promise<void> {
  const page = await browser.newPage();
  page.setDefaultTimeout(0);
  await page.goto(origin);
  await page.locator('#local-search button').click();
  const wrong: string[] = [];
  for (const [question, wanted] of QUESTIONS) {
    const results = page.locator('.VPLocalSearchBox .result');
    await page.locator('#localsearch-input').fill('');
    await results.first().waitFor({state: 'detached'});
    await page.locator('#localsearch-input').fill(question);
    // The box answers, or says that it has no answer.
    await page.locator('.VPLocalSearchBox :is(.result, .no-results)').first().waitFor({state: 'attached'});
    const links = await results.evaluateAll((found) => found.map((one) => one.getAttribute('href') ?? ''));
    const first = links.length === 0 ? 'nothing' : new URL(links[0], origin).pathname;
    if (first !== 'nothing' && (await fetch(origin + first)).status !== 200) wrong.push(`${first} is no page`);
    if (first !== wanted) wrong.push(`“${question}” finds ${first}; expected ${wanted}`);
  }
  await page.close();
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
  print(`search: ${QUESTIONS.length} questions find their page first`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
