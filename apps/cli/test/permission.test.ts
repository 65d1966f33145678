import {spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, describe, expect, it} from 'vitest';

const COMMAND = join(import.meta.dirname, '../bin/epsball.mjs');
const FIXTURES = join(import.meta.dirname, '../../../packages/datasets/test/fixtures');
const folder = mkdtempSync(join(tmpdir(), 'epsball-permission-'));
const points = join(folder, 'points.csv');
writeFileSync(points, '0,0\n0,1\n1,0\n9,9\n');
afterAll(() => rmSync(folder, {recursive: true}));

const CLUSTER = ['--eps', '1.5', '--min-pts', '2'];
const READS = '--allow-fs-read=*';
const WRITES = `--allow-fs-write=${folder}`;

/** Runs the command under Node's permission model. Returns what it prints to stderr. */
function errorUnder(flags: readonly string[], args: readonly string[]): string {
  const node = ['--permission', ...flags, '--no-warnings', '--conditions=@epsball/source'];
  const {stderr, status} = spawnSync(process.execPath, [...node, COMMAND, ...args], {encoding: 'utf8', cwd: folder});
  expect(status).not.toBe(0);
  return stderr;
}

describe("Node's permission model is named, with the file or package and the flag", () => {
  it.each([
    ['worker threads', ['cluster', points, ...CLUSTER, '--backend', 'workers'], 'worker threads', '--allow-worker'],
    [
      'the thread that decodes a file',
      ['cluster', join(FIXTURES, 'lz4-raw.parquet'), ...CLUSTER],
      'the thread that decodes it',
      '--allow-worker',
    ],
    [
      'an addon of a package',
      ['cluster', points, ...CLUSTER, '--plot', join(folder, 'plot.png')],
      'the native addon of @resvg/resvg-js',
      '--allow-addons',
    ],
    [
      'the addon of a GPU',
      ['cluster', points, ...CLUSTER, '--backend', 'gpu'],
      'the native addon of npm package webgpu',
      '--allow-addons',
    ],
  ])('%s', (_, args, what, flag) => {
    expect(errorUnder([READS, WRITES], args)).toContain(
      `Node's permission model refuses ${what}; expected the flag ${flag}`,
    );
  });
});
