import {BACKENDS, type Backend} from '@epsball/dbscan';
import {ADAPTER_CHOICES, ADAPTER_VARIABLE, type AdapterChoice} from '@epsball/gpu/adapter-choice';
import type {Command} from 'commander';
import {setTimeout} from 'node:timers/promises';
import {clusterOn, warnOfColumns} from '../cluster/clusterOn.ts';
import {addCsvFlags, csvFormatOf} from '../cluster/csvFlags.ts';
import {PRECISIONS, type ClusterOptions} from '../cluster/clusterOptions.ts';
import {
  ANGLE_CHOICES,
  checkMetric,
  columnsOf,
  METRIC_CHOICES,
  pointsInOrder,
  radius,
  WITH_COLUMNS,
} from '../cluster/metricFlags.ts';
import {collectOption, flagsOfOptions, chosenOptions} from '../cluster/variantOptions.ts';
import {UsageError} from '../errors.ts';
import {inFlags} from '../flagNames.ts';
import {addHdbscanFlags, HDBSCAN_FLAGS, refuseHdbscanFlags} from '../hdbscan/hdbscanFlags.ts';
import {HDBSCAN_ID} from '../hdbscan/hdbscanId.ts';
import {memorySize, redisUrl} from '../scaleOut/flags.ts';
import {flagNeedingWork, ORDERS, refuseWithoutWork} from '../scaleOut/options.ts';
import {abortOnInterrupt} from '../interrupt.ts';
import {checkOutputs} from '../outputs.ts';
import {names, oneOf, outputFile, positiveInteger, required, STANDARD_INPUT} from '../options.ts';

const BACKEND_CHOICES: readonly (Backend | 'auto')[] = ['auto', ...BACKENDS];
const LABEL_FORMATS = ['.npy', '.csv', '.json', '.parquet', '.geojson'];

/** Enough to begin a read. */
const HEAD_START_MS = 2;
const PLOT_FORMATS = ['.svg', '.png'];

export function addClusterCommand(program: Command): void {
  const command = program
    .command('cluster')
    .description('cluster the points of a file with DBSCAN or HDBSCAN*')
    .argument(
      '<INPUT>',
      'file of points: .npy, .csv, .parquet, .geojson, .h5, .f32, .f64 …; - reads CSV from standard input',
    )
    .option('--eps <E>', 'radius of the closed neighbourhood, > 0; 20km, m, mi or rad with haversine', radius('--eps'))
    .option(
      '--min-pts <M>',
      'least number of points within eps of a core point, itself included',
      positiveInteger('--min-pts'),
    )
    .option('--metric <M>', METRIC_CHOICES.join('|'), oneOf('--metric', METRIC_CHOICES), 'euclidean')
    .option(
      '--angles <A>',
      'unit of latitudes and longitudes: degrees (default) or radians',
      oneOf('--angles', ANGLE_CHOICES),
    )
    .option('--weight-column <w>', 'column, or property of GeoJSON, with weights of the points')
    .option('--collapse', 'one weighted point for equal points during the run; the labels stay the same')
    .option('--algorithm <ID>', `variant of DBSCAN (see "epsball list algorithms"), ${HDBSCAN_ID}, or auto`, 'auto')
    .option('--backend <WHERE>', BACKEND_CHOICES.join('|'), oneOf('--backend', BACKEND_CHOICES), 'auto')
    .option('--threads <T>', 'worker threads, for variants that have them', positiveInteger('--threads'))
    .option('--index <INDEX>', 'index of the neighbour search, for variants with a choice')
    .option('--option <NAME=VALUE>', 'another option of the variant (see "epsball list algorithms")', collectOption)
    .option('--adapter <KIND>', 'auto|hardware|software; hardware and software imply the GPU', adapterChoice, 'auto')
    .option('--columns <a,b>', 'columns of a table, by name or position; LAT,LON with haversine', names('--columns'))
    .option('--dataset <NAME>', 'dataset inside an HDF5 file')
    .option('--dim <D>', 'coordinates per point, for files without a shape', positiveInteger('--dim'))
    .option(
      '--precision <P>',
      `${PRECISIONS.join('|')}: precision of the coordinates`,
      oneOf('--precision', PRECISIONS),
      'source',
    )
    .option('--out <FILE>', `labels: ${LABEL_FORMATS.join('|')}; with --work .npy, or a folder of Parquet files`)
    .option('--plot <FILE>', `scatter plot: ${PLOT_FORMATS.join('|')}`, outputFile('--plot', PLOT_FORMATS))
    .option('--save-model <FILE>', 'model for "epsball predict": .arrow', outputFile('--save-model', ['.arrow']))
    .option('--work <DIR>', 'out of core: files of the run go to this folder, or to s3://bucket/prefix')
    .option('--memory <SIZE>', 'with --work: memory for data, such as 512MB. Default: 4GB', memorySize('--memory'))
    .option('--concurrency <N>', 'with --work: tasks at a time. Default: processors', positiveInteger('--concurrency'))
    .option('--run <NAME>', 'with --work: name of the run; a run of this name continues')
    .option('--scale-out <URL>', 'with --work: submit to the workers of this Redis', redisUrl('--scale-out'))
    .option('--workers <N>', 'with --scale-out: workers that share the run. Default: 1', positiveInteger('--workers'))
    .option('--order <O>', 'with --work: labels by rows of the input, or by tile: input|tile', oneOf('--order', ORDERS))
    .option('--json', 'print one JSON object instead of the summary')
    .option('--verify', 'compare the labels with another variant and, for small data, with the definition')
    .action((input: string, options: ClusterOptions) =>
      abortOnInterrupt((signal) => inFlags(flagsOf(options), () => clusterBy(input, options, signal))),
    );
  addCsvFlags(command);
  addHdbscanFlags(command);
}

