import {InvalidArgumentError, Option, type Command} from 'commander';
import type {OptionValue, VariantOptionValues} from '@epsball/dbscan';
import type {ClusterOptions} from '../cluster/clusterOn.ts';
import {codeOf, UsageError} from '../errors.ts';
import {
  addBackendFlags,
  addDatasetFlag,
  addGroupFlag,
  addMissingFlag,
  addMetricFlags,
  addOutputFlags,
  addPointFlags,
  addSqlFlag,
  checkBy,
  checkGpus,
  checkKeep,
  checkMetric,
  gpuCount,
  LABEL_FORMATS,
  radius,
  timeSpan,
} from '../flags.ts';
import {inputOf, outputFile, positiveInteger, required, rowNumbers, runCommand} from '../options.ts';

export function addClusterCommand(program: Command): void {
  const command = program
    .command('cluster')
    .description('cluster the points of a file with DBSCAN')
    .argument(
      '[INPUT]',
      'file of points: .npy, .csv, .parquet, .json, .h5, .f32, .sqlite …, s3://…; - reads CSV from standard input',
    )
    .optionsGroup('DBSCAN:')
    .option('--eps <E>', 'radius of the closed neighbourhood, > 0; 20km, m, mi or rad with haversine', radius)
    .option('--min-pts <M>', 'least number of points within eps of a core point, itself included', positiveInteger);
  addGroupFlag(addMetricFlags(command))
    .option('--weight-column <w>', 'column, or property of GeoJSON, with weights of the points')
    .option('--time-column <t>', 'column, or property, with times: numbers, or timestamps in ISO 8601')
    .option(
      '--eps-time <E>',
      'radius in time, ≥ 0, in the unit of the column; 30min, ms, s, h or d for seconds',
      timeSpan,
    )
    .option('--collapse', 'one weighted point for equal points during the run; the labels stay the same');
  addMissingFlag(addSqlFlag(addDatasetFlag(addPointFlags(command))));
  addBackendFlags(command, new Option('--threads <T>', 'worker threads, for variants that have them'))
    .option('--algorithm <ID>', 'variant of "epsball list algorithms", or auto', algorithm, 'auto')
    .option('--index <INDEX>', 'index of the neighbour search, for variants with a choice')
    .option(
      '--gpus <N>',
      'GPUs of this host, or all: tiles where one is not enough. Needs @epsball/scale-out',
      gpuCount,
    )
    .option('--option <NAME=VALUE>', 'another option of the variant (see "epsball list algorithms")', collectOption);
  addOutputFlags(command, LABEL_FORMATS)
    .option('--save-model <FILE>', 'model for "epsball predict": .arrow', outputFile(['.arrow']))
    .option('--assign-noise [E]', 'give noise the cluster of its nearest core point, within E if it is given', radius)
    .option('--explain <ROWS>', 'why rows, from 0 and with commas between, have their labels', rowNumbers)
    .option('--verify', 'compare the labels with another variant and, for small data, with the definition')
    .action((file: string | undefined, options: ClusterOptions) => {
      const given = Object.keys(options.option ?? {}).map((name) => [name, `--option ${name}`]);
      const names = {
        ...Object.fromEntries(given),
        sampleWeight: '--weight-column',
        time: '--time-column',
        epsTime: '--eps-time',
        groupColumn: '--by',
        epsUnit: '--eps',
      };
      return runCommand(command, (signal) => cluster(inputOf(file, options.sql), options, signal), names);
    });
}

async function cluster(input: string, options: ClusterOptions, signal: AbortSignal): Promise<void> {
  const {eps, minPts, index, option, by, saveModel, assignNoise, explain} = options;
  required('--eps', eps, 'a finite number > 0, or 20km with --metric haversine');
  required('--min-pts', minPts, 'an integer ≥ 1');
  checkMetric(options);
  checkWithin(options);
  checkTime(options);
  checkKeep(options);
  checkBy(by, {'--save-model': saveModel, '--assign-noise': assignNoise, '--explain': explain});
  checkOnGpus(options);
  if (input === '') throw new UsageError('INPUT', input, 'a file of points');
  if (index !== undefined && Object.hasOwn(option ?? {}, 'index')) {
    throw new UsageError('--index', index, 'no --option index beside it');
  }
  const {clusterFile} = await import('../cluster/clusterOn.ts');
  try {
    await clusterFile(input, options, signal);
  } catch (error) {
    if (canTakeTiles(error, options)) error.message += '; --gpus 1 clusters them in tiles';
    throw error;
  }
}

/** Whether the points do not fit the GPU, and the options are those of tiles. */
function canTakeTiles(error: unknown, options: ClusterOptions): error is Error {
  if (codeOf(error) !== 'GPU_LIMIT' || options.gpus !== undefined) return false;
  try {
    checkOnGpus({...options, gpus: 1});
    return true;
  } catch {
    return false;
  }
}

function checkOnGpus(options: ClusterOptions): void {
  const {gpus, metric, threads, index, option, by, weightColumn, timeColumn, collapse} = options;
  checkGpus(gpus, options, {
    [`--metric ${metric}`]: metric === 'euclidean' ? undefined : metric,
    '--threads': threads,
    '--index': index,
    '--option': option,
    '--by': by,
    '--weight-column': weightColumn,
    '--time-column': timeColumn,
    '--collapse': collapse,
  });
}

function checkWithin({assignNoise: within, eps}: ClusterOptions): void {
  if (within === undefined || within === true || within.unit === eps.unit) return;
  throw new UsageError('--assign-noise', within.text, `a number > 0 with the unit of --eps ${eps.text}`);
}

/** @throws UsageError  if one of the two flags is missing, or another flag would not count the times */
function checkTime({timeColumn, epsTime, saveModel, assignNoise}: ClusterOptions): void {
  if (timeColumn === undefined && epsTime === undefined) return;
  required('--time-column', timeColumn, 'the column with the times, since --eps-time is given');
  required('--eps-time', epsTime, 'a number ≥ 0 such as 30min, since --time-column is given');
  const expectation = 'no --time-column beside it: it takes no times';
  if (saveModel !== undefined) throw new UsageError('--save-model', saveModel, expectation);
  if (assignNoise === undefined) return;
  throw new UsageError('--assign-noise', assignNoise === true ? '' : assignNoise.text, expectation);
}

function algorithm(text: string): string {
  if (text === 'hdbscan') throw new InvalidArgumentError('epsball hdbscan INPUT --min-cluster-size N');
  return text;
}

/**
 * A parser for commander: `--option name=value`, which may be repeated. An integer becomes a number, anything else
 * stays text; the variant checks the value.
 */
function collectOption(text: string, before: VariantOptionValues = {}): VariantOptionValues {
  const [, name, word] = /^([A-Za-z]\w*)=(.+)$/.exec(text) ?? [];
  if (name === undefined) throw new InvalidArgumentError('name=value, such as index=none');
  if (Object.hasOwn(before, name)) throw new InvalidArgumentError('each name once');
  const value: OptionValue = /^-?\d+$/.test(word) ? Number(word) : word;
  return {...before, [name]: value};
}
