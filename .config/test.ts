// Runs the tests of all packages through turbo, also after a failure, and ends with one table of what failed.
//
// pnpm test [ARGUMENT…]: arguments of `turbo run`, such as --force or --filter @epsball/gpu
import {spawnSync} from 'node:child_process';
import {globSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Failure} from './failureList.ts';

const ROOT = join(import.meta.dirname, '..');

const temporary = mkdtempSync(join(tmpdir(), 'epsball-test-'));
const list = join(temporary, 'failures.jsonl');
const turbo = ['run', 'test', '--output-logs=new-only', '--continue=always', '--summarize'];
const {status} = spawnSync('turbo', [...turbo, ...process.argv.slice(2)], {
  cwd: ROOT,
  stdio: 'inherit',
  env: {...process.env, EPSBALL_FAILURES: list},
});
if (status !== 0) process.stderr.write(failureTable(readFailures(), failedPackages()));
rmSync(temporary, {recursive: true});
process.exitCode = status ?? 1;

function readFailures(): Failure[] {
  try {
    const lines = readFileSync(list, 'utf8').trim().split('\n');
    return lines.map((line): Failure => JSON.parse(line));
  } catch {
    return [];
  }
}

/** Folders of the packages whose task failed, from turbo's summary of this run. */
function failedPackages(): string[] {
  const path = globSync('.turbo/runs/*.json', {cwd: ROOT}).sort().at(-1);
  if (path === undefined) return [];
  const summary: {
    tasks?: readonly {readonly directory: string; readonly execution?: {readonly exitCode: number | null}}[];
  } = JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
  const failed = (summary.tasks ?? []).filter(({execution}) => execution !== undefined && execution.exitCode !== 0);
  return failed.map(({directory}) => directory);
}

function failureTable(failures: readonly Failure[], folders: readonly string[]): string {
  const rows = failures.map(({folder, file, test = ''}) => [folder, file, test]);
  for (const folder of folders) {
    const isListed = failures.some((failure) => failure.folder === folder);
    if (!isListed) rows.push([folder, 'the run ended without naming a test', '']);
  }
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, k) => cell.padEnd(widths[k] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return `\nfailed:\n${lines.map((line) => `  ${line}\n`).join('')}`;
}
