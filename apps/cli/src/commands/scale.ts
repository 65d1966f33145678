import {InvalidArgumentError, Option, type Command} from 'commander';
import {extname} from 'node:path';
import {UsageError} from '../errors.ts';
import {addPointFlags, addSqlFlag, BACKENDS, checkGpus, gpuCount} from '../flags.ts';
import {
  choice,
  inputOf,
  outputFile,
  outputFolder,
  positiveInteger,
  positiveNumber,
  required,
  runCommand,
  STANDARD_INPUT,
} from '../options.ts';
import type {ScaleRunFlags} from '../scaleOut/clusterOutOfCore.ts';
import type {RunsFlags, WorkerFlags} from '../scaleOut/redis.ts';

const REDIS = 'redis://host:port, or rediss:// for TLS; password: EPSBALL_REDIS_PASSWORD or its _FILE';

export function addScaleCommand(program: Command): void {
  const scale = program
    .command('scale')
    .description('cluster files that do not fit in memory, on this machine or on many');
  addRun(scale);
  const worker = scale
    .command('worker')
    .description('process the tasks of "epsball scale run --redis" until a signal comes')
    .argument('<REDIS>', REDIS, redisUrl('REDIS'))
    .addOption(choice('--backend <WHERE>', 'Default: what each run says', ['auto', ...BACKENDS]))
    .option('--concurrency <N>', 'tasks at a time, of each GPU with --gpus. Default: 1', positiveInteger)
    .option('--gpus <N>', 'GPUs of this host, or all: a process for each clusters tiles', gpuCount)
    .action((redis: string, flags: WorkerFlags) =>
      runCommand(worker, async (signal) => {
        checkGpus(flags.gpus, {backend: flags.backend ?? 'auto'}, {});
        const {work} = await import('../scaleOut/redis.ts');
        await work(redis, flags, signal);
      }),
    );
  const runs = scale
    .command('runs')
    .description('list the runs of a Redis: state, stage, tasks, retries')
    .argument('<REDIS>', REDIS, redisUrl('REDIS'))
    .option('--cancel <NAME>', 'cancel a run: its files stay, and submitting it again continues')
    .option('--json', 'print one JSON object for each run')
    .action((redis: string, flags: RunsFlags) =>
      runCommand(
        runs,
        async () => {
          const {showRuns} = await import('../scaleOut/redis.ts');
          await showRuns(redis, flags);
        },
        {name: '--cancel'},
      ),
    );
}

function addRun(scale: Command): void {
  const command = scale
    .command('run')
    .description('cluster with DBSCAN out of core; the labels are those of "epsball cluster"')
    .argument('[INPUT]', 'file, pattern or s3://… of Parquet, NPY or CSV; or a file that --sql reads')
    .optionsGroup('DBSCAN:')
    .option('--eps <E>', 'radius of the closed neighbourhood, > 0', positiveNumber)
    .option('--min-pts <M>', 'least number of points within eps of a core point, itself included', positiveInteger);
  addSqlFlag(addPointFlags(command))
    // Of the other commands; refused with the reason.
    .addOption(new Option('--missing <RULE>').hideHelp())
    .optionsGroup('Run:')
    .option('--work <DIR>', 'files of the run go to this folder, or to s3://bucket/prefix')
    .option('--run <NAME>', 'name of the run; a run of this name continues')
    .option('--memory <SIZE>', 'memory for data, such as 512MB. Default: 4GB', memorySize)
    .option('--concurrency <N>', 'tasks at a time. Default: processors', positiveInteger)
    .addOption(choice('--backend <WHERE>', 'where tiles are clustered', ['auto', ...BACKENDS], 'auto'))
    .option('--gpus <N>', 'GPUs of this host, or all: a process for each clusters tiles', gpuCount)
    .option('--threads <T>', 'worker threads, for variants that have them', positiveInteger)
    .option('--algorithm <ID>', 'variant of "epsball list algorithms", or auto', 'auto')
    .option('--redis <URL>', 'submit to the workers of this Redis, and wait', redisUrl('--redis'))
    .option('--workers <N>', 'with --redis: workers that share the run. Default: 1', positiveInteger)
    .optionsGroup('Output:')
    .option('--out <FILE>', 'labels: .npy, or a folder of Parquet files', labels)
    .addOption(choice('--order <O>', 'labels by rows of the input, or by tile. Default: input', ['input', 'tile']))
    .option('--json', 'print one JSON object instead of the summary')
    .action((file: string | undefined, flags: ScaleRunFlags) =>
      runCommand(command, (signal) => run(inputOf(file, flags.sql), flags, signal), {
        name: '--run',
        memoryBytes: '--memory',
      }),
    );
}

async function run(input: string, flags: ScaleRunFlags, signal: AbortSignal): Promise<void> {
  const {out, order, redis, workers} = flags;
  required('--eps', flags.eps, 'a finite number > 0');
  required('--min-pts', flags.minPts, 'an integer ≥ 1');
  required('--work', flags.work, 'a folder, or s3://bucket/prefix');
  checkGpus(flags.gpus, flags, {'--threads': flags.threads, '--redis': redis});
  if (workers !== undefined) required('--redis', redis, 'the URL of a Redis, since --workers is given');
  if (flags.missing !== undefined) {
    throw new UsageError('--missing', flags.missing, 'no rule out of core: rows without a value are left out before');
  }
  if (input === STANDARD_INPUT) throw new UsageError('INPUT', input, 'a file, a pattern or s3://…');
  if (out !== undefined && order === 'tile' && extname(out) !== '') {
    throw new UsageError('--out', out, 'a folder, without an extension, with --order tile');
  }
  const {clusterOutOfCore} = await import('../scaleOut/clusterOutOfCore.ts');
  await clusterOutOfCore(input, flags, signal);
}

/** A parser for commander: a file of labels, or a folder. */
function labels(text: string): string {
  return extname(text) === '' ? outputFolder(text) : outputFile(['.npy'])(text);
}

/** A parser for commander: bytes, such as `4GB` or `512MiB`. */
function memorySize(text: string): number {
  const [, digits, prefix = '', binary] = /^(\d+(?:\.\d+)?)\s*([kmgt]?)(i?)b$/i.exec(text) ?? [];
  const bytes = Number(digits) * (binary === '' ? 1000 : 1024) ** ' kmgt'.indexOf(prefix.toLowerCase() || ' ');
  if (!(bytes >= 64e6)) throw new InvalidArgumentError('at least 64MB, such as 512MB or 4GB');
  return bytes;
}

/** A parser for commander: `redis://…` or `rediss://…`. The message has no password. */
function redisUrl(name: string): (text: string) => string {
  return (text) => {
    if (URL.canParse(text) && /^rediss?:\/\/[^/?#]+(?:\/\d*)?(?:[?#][^@]*)?$/.test(text)) return text;
    // As `redactUrl` of the optional package: a password may contain `@`, and the last one ends it.
    const shown = text.replace(/^([a-z]*:\/\/)?.*@/is, '$1');
    throw new UsageError(name, shown, 'redis://host:port or rediss://host:port, with a password percent-encoded');
  };
}
