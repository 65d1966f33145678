import {spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

const BIN = join(import.meta.dirname, '../bin/epsball.mjs');

export const ROOT = join(import.meta.dirname, '../../..');

/** The lines `pnpm epsball …` of the repository's README. */
export const README_LINES: readonly string[] = [
  ...readFileSync(join(ROOT, 'README.md'), 'utf8').matchAll(/^pnpm epsball .*$/gm),
].map(([line]) => line);

export function makeFolder(): string {
  return mkdtempSync(join(tmpdir(), 'epsball-front-page-'));
}

/** Runs a line as a shell does. */
export function runLine(line: string, cwd: string): {status: number | null; output: string} {
  const shell = `pnpm() { shift; "${process.execPath}" "${BIN}" "$@"; }; ${line}`;
  const {status, stdout, stderr} = spawnSync('bash', ['-c', shell], {cwd, encoding: 'utf8'});
  return {status, output: stdout + stderr};
}
