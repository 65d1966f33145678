import * as dbscan from '@epsball/dbscan';
import * as suggest from '@epsball/dbscan/suggest';
import * as hdbscan from '@epsball/hdbscan';
import * as predict from '@epsball/predict';
import {describeReadme} from '@epsball/conformance/suite';
import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe} from 'vitest';

const PAGES = join(import.meta.dirname, '../pages');

const modules = {
  '@epsball/dbscan': dbscan,
  '@epsball/dbscan/suggest': suggest,
  '@epsball/hdbscan': hdbscan,
  '@epsball/predict': predict,
};

// Some pages have no example.
const pages = globSync('*.md', {cwd: PAGES}).filter((page) =>
  readFileSync(join(PAGES, page), 'utf8').includes('```ts\n'),
);

describe.each(pages.toSorted())('%s', (page) => {
  describeReadme(new URL(`../pages/${page}`, import.meta.url), {modules});
});
