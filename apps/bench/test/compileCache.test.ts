import {existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import {runInChild} from '../src/run/childProcess.ts';
import type {CellJob} from '../src/run/job.ts';

const SEQUENTIAL = {row: 'sequential', backend: 'sequential'};
const JOB: CellJob = {
  kind: 'dbscan',
  workload: {dataset: 'moons:n=50,seed=3', n: 50, dim: 2, params: {eps: 0.3, minPts: 5}},
  subject: SEQUENTIAL,
  adapter: 'auto',
  profile: {warmups: 0, repeats: 1, settleSeconds: 0, cellSeconds: 3600},
  reference: SEQUENTIAL,
  referenceHash: null,
  pictureFile: null,
};

/** No limit: an hour. */
const OPTIONS = {timeoutMs: 3_600_000};

describe.skipIf(process.platform === 'win32')('the compile cache of child processes', () => {
  let root: string;
  let elsewhere: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'epsball-compile-test-'));
    elsewhere = join(root, 'elsewhere');
    for (const name of ['tmp', 'elsewhere']) mkdirSync(join(root, name));
    vi.stubEnv('TMPDIR', join(root, 'tmp'));
    vi.stubEnv('XDG_CACHE_HOME', join(root, 'cache'));
    vi.stubEnv('NODE_COMPILE_CACHE', undefined);
  });

  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(root, {recursive: true});
  });

  it('is a folder that only this user can write', async () => {
    symlinkSync(elsewhere, join(root, 'tmp/epsball-compile-cache'));
    expect(await runInChild(JOB, OPTIONS)).toMatchObject({status: 'cell', cell: {status: 'measured'}});
    expect(readdirSync(elsewhere)).toEqual([]);
    const folder = join(root, 'cache/epsball/node-compile');
    expect(readdirSync(folder)).not.toEqual([]);
    expect(lstatSync(folder).mode & 0o777).toBe(0o700);
  });

  it('is the one of NODE_COMPILE_CACHE, if the variable is set', async () => {
    vi.stubEnv('NODE_COMPILE_CACHE', elsewhere);
    expect(await runInChild(JOB, OPTIONS)).toMatchObject({status: 'cell', cell: {status: 'measured'}});
    expect(readdirSync(elsewhere)).not.toEqual([]);
    expect(existsSync(join(root, 'cache'))).toBe(false);
  });

  it('is left out where no folder can be private', async () => {
    for (const name of ['TMPDIR', 'XDG_CACHE_HOME']) vi.stubEnv(name, '/dev/null');
    expect(await runInChild(JOB, OPTIONS)).toMatchObject({status: 'cell', cell: {status: 'measured'}});
  });
});
