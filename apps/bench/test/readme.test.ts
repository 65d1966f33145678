import {readFileSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, it} from 'vitest';
import {makeCheckout, README_LINES, ROOT, runLine} from './readmeLines.ts';

/** Lines that compile kernels or run a suite: `readme.long.test.ts` runs all. `segment` takes a GPU by default. */
const LONG = /--backend gpu|epsball (?:bench|report|segment) /;

let folder: string;

beforeAll(() => {
  folder = makeCheckout();
});

afterAll(() => rmSync(folder, {recursive: true}));

it.for(README_LINES.filter((line) => !LONG.test(line)))('the README of the repository runs: %s', (line) => {
  expect(runLine(line, folder)).toMatchObject({status: 0});
});

it('the picture of the README is what its line draws', () => {
  expect(readFileSync(join(folder, 'shapes.svg'), 'utf8')).toBe(readFileSync(join(ROOT, 'docs/shapes.svg'), 'utf8'));
});
