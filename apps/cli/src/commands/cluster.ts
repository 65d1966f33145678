import {InvalidPointsError, throwIfAborted, type DbscanParams} from '@epsball/clustering';
import type {LoadedPoints} from '@epsball/datasets';
import {BACKENDS, type Backend} from '@epsball/dbscan';
import {ADAPTER_CHOICES, ADAPTER_VARIABLE, type AdapterChoice} from '@epsball/gpu';
import type {Command} from 'commander';
import {createProgressBar} from '../cluster/progressBar.ts';
import {collectOption, flagsOfOptions, chosenOptions, type TypedOptions} from '../cluster/variantOptions.ts';
import {UsageError} from '../errors.ts';
import {jsonLine} from '../escape.ts';
import {inFlags} from '../flagNames.ts';
import {abortOnInterrupt} from '../interrupt.ts';
import {
  nameOfInput,
  names,
  oneOf,
  outputFile,
  positiveInteger,
  positiveNumber,
  refuseInput,
  required,
} from '../options.ts';

const BACKEND_CHOICES: readonly (Backend | 'auto')[] = ['auto', ...BACKENDS];
const LABEL_FORMATS = ['.npy', '.csv', '.json', '.parquet'];
const PLOT_FORMATS = ['.svg', '.png'];
const PRECISIONS = ['source', 'float32', 'float64'] as const;

interface ClusterOptions extends TypedOptions {
  readonly eps?: number;
  readonly minPts?: number;
  readonly algorithm: string;
  readonly backend: Backend | 'auto';
  readonly threads?: number;
  readonly adapter: AdapterChoice;
  readonly columns?: readonly string[];
  readonly dataset?: string;
  readonly dim?: number;
  readonly precision: (typeof PRECISIONS)[number];
  readonly out?: string;
  readonly plot?: string;
  readonly json?: boolean;
  readonly verify?: boolean;
}

export function addClusterCommand(program: Command): void {
  program
    .command('cluster')
    .description('cluster the points of a file with DBSCAN')
    .argument('<INPUT>', 'file of points: .npy, .csv, .parquet, .h5, .f32, .f64 …; - reads CSV from standard input')
    .option('--eps <E>', 'radius of the closed neighbourhood, > 0', positiveNumber('--eps'))
    .option(
      '--min-pts <M>',
      'least number of points within eps of a core point, itself included',
      positiveInteger('--min-pts'),
    )
    .option('--algorithm <ID>', 'variant (see "epsball list algorithms"), or auto', 'auto')
    .option('--backend <WHERE>', BACKEND_CHOICES.join('|'), oneOf('--backend', BACKEND_CHOICES), 'auto')
    .option('--threads <T>', 'worker threads, for variants that have them', positiveInteger('--threads'))
    .option('--index <INDEX>', 'index of the neighbour search, for variants with a choice')
    .option('--option <NAME=VALUE>', 'another option of the variant (see "epsball list algorithms")', collectOption)
    .option('--adapter <KIND>', 'auto|hardware|software; hardware and software imply the GPU', adapterChoice, 'auto')
    .option('--columns <a,b>', 'columns of a table, by name or position', names('--columns'))
    .option('--dataset <NAME>', 'dataset inside an HDF5 file')
    .option('--dim <D>', 'coordinates per point, for files without a shape', positiveInteger('--dim'))
    .option(
      '--precision <P>',
      `${PRECISIONS.join('|')}: precision of the coordinates`,
      oneOf('--precision', PRECISIONS),
      'source',
    )
    .option('--out <FILE>', `labels: ${LABEL_FORMATS.join('|')}`, outputFile('--out', LABEL_FORMATS))
    .option('--plot <FILE>', `scatter plot: ${PLOT_FORMATS.join('|')}`, outputFile('--plot', PLOT_FORMATS))
    .option('--json', 'print one JSON object instead of the summary')
    .option('--verify', 'compare the labels with another variant and, for small data, with the definition')
    .action((input: string, options: ClusterOptions) =>
      abortOnInterrupt((signal) => inFlags(flagsOf(options), () => cluster(input, options, signal))),
    );
}

