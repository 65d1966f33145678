// What a successor must hold: prints counts of this checkout, without the benchmark application unless `--all`.
//
// pnpm size [--all]
import {execFileSync, spawnSync} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {print, ROOT} from './packages/run.ts';

const BENCHMARKS = /^(?:apps\/bench|benchmarks)\//;

const withBenchmarks = process.argv.includes('--all');
const tracked = execFileSync('git', ['ls-files', '-z'], {cwd: ROOT, encoding: 'utf8'}).split('\0');
const files = tracked.filter((file) => existsSync(join(ROOT, file)) && (withBenchmarks || !BENCHMARKS.test(file)));

const isFixture = (file: string): boolean => file.includes('/fixtures/');
const isGenerated = (file: string): boolean => file.endsWith('.wgsl.ts') && !isFixture(file);
const isTest = (file: string): boolean => /^(?:packages|apps|benchmarks)(?:\/[^/]+)?\/test\//.test(file);
const isScript = (file: string): boolean => /\.(?:ts|tsx|mts|cts|mjs|vue)$/.test(file) && !isGenerated(file);
const isText = (file: string): boolean => file.endsWith('.md') && !/^\.changeset\/|CHANGELOG|\/baselines\//.test(file);

const source = files.filter((file) => isScript(file) && !isTest(file) && !isFixture(file));
const tests = files.filter((file) => isScript(file) && isTest(file) && !isFixture(file));
const kernels = files.filter((file) => file.endsWith('.wgsl') && !isTest(file));

report('hand-written TypeScript', linesOf(source), source.length);
report('hand-written WGSL', linesOf(kernels), kernels.length);
report('both', linesOf(source) + linesOf(kernels), source.length + kernels.length);
report('generated and tracked', linesOf(files.filter(isGenerated)), files.filter(isGenerated).length);
report('tests', linesOf(tests), tests.length);
print(
  `${'workspaces'.padEnd(28)}${String(files.filter((file) => /^[^.].*\/package\.json$/.test(file)).length).padStart(8)}`,
);
print(`${'words of documents'.padEnd(28)}${String(wordsOf(files.filter(isText))).padStart(8)}`);
for (const [what, args] of [
  ['loaded by --help', ['--help']],
  ['loaded on one thread', ['cluster', 'points.csv', '--eps', '2', '--min-pts', '2', '--backend', 'sequential']],
  ['loaded on a GPU', ['cluster', 'points.csv', '--eps', '2', '--min-pts', '2', '--backend', 'gpu']],
] as const) {
  print(`${what.padEnd(28)}${String(loadedBy(args) ?? '–').padStart(8)} source files`);
}

function report(what: string, lines: number, count: number): void {
  print(`${what.padEnd(28)}${String(lines).padStart(8)} lines in ${count} files`);
}

function linesOf(some: readonly string[]): number {
  return some.reduce((sum, file) => sum + (textOf(file).match(/\n/g)?.length ?? 0), 0);
}

function wordsOf(some: readonly string[]): number {
  return some.reduce((sum, file) => sum + textOf(file).split(/\s+/).filter(Boolean).length, 0);
}

/** Files of the repository that a command loads, generated kernels included; undefined if it fails here. */
function loadedBy(args: readonly string[]): number | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'epsball-size-'));
  const count = join(folder, 'count.mjs');
  writeFileSync(join(folder, 'points.csv'), '0,0\n0,1\n9,9\n');
  writeFileSync(
    count,
    `import {registerHooks} from 'node:module';
     const seen = new Set();
     registerHooks({resolve: (name, context, next) => {
       const found = next(name, context);
       if (found.url.startsWith('file:') && !found.url.includes('/node_modules/')) seen.add(found.url);
       return found;
     }});
     process.on('exit', () => process.stderr.write('\\nloaded ' + seen.size + '\\n'));`,
  );
  const command = ['--import', count, join(ROOT, 'apps/cli/bin/epsball.mjs'), ...args];
  const {status, stderr} = spawnSync(process.execPath, command, {cwd: folder, encoding: 'utf8'});
  rmSync(folder, {recursive: true});
  const loaded = /loaded (\d+)/.exec(stderr)?.[1];
  return status === 0 && loaded !== undefined ? Number(loaded) : undefined;
}

function textOf(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}
