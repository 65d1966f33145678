import {InvalidPointsError, throwIfAborted} from '@epsball/clustering';
import type {LoadedPoints} from '@epsball/datasets';
import {BACKENDS, type Backend} from '@epsball/dbscan';
import {ADAPTER_CHOICES, ADAPTER_VARIABLE, type AdapterChoice} from '@epsball/gpu';
import type {Command} from 'commander';
import {
  ANGLE_CHOICES,
  checkMetric,
  columnsOf,
  METRIC_CHOICES,
  pointsInOrder,
  radius,
  requestOf,
  WITH_COLUMNS,
  type MetricFlags,
} from '../cluster/metricFlags.ts';
import type {ClusterReport} from '../cluster/clusterReport.ts';
import {createProgressBar} from '../cluster/progressBar.ts';
import {writeOutputs, type OutputFlags} from '../cluster/writeOutputs.ts';
import {warmUpFor} from '../cluster/warmUp.ts';
import {collectOption, flagsOfOptions, chosenOptions, type TypedOptions} from '../cluster/variantOptions.ts';
import {UsageError} from '../errors.ts';
import {jsonLine} from '../escape.ts';
import {inFlags} from '../flagNames.ts';
import {addHdbscanFlags, HDBSCAN_FLAGS, refuseHdbscanFlags, type HdbscanFlags} from '../hdbscan/hdbscanFlags.ts';
import {HDBSCAN_ID} from '../hdbscan/hdbscanId.ts';
import {memorySize, redisUrl} from '../scaleOut/flags.ts';
import {flagNeedingWork, refuseWithoutWork, type OutOfCoreOptions} from '../scaleOut/options.ts';
import {abortOnInterrupt} from '../interrupt.ts';
import {
  nameOfInput,
  names,
  oneOf,
  outputFile,
  positiveInteger,
  refuseInput,
  required,
  STANDARD_INPUT,
} from '../options.ts';

const BACKEND_CHOICES: readonly (Backend | 'auto')[] = ['auto', ...BACKENDS];
const LABEL_FORMATS = ['.npy', '.csv', '.json', '.parquet', '.geojson'];

const PLOT_FORMATS = ['.svg', '.png'];
const PRECISIONS = ['source', 'float32', 'float64'] as const;

interface ClusterOptions extends TypedOptions, MetricFlags, HdbscanFlags, OutOfCoreOptions, OutputFlags {
  readonly algorithm: string;
  readonly backend: Backend | 'auto';
  readonly threads?: number;
  readonly adapter: AdapterChoice;
  readonly dataset?: string;
  readonly dim?: number;
  readonly precision: (typeof PRECISIONS)[number];
  readonly collapse?: boolean;
  readonly json?: boolean;
  readonly verify?: boolean;
}

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
    .option('--json', 'print one JSON object instead of the summary')
    .option('--verify', 'compare the labels with another variant and, for small data, with the definition')
    .action((input: string, options: ClusterOptions) =>
      abortOnInterrupt((signal) => inFlags(flagsOf(options), () => clusterBy(input, options, signal))),
    );
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
      const loaded = await readInput(input, {columns, dataset, dim, precision, signal});
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
    'dataset',
    'dim',
    'precision',
    'work',
    'memory',
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
  refuseInput('--out', out, input);
  refuseInput('--plot', plot, input);
  refuseInput('--save-model', saveModel, input);
  const [{createDbscan, prepareRun}, {checkChoice, checkVerifiable}, {readInput}, {checkWritable}] = await Promise.all([
    import('@epsball/dbscan'),
    import('../cluster/checkChoice.ts'),
    import('../cluster/readInput.ts'),
    import('@epsball/datasets'),
  ]);
  checkChoice(options);
  // Before the file is read, which may take minutes.
  for (const file of [out, plot, saveModel]) if (file !== undefined) await checkWritable(file);
  if (plot !== undefined) await import('../plot/writePlot.ts').then(({checkPlot}) => checkPlot(plot));
  const dbscan = await createDbscan({algorithm, backend, threads, adapter, options: chosenOptions(options)});
  try {
    const readAt = performance.now();
    const {dataset, dim, precision, weightColumn} = options;
    const hasNames = input === STANDARD_INPUT || WITH_COLUMNS.test(input);
    const columns = columnsOf(options, hasNames);
    const warming = options.metric === 'euclidean' ? warmUpFor(input, dbscan, {dim, precision}) : undefined;
    const loaded = await readInput(input, {columns, weightColumn, dataset, dim, precision, signal});
    const points = pointsInOrder(loaded, options, hasNames);
    const request = {...requestOf(options, points), collapse: options.collapse};
    const readMs = performance.now() - readAt;
    await warming;
    throwIfAborted(signal, 'read');
    // Columns that the user chose need no warning.
    if (columns === undefined) await warnOfColumns(points);
    if (options.verify === true) checkVerifiable(options, points);
    const bar = createProgressBar();
    // The labels may stay in memory of the device: the instance lives until they are written.
    const running = dbscan.run(points, request, {signal, onProgress: bar.update, labels: 'borrowed'});
    const outcome = await nameFile(input, running).finally(bar.clear);
    const verified: string[] = [];
    if (options.verify === true) {
      const {verifyOutcome} = await import('../cluster/verify.ts');
      const prepared = prepareRun(points, request, {});
      const {points: mapped, params} = prepared;
      verified.push(...(await verifyOutcome(mapped, params, outcome, signal, bar.update).finally(bar.clear)));
    }
    throwIfAborted(signal, 'write');
    const {labels, coreMask} = outcome;
    // The labels are counted while the system writes them.
    const [report] = await Promise.all([
      import('../cluster/clusterReport.ts').then(({reportOf}) =>
        reportOf({input, points, request, outcome, readMs, verified, out, plot, model: saveModel}),
      ),
      writeOutputs(input, options, {points, request, labels, coreMask}, signal),
    ]);
    throwIfAborted(signal, 'write');
    await printReport(report, options.json === true);
  } finally {
    dbscan.destroy();
  }
}

async function printReport(report: ClusterReport, isJson: boolean): Promise<void> {
  const {formatReport} = await import('../cluster/clusterReport.ts');
  process.stdout.write(isJson ? jsonLine(report) : formatReport(report, await warningOfResult(report)));
}

/** A warning of a result without clusters, or of one cluster of all points. */
async function warningOfResult({clusters, noise, points}: ClusterReport): Promise<string | undefined> {
  if (points < 2 || clusters > 1 || (clusters === 1 && noise > 0)) return undefined;
  const {warningOf} = await import('@epsball/suggest');
  return warningOf({clusters, noise});
}

/** Warns of columns that are hardly coordinates. */
async function warnOfColumns(points: LoadedPoints): Promise<void> {
  const {columns} = points;
  if (columns === undefined) return;
  const [{describeSuspects, findSuspectColumns}, {escapeControls}] = await Promise.all([
    import('../cluster/suspectColumns.ts'),
    import('@epsball/datasets'),
  ]);
  const line = describeSuspects(findSuspectColumns(points, columns), columns);
  if (line !== '') process.stderr.write(`epsball: warning: ${escapeControls(line)}\n`);
}

/** Adds the name of the file to an error about its points. */
async function nameFile<Result>(input: string, run: Promise<Result>): Promise<Result> {
  try {
    return await run;
  } catch (error) {
    if (!(error instanceof InvalidPointsError)) throw error;
    throw new InvalidPointsError(`${nameOfInput(input)}: ${error.message}`, error.index);
  }
}
