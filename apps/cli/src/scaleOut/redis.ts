import {escapeControls} from '@epsball/datasets';
import type * as bullmq from '@epsball/scale-out/bullmq';
import type {TileBackend} from '@epsball/scale-out';
import {once} from 'node:events';
import {jsonLine} from '../escape.ts';
import {loadOptional} from '../installLine.ts';
import {gpuPlaces} from './gpuPlaces.ts';

export interface WorkerFlags {
  readonly backend?: TileBackend['backend'];
  readonly concurrency?: number;
  readonly gpus?: number | 'all';
}

export function loadBullmq(): Promise<typeof bullmq> {
  return loadOptional('scale', '@epsball/scale-out', () => import('@epsball/scale-out/bullmq'));
}

/** Processes tasks until a signal comes. */
export async function work(redis: string, flags: WorkerFlags, signal: AbortSignal): Promise<void> {
  const {backend, concurrency} = flags;
  const {redactUrl, startWorker} = await loadBullmq();
  const tile = backend === undefined ? undefined : {backend};
  const gpus = flags.gpus === undefined ? undefined : await gpuPlaces(flags.gpus);
  const worker = await startWorker({redis, concurrency, gpus, signal, tile, onLine: writeLine});
  writeLine(`worker of ${escapeControls(redactUrl(redis))}`);
  try {
    if (!signal.aborted) await once(signal, 'abort');
  } finally {
    // The tasks in progress end first. A second signal ends the process at once; other workers then repeat them.
    await worker.close();
  }
}

export interface RunsFlags {
  readonly cancel?: string;
  readonly json?: boolean;
}

export async function showRuns(redis: string, {cancel, json}: RunsFlags): Promise<void> {
  const {cancelRun, listRuns} = await loadBullmq();
  const wait = {onLine: writeLine};
  if (cancel !== undefined) {
    await cancelRun(redis, cancel, wait);
    process.stdout.write(`${escapeControls(cancel)}: cancelled\n`);
    return;
  }
  const found = await listRuns(redis, wait);
  if (found.length === 0 && json !== true) process.stdout.write('no runs\n');
  for (const run of found) {
    // Names and reasons come from Redis.
    process.stdout.write(json === true ? jsonLine({...run}) : `${escapeControls(formatRun(run))}\n`);
  }
}

function formatRun({name, state, stage, done, total, retries, reason}: bullmq.RunSummary): string {
  const tasks = stage === undefined ? '' : `  ${stage} ${done} of ${total}, ${retries} retries`;
  return `${name}  ${state}${tasks}${reason === undefined ? '' : `  ${reason}`}`;
}

/** Writes a line of a worker, or about Redis, to stderr. */
export function writeLine(line: string): void {
  process.stderr.write(`${line}\n`);
}
