import {once} from 'node:events';
import type {Command} from 'commander';
import {abortOnInterrupt} from '../interrupt.ts';
import {oneOf, positiveInteger} from '../options.ts';
import {redisUrl, writeLine} from '../scaleOut/flags.ts';
import {loadBullmq} from '../scaleOut/load.ts';

const BACKENDS = ['auto', 'gpu', 'workers', 'sequential'] as const;

interface WorkerCommandOptions {
  readonly backend?: (typeof BACKENDS)[number];
  readonly concurrency?: number;
}

export function addWorkerCommand(program: Command): void {
  const parseRedis = redisUrl('REDIS');
  program
    .command('worker')
    .description('process the tasks of "epsball cluster --scale-out" until a signal comes')
    .argument(
      '<REDIS>',
      'redis://host:port, or rediss:// for TLS; password: EPSBALL_REDIS_PASSWORD or its _FILE',
      parseRedis,
    )
    .option('--backend <WHERE>', `${BACKENDS.join('|')}. Default: what each run says`, oneOf('--backend', BACKENDS))
    .option('--concurrency <N>', 'tasks at a time. Default: 1', positiveInteger('--concurrency'))
    .action((redis: string, options: WorkerCommandOptions) =>
      abortOnInterrupt((signal) => work(redis, options, signal)),
    );
}

async function work(redis: string, {backend, concurrency}: WorkerCommandOptions, signal: AbortSignal): Promise<void> {
  const [{redactUrl, startWorker}, {escapeControls}] = await Promise.all([loadBullmq(), import('@epsball/datasets')]);
  const worker = await startWorker({
    redis,
    concurrency,
    signal,
    tile: backend === undefined ? undefined : {backend},
    onLine: writeLine,
  });
  process.stderr.write(`worker of ${escapeControls(redactUrl(redis))}\n`);
  try {
    if (!signal.aborted) await once(signal, 'abort');
  } finally {
    // The tasks in progress end first. A second signal ends the process at once; other workers then repeat them.
    await worker.close();
  }
}
