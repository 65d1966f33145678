// Measures every suite in full on this machine and keeps the results as baselines, in several goes: a run that was
// ended goes on where it stopped. With --collect it only copies finished results into benchmarks/baselines.
//
//   pnpm baselines [SUITE…]             in a checkout
//   epsball bench --profile full …      what it runs, for the archive of pnpm bundle
import {spawnSync} from 'node:child_process';
import {copyFileSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {resultFileSchema} from '@epsball/benchmarks';
import {committedReferences, newestResults} from '../src/files.ts';

/** References that took longer are not timed again; their labels come from the committed ones. */
const REFERENCE_SECONDS = 140;

const ROOT = join(import.meta.dirname, '../../..');
const OUT = join(ROOT, 'benchmarks/reports/baselines');
const BASELINES = join(ROOT, 'benchmarks/baselines');

const {positionals, values} = parseArgs({allowPositionals: true, options: {collect: {type: 'boolean'}}});
if (values.collect !== true) {
  const suites = positionals.length > 0 ? positionals : ['--all'];
  const args = ['bench', ...suites, '--profile', 'full', '--resume', '--out', OUT];
  const references = ['--reference', ...committedReferences(), '--time-reference', String(REFERENCE_SECONDS)];
  const bin = join(import.meta.dirname, '../bin/epsball.mjs');
  const {status} = spawnSync(process.execPath, [bin, ...args, ...references], {stdio: 'inherit'});
  if (status !== 0) process.exit(status ?? 1);
}
for (const file of newestResults(join(OUT, 'results'))) {
  const {suite, profile, adapter, machine, commit} = resultFileSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  if (profile !== 'full') continue;
  const place = (adapter?.kind === 'hardware' ? adapter.name : machine.cpu).toLowerCase().replaceAll(/[^a-z\d]+/g, '-');
  const target = join(BASELINES, `${suite}-${place.replaceAll(/^-|-$/g, '')}.json`);
  copyFileSync(file, target);
  process.stdout.write(`${target}  commit ${commit.hash.slice(0, 7)}${commit.dirty ? ' with local changes' : ''}\n`);
}
process.stdout.write('next: pnpm --filter @epsball/bench pictures, then pnpm docs:report\n');
