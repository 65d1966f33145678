// Runs the tests of all packages through turbo, also after a failure, and ends with one table of what failed.
//
// pnpm test [ARGUMENT…]: arguments of `turbo run`, such as --force or --filter @epsball/gpu
import {spawnSync} from 'node:child_process';
import {globSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, relative, sep} from 'node:path';
import type {JsonTestResults} from 'vitest/node';
import {ROOT} from './packages/run.ts';

const reports = mkdtempSync(join(tmpdir(), 'epsball-test-'));
const turbo = ['run', 'test', '--output-logs=new-only', '--continue=always', '--summarize'];
const {status} = spawnSync('turbo', [...turbo, ...process.argv.slice(2)], {
  cwd: ROOT,
  stdio: 'inherit',
  env: {...process.env, EPSBALL_REPORTS: reports},
});
if (status !== 0) process.stderr.write(failureTable());
rmSync(reports, {recursive: true});
process.exitCode = status ?? 1;

/** The failed tests, files that failed outside of tests, and packages that failed without either. */
function failureTable(): string {
  const failures = globSync('*.json', {cwd: reports}).flatMap(readFailures);
  const others = failedPackages().filter((folder) => !failures.some(([file]) => file.startsWith(folder + sep)));
  const rows = [...failures, ...others.map((folder) => [folder, 'the run ended without naming a test'] as const)];
  const width = Math.max(...rows.map(([file]) => file.length));
  return `\nfailed:\n${rows.map(([file, test]) => `  ${file.padEnd(width)}  ${test}`.trimEnd()).join('\n')}\n`;
}

/** What a report of vitest names as failed. */
function readFailures(report: string): (readonly [file: string, test: string])[] {
  const {testResults}: JsonTestResults = JSON.parse(readFileSync(join(reports, report), 'utf8'));
  return testResults.flatMap(({name, status: outcome, assertionResults}) => {
    const tests = assertionResults.filter((one) => one.status === 'failed').map(({fullName}) => fullName);
    const named = outcome === 'failed' && tests.length === 0 ? [''] : tests;
    return named.map((test) => [relative(ROOT, name), test] as const);
  });
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
