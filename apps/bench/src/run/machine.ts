import {execFile} from 'node:child_process';
import {availableParallelism, cpus, loadavg, release, totalmem, type} from 'node:os';
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

/** Runnable processes in the last minute, on average. Windows does not tell. */
export function describeLoad(): number | null {
  return process.platform === 'win32' ? null : Number(loadavg()[0].toFixed(2));
}

/** Results, which one suite of `pnpm baselines` leaves for the next: they change no figure. References do. */
const ALL_BUT_RESULTS = [':(top)', ':(top,exclude,glob)benchmarks/baselines/*.json'];

/**
 * The commit of a checkout, and whether anything in it but results of baselines has changed since; `unknown`
 * outside a repository.
 *
 * @param folder  in the checkout. Default: that of this file
 */
export async function describeCommit(folder: string = import.meta.dirname): Promise<{hash: string; dirty: boolean}> {
  const named = process.env[COMMIT_VARIABLE];
  if (named !== undefined && named !== '') return {hash: named, dirty: false};
  try {
    const hash = await git(folder, 'rev-parse', 'HEAD');
    return {hash, dirty: (await git(folder, 'status', '--porcelain', '--', ...ALL_BUT_RESULTS)) !== ''};
  } catch {
    return {hash: 'unknown', dirty: false};
  }
}

async function git(folder: string, ...args: string[]): Promise<string> {
  const {stdout} = await promisify(execFile)('git', args, {cwd: folder});
  return stdout.trim();
}
