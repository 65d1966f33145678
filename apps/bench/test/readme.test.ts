import {rmSync} from 'node:fs';
import {afterAll, beforeAll, expect, it} from 'vitest';
import {makeCheckout, README_LINES, runLine} from './readmeLines.ts';

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
