import {execFile} from 'node:child_process';
import {availableParallelism, cpus, release, totalmem, type} from 'node:os';
import {promisify} from 'node:util';
import type {Machine} from '@epsball/benchmarks';

/** Environment variable that names the commit where there is no repository, such as in the bundle. */
const COMMIT_VARIABLE = 'EPSBALL_COMMIT';

export function describeMachine(): Machine {
  return {
    node: process.version,
    os: `${type()} ${release()}`,
    arch: process.arch,
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    threads: availableParallelism(),
    memoryBytes: totalmem(),
  };
}

/** The commit of the checkout that this file belongs to; `unknown` outside a repository. */
export async function describeCommit(): Promise<{hash: string; dirty: boolean}> {
  const named = process.env[COMMIT_VARIABLE];
  if (named !== undefined && named !== '') return {hash: named, dirty: false};
  try {
    const hash = await git('rev-parse', 'HEAD');
    return {hash, dirty: (await git('status', '--porcelain')) !== ''};
  } catch {
    return {hash: 'unknown', dirty: false};
  }
}

async function git(...args: string[]): Promise<string> {
  const {stdout} = await promisify(execFile)('git', args, {cwd: import.meta.dirname});
  return stdout.trim();
}
