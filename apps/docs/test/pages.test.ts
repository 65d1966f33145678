import * as dbscan from '@epsball/dbscan';
import {describeReadme} from '@epsball/conformance/suite';
import {globSync} from 'node:fs';
import {join} from 'node:path';
import {describe} from 'vitest';

const PAGES = join(import.meta.dirname, '../pages');

describe.each(globSync('*.md', {cwd: PAGES}).sort())('%s', (page) => {
  describeReadme(new URL(`../pages/${page}`, import.meta.url), {modules: {'@epsball/dbscan': dbscan}});
});
