import {rmSync} from 'node:fs';
import {afterAll, beforeAll, expect, it} from 'vitest';
import {makeFolder, README_LINES, runLine} from './readmeLines.ts';

let folder: string;

beforeAll(() => {
  folder = makeFolder();
});

afterAll(() => rmSync(folder, {recursive: true}));

it.for(README_LINES)('the README of the repository runs: %s', (line) => {
  expect(runLine(line, folder)).toMatchObject({status: 0});
});
