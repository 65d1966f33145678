import {execFile} from 'node:child_process';
import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {InvalidParameterError} from '@epsball/clustering';
import {checkInteger} from '../checks.ts';
import {ScaleOutError} from '../run.ts';
import type {GpuPlace} from './gpuProcesses.ts';

/** The first works for root, the second for users who may create user namespaces. */
const NAMESPACES: readonly (readonly string[])[] = [
  ['unshare', '--mount'],
  ['unshare', '--map-root-user', '--mount'],
];

/** Hides the device files before `--`, then executes the command after it. */
const HIDE = 'while [ "$1" != -- ]; do mount --bind /dev/null "$1" || exit; shift; done; shift; exec "$@"';

/**
 * Finds GPUs of this host, for `runLocally({gpus})`. A process of one of several NVIDIA GPUs runs in a mount namespace
 * that hides the device files of the others. GPUs of other vendors cannot be distinguished: at most one is used.
 *
 * @param count   processes, or `all` GPUs
 * @param folder  of device files. Default: `/dev`
 * @throws InvalidParameterError  if there are fewer GPUs
 * @throws ScaleOutError          if this user may not mount
 */
export async function hostGpus(count: number | 'all', folder = '/dev'): Promise<readonly GpuPlace[]> {
  if (count !== 'all') checkInteger('gpus', count);
  const names = (await readdir(folder)).filter((name) => /^nvidia\d+$/.test(name));
  const files = names.sort((a, b) => a.localeCompare(b, 'en', {numeric: true})).map((name) => join(folder, name));
  const available = Math.max(1, files.length);
  const wanted = count === 'all' ? available : count;
  if (wanted === 1) return [{}];
  if (wanted > available) {
    const expectation = available === 1 ? '1: only NVIDIA GPUs can be told apart' : `at most ${available} on this host`;
    throw new InvalidParameterError('gpus', count, expectation);
  }
  const namespace = await findNamespace(files[1]);
  return files.slice(0, wanted).map((file) => {
    const others = files.filter((other) => other !== file);
    return {command: [...namespace, 'sh', '-c', HIDE, 'sh', ...others, '--']};
  });
}

async function findNamespace(file: string): Promise<readonly string[]> {
  let reason = '';
  for (const namespace of NAMESPACES) {
    const [program, ...flags] = namespace;
    try {
      await promisify(execFile)(program, [...flags, 'sh', '-c', HIDE, 'sh', file, '--', 'true']);
      return namespace;
    } catch (error) {
      reason ||= error instanceof Error ? (error.message.trim().split('\n').at(-1) ?? '') : String(error);
    }
  }
  const advice = 'run as root, or one worker in a container for each GPU (epsball scale worker)';
  throw new ScaleOutError(
    'GPUS_NOT_APART',
    `the GPUs of this host cannot be hidden from one another (${reason}); ${advice}`,
  );
}