/** Flags by parameter of the libraries. */
function flagsOf({adapter, ...typed}: ClusterOptions): Record<string, string> {
  const parameters = ['eps', 'algorithm', 'backend', 'threads', 'columns', 'dataset', 'dim', 'precision'];
  const flags = Object.fromEntries(parameters.map((name) => [name, `--${name}`]));
  return {
    ...flagsOfOptions(typed),
    ...flags,
    minPts: '--min-pts',
    adapter: adapter === 'auto' ? ADAPTER_VARIABLE : '--adapter',
  };
}

/** Takes the kinds of software adapter as well: `system-software`, `bundled`. */
function adapterChoice(text: string): AdapterChoice {
  return oneOf('--adapter', ADAPTER_CHOICES)(text);
}

async function cluster(input: string, options: ClusterOptions, signal: AbortSignal): Promise<void> {
  const params: DbscanParams = {
    eps: required('--eps', options.eps, 'a finite number > 0'),
    minPts: required('--min-pts', options.minPts, 'an integer ≥ 1'),
  };
  const {out, plot, algorithm, backend, threads, adapter} = options;
  if (input === '') throw new UsageError('INPUT', input, 'a file of points');
  refuseInput('--out', out, input);
  refuseInput('--plot', plot, input);
  const [{createDbscan}, {checkChoice, checkVerifiable}, {readInput}, {checkWritable}] = await Promise.all([
    import('@epsball/dbscan'),
    import('../cluster/checkChoice.ts'),
    import('../cluster/readInput.ts'),
    import('@epsball/datasets'),
  ]);
  checkChoice(options);
  // Before the file is read, which may take minutes.
  for (const file of [out, plot]) if (file !== undefined) await checkWritable(file);
  const dbscan = await createDbscan({algorithm, backend, threads, adapter, options: chosenOptions(options)});
  try {
    const readAt = performance.now();
    const {columns, dataset, dim, precision} = options;
    const points = await readInput(input, {columns, dataset, dim, precision, signal});
    const readMs = performance.now() - readAt;
    throwIfAborted(signal, 'read');
    // Columns that the user chose need no warning.
    if (columns === undefined) await warnOfColumns(points);
    if (options.verify === true) checkVerifiable(options, points);
    const bar = createProgressBar();
    const running = dbscan.run(points, params, {signal, onProgress: bar.update});
    const outcome = await nameFile(input, running).finally(bar.clear);
    const verified: string[] = [];
    if (options.verify === true) {
      const {verifyOutcome} = await import('../cluster/verify.ts');
      verified.push(...(await verifyOutcome(points, params, outcome, signal, bar.update).finally(bar.clear)));
    }
    throwIfAborted(signal, 'write');
    await writeFiles(input, options, {points, params, labels: outcome.labels, coreMask: outcome.coreMask}, signal);
    throwIfAborted(signal, 'write');
    const {formatReport, reportOf} = await import('../cluster/clusterReport.ts');
    const report = reportOf({input, points, params, outcome, readMs, verified, out, plot});
    process.stdout.write(options.json === true ? jsonLine(report) : formatReport(report));
  } finally {
    dbscan.destroy();
  }
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

interface Clustered {
  readonly points: LoadedPoints;
  readonly params: DbscanParams;
  readonly labels: Int32Array;
  readonly coreMask: Uint8Array;
}

async function writeFiles(
  input: string,
  {out, plot}: ClusterOptions,
  {points, params, labels, coreMask}: Clustered,
  signal: AbortSignal,
): Promise<void> {
  if (out !== undefined) {
    const {writeLabels} = await import('@epsball/datasets');
    await writeLabels(out, labels, coreMask, {signal});
  }
  if (plot !== undefined) {
    const {writePlot} = await import('../plot/writePlot.ts');
    await writePlot(plot, points, labels, {input: nameOfInput(input), params, columns: points.columns}, signal);
  }
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
