// The contract in a browser: variants on WebGPU and on Web Workers, in Chromium, in a cross-origin isolated page.
import {findChromium, Pages, bundlePage} from '@epsball/conformance/browser';
import {SHARE} from '@epsball/conformance/share';
import {describeDbscanCases} from '@epsball/conformance/suite';
import type {Backend} from '@epsball/clustering/catalogue';
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Page} from 'playwright-core';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {catalogue} from '../src/catalogue.ts';
import type {PageVariants} from './browser/catalogue.page.ts';
import {createPageVariant} from './browser/pageVariant.ts';

/** Of the cases, which all run in Node, on the same kernels. All of them take hours here. */
const PART = 0.1;

declare const variants: PageVariants;

const chromium = findChromium();
/** The page is the same, whichever Node serves it. */
const isRepeated = Number.parseInt(process.versions.node, 10) < 24;
const missing = isRepeated
  ? 'Node 24 runs these tests'
  : chromium === undefined
    ? 'no Chromium is installed'
    : undefined;
if (missing !== undefined) process.stderr.write(`skipped: variants in a browser: ${missing}\n`);

const subjects = catalogue
  .flatMap((row) => row.backends.map((backend) => ({row, backend, id: `${row.id}/${backend}`})))
  .filter(({backend}) => backend !== 'sequential');

describe.runIf(missing === undefined)('in Chromium', () => {
  let folder: string;
  let pages: Pages;
  let page: Page;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'epsball-variants-'));
    await bundlePage(join(import.meta.dirname, 'browser/catalogue.page.ts'), folder);
    pages = await Pages.open(chromium ?? '', folder);
    page = await pages.open('/catalogue.page.js', true);
  });
  afterAll(async () => {
    await pages?.close();
    await rm(folder, {recursive: true, force: true});
  });

  it('WebGPU is there, on the software adapter', async () => {
    expect(await page.evaluate(() => variants.adapter())).toMatch(/swiftshader/i);
  });

  for (const {row, backend, id} of subjects) {
    describeDbscanCases({
      id: `${id} in Chromium`,
      maxDim: row.on[backend]?.maxDim ?? 0,
      metrics: row.on[backend]?.metrics,
      weights: row.on[backend]?.weights,
      share: PART * SHARE,
      create: () => createPageVariant(page, row.id, backend satisfies Backend),
    });
  }
});
