import type {Command} from 'commander';
import {jsonLine} from '../escape.ts';
import {inFlags} from '../flagNames.ts';
import {redisUrl, writeLine} from '../scaleOut/flags.ts';
import {loadBullmq, type RunSummary} from '../scaleOut/load.ts';

interface RunsOptions {
  readonly cancel?: string;
  readonly json?: boolean;
}

export function addRunsCommand(program: Command): void {
  const parseRedis = redisUrl('REDIS');
  program
    .command('runs')
    .description('list the runs of a Redis: state, stage, tasks, retries')
    .argument(
      '<REDIS>',
      'redis://host:port, or rediss:// for TLS; password: EPSBALL_REDIS_PASSWORD or its _FILE',
      parseRedis,
    )
    .option('--cancel <NAME>', 'cancel a run: its files stay, and submitting it again continues')
    .option('--json', 'print one JSON object for each run')
    .action((redis: string, options: RunsOptions) => runs(redis, options));
}

async function runs(redis: string, {cancel, json}: RunsOptions): Promise<void> {
  const [{cancelRun, listRuns}, {escapeControls}] = await Promise.all([loadBullmq(), import('@epsball/datasets')]);
  const wait = {onLine: writeLine};
  if (cancel !== undefined) {
    await inFlags({name: '--cancel'}, () => cancelRun(redis, cancel, wait));
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

function formatRun({name, state, stage, done, total, retries, reason}: RunSummary): string {
  const tasks = stage === undefined ? '' : `  ${stage} ${done} of ${total}, ${retries} retries`;
  return `${name}  ${state}${tasks}${reason === undefined ? '' : `  ${reason}`}`;
}