/** Clusters by the family of the algorithm. */
async function clusterBy(input: string, options: ClusterOptions, signal: AbortSignal): Promise<void> {
  if (options.algorithm !== HDBSCAN_ID) {
    refuseHdbscanFlags(options);
    return cluster(input, options, signal);
  }
  const outOfCore = options.work === undefined ? flagNeedingWork(options) : '--work';
  if (outOfCore !== undefined) throw new UsageError('--algorithm', HDBSCAN_ID, `DBSCAN with ${outOfCore}`);
  const {eps, minPts, index, option, weightColumn, dataset, dim, precision} = options;
  checkMetric(options);
  const {clusterHierarchy} = await import('../hdbscan/clusterHierarchy.ts');
  await clusterHierarchy(input, options, {
    others: {
      '--eps': eps?.text,
      '--min-pts': minPts?.toString(),
      '--index': index,
      '--option': option === undefined ? undefined : Object.keys(option).join(' '),
      '--weight-column': weightColumn,
      '--save-model': options.saveModel,
      '--collapse': options.collapse === true ? '' : undefined,
    },
    read: async () => {
      const {readInput} = await import('../cluster/readInput.ts');
      const hasNames = input === STANDARD_INPUT || WITH_COLUMNS.test(input);
      const columns = columnsOf(options, hasNames);
      const loaded = await readInput(input, {columns, dataset, dim, precision, ...csvFormatOf(options), signal});
      const points = pointsInOrder(loaded, options, hasNames);
      if (columns === undefined) await warnOfColumns(points);
      return points;
    },
    signal,
  });
}

/** Flags by parameter of the libraries. */
function flagsOf({adapter, ...typed}: ClusterOptions): Record<string, string> {
  const parameters = [
    'eps',
    'metric',
    'angles',
    'algorithm',
    'backend',
    'threads',
    'columns',
    'delimiter',
    'decimal',
    'dataset',
    'dim',
    'precision',
    'work',
    'memory',
    'order',
  ];
  const flags = Object.fromEntries(parameters.map((name) => [name, `--${name}`]));
  return {
    ...flagsOfOptions(typed),
    ...HDBSCAN_FLAGS,
    ...flags,
    minPts: '--min-pts',
    weightColumn: '--weight-column',
    sampleWeight: '--weight-column',
    epsUnit: '--eps',
    input: 'INPUT',
    name: '--run',
    adapter: adapter === 'auto' ? ADAPTER_VARIABLE : '--adapter',
  };
}

/** Takes the kinds of software adapter as well: `system-software`, `bundled`. */
function adapterChoice(text: string): AdapterChoice {
  return oneOf('--adapter', ADAPTER_CHOICES)(text);
}

async function cluster(input: string, options: ClusterOptions, signal: AbortSignal): Promise<void> {
  const {value: eps} = required('--eps', options.eps, 'a finite number > 0');
  const minPts = required('--min-pts', options.minPts, 'an integer ≥ 1');
  checkMetric(options);
  const {out, plot, saveModel, algorithm, backend, threads, adapter} = options;
  if (input === '') throw new UsageError('INPUT', input, 'a file of points');
  if (refuseWithoutWork(options)) {
    const {clusterOutOfCore} = await import('../scaleOut/clusterOutOfCore.ts');
    return clusterOutOfCore(input, {eps, minPts}, options, signal);
  }
  if (out !== undefined) outputFile('--out', LABEL_FORMATS)(out);
  const [{createDbscan}, {checkChoice}] = await Promise.all([
    import('@epsball/dbscan'),
    import('../cluster/checkChoice.ts'),
  ]);
  checkChoice(options);
  await checkOutputs({'--out': out, '--plot': plot, '--save-model': saveModel}, [input]);
  if (plot !== undefined) await import('../plot/writePlot.ts').then(({checkPlot}) => checkPlot(plot));
  // A driver's first calls block this thread for 150 ms, so the file is opened before.
  const opening = setTimeout(HEAD_START_MS).then(() =>
    createDbscan({algorithm, backend, threads, adapter, options: chosenOptions(options), oneShot: true}),
  );
  // It may fail before the read waits for it.
  opening.catch(() => undefined);
  try {
    await clusterOn(opening, input, options, signal);
  } finally {
    await opening.then(
      (dbscan) => dbscan.destroy(),
      () => undefined,
    );
  }
}
