import {readFileSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, it} from 'vitest';
import {makeFolder, README_LINES, ROOT, runLine} from './readmeLines.ts';

/** Lines that run a suite: `readme.long.test.ts` runs all. */
const LONG = /epsball bench /;

let folder: string;

beforeAll(() => {
  folder = makeFolder();
});

afterAll(() => rmSync(folder, {recursive: true}));

it.for(README_LINES.filter((line) => !LONG.test(line)))('the README of the repository runs: %s', (line) => {
  expect(runLine(line, folder)).toMatchObject({status: 0});
});

it('the picture of the README is what its line draws', () => {
  expect(readFileSync(join(folder, 'shapes.svg'), 'utf8')).toBe(readFileSync(join(ROOT, 'docs/shapes.svg'), 'utf8'));
});
