import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, it} from 'vitest';
import {describeCommit} from '../src/run/machine.ts';

describe('describeCommit', () => {
  let folder = '';
  const git = (...args: string[]): string => execFileSync('git', args, {cwd: folder, encoding: 'utf8'}).trim();
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'epsball-commit-'));
    git('init', '--quiet');
    mkdirSync(join(folder, 'benchmarks/baselines'), {recursive: true});
    writeFileSync(join(folder, 'code.ts'), '1');
    git('add', '.');
    git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '--message', 'code');
  });
  afterEach(() => rmSync(folder, {recursive: true}));

  it('takes a checkout with new baselines for clean, and one with other changes for dirty', async () => {
    const hash = git('rev-parse', 'HEAD');
    writeFileSync(join(folder, 'benchmarks/baselines/milanesi.json'), '{}');
    expect(await describeCommit(join(folder, 'benchmarks'))).toEqual({hash, dirty: false});
    writeFileSync(join(folder, 'code.ts'), '2');
    expect(await describeCommit(join(folder, 'benchmarks'))).toEqual({hash, dirty: true});
  });

  it('takes a checkout with another reference for dirty: labels are held against it', async () => {
    mkdirSync(join(folder, 'benchmarks/baselines/references'));
    writeFileSync(join(folder, 'benchmarks/baselines/references/dclust.json'), '{}');
    expect((await describeCommit(folder)).dirty).toBe(true);
  });

  it('does not know the commit outside a repository', async () => {
    rmSync(join(folder, '.git'), {recursive: true});
    expect(await describeCommit(folder)).toEqual({hash: 'unknown', dirty: false});
  });
});
