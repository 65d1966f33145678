// The command `epsball` as a user gets it.
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {install, sizeOf} from './install.ts';
import {fail, print, run, runFailing} from './run.ts';

/** Most megabytes that an installation of `@epsball/cli` downloads. */
const DOWNLOAD_MB = 40;

const COMMAND = 'node_modules/@epsball/cli/bin/epsball.mjs';
const CLUSTER = ['cluster', 'points.csv', '--eps', '1', '--min-pts', '3'];

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** What needs an optional package, and the package that its error must name. */
const NEEDS: readonly (readonly [args: readonly string[], status: number, spec: RegExp])[] = [
  [[...CLUSTER, '--plot', 'points.png'], 2, /npm install @resvg\/resvg-js@\d/],
  [
    ['segment', 'a.png', '--spatial-bandwidth', '4', '--color-bandwidth', '8', '--out', 'b.png'],
    2,
    /npm install sharp@\d/,
  ],
  [
    ['scale', 'run', ...CLUSTER.slice(1), '--work', 'work', '--out', 'labels.npy'],
    2,
    /npm install \S+epsball-scale-out\.tgz/,
  ],
  [['cluster', '--sql', 'SELECT 1 AS x', ...CLUSTER.slice(2)], 2, /npm install @duckdb\/node-api@\d/],
  [[...CLUSTER, '--backend', 'gpu'], 1, /npm install webgpu@\d/],
];

/**
 * Runs the command alone, without its optional packages, and measures what it downloads.
 *
 * @param alone      with `@epsball/cli` installed
 * @param temporary  receives a second installation, with an empty cache
 */
export function checkCommand(alone: string, temporary: string): void {
  writeFileSync(join(alone, 'points.csv'), 'x,y\n0,0\n0,1\n1,0\n9,9\n');
  writeFileSync(join(alone, 'a.png'), Buffer.from(PIXEL, 'base64'));
  const summary = run('node', [COMMAND, ...CLUSTER, '--verify', '--plot', 'points.svg'], alone);
  if (!/^clusters +1$/m.test(summary) || !/^noise +1 /m.test(summary)) fail(`epsball printed ${summary}`);
  for (const [args, status, spec] of NEEDS) {
    const failure = runFailing('node', [COMMAND, ...args], alone);
    if (failure.status === status && spec.test(failure.line) && !failure.line.includes('\n')) continue;
    fail(`epsball ${args.join(' ')} = ${failure.status} ${failure.line}; expected ${status} and ${String(spec)}`);
  }
  const cache = join(temporary, 'downloads');
  mkdirSync(cache);
  install(join(temporary, 'downloading'), ['@epsball/cli'], cache);
  const megabytes = sizeOf(join(cache, '_cacache/content-v2')) / 1e6;
  print(`@epsball/cli: clusters a file, names what it lacks, downloads ${megabytes.toFixed(1)} MB`);
  if (megabytes > DOWNLOAD_MB) fail(`@epsball/cli downloads ${megabytes} MB; expected at most ${DOWNLOAD_MB}`);
}
