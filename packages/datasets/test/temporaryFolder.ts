import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll} from 'vitest';

/** A folder for one test file, removed after its tests. */
export function temporaryFolder(): (name: string) => string {
  const folder = mkdtempSync(join(tmpdir(), 'epsball-datasets-'));
  afterAll(() => rmSync(folder, {recursive: true, force: true}));
  return (name) => join(folder, name);
}

/** The path of a file in `fixtures`. */
export function fixture(name: string): string {
  return new URL(`./fixtures/${name}`, import.meta.url).pathname;
}
