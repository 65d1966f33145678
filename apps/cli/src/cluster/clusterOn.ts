import type {LoadedPoints} from '@epsball/datasets';
import {pointCount, type NamedPoints} from '@epsball/clustering';
import {
  createDbscan,
  prepareRun,
  type CreateDbscanOptions,
  type DbscanExplanation,
  type DbscanOutcome,
  type DbscanRequest,
  type VariantOptionValues,
} from '@epsball/dbscan';
import {setTimeout} from 'node:timers/promises';
import {jsonLine} from '../escape.ts';
import type {BackendFlags, MetricFlags, OutputFlags, PointFlags, Radius} from '../flags.ts';
import {inputFiles} from '../inputFiles.ts';
import {checkOutputs, printSummary} from '../options.ts';
import {countNoise} from '../text.ts';
import {checkChoice, checkVerifiable} from './checkChoice.ts';
import {createGpusRunner} from './gpusRunner.ts';
import {createGroupRunner, type Runner} from './groups.ts';
import {requestOf} from './metricFlags.ts';
import {checkRows} from './explained.ts';
import {whileWriting, withProgress} from './progressBar.ts';
import {checkDrop, completeInput, inRows, pointsOfRows} from './missingRows.ts';
import {onThread} from '../thread/onThread.ts';
import {verifyOutcome} from './verify.ts';
import {writeOutputs} from './writeOutputs.ts';
import type * as assignJob from './assignJob.ts';
import type * as explainJob from './explainJob.ts';

export interface ClusterOptions extends PointFlags, MetricFlags, BackendFlags, OutputFlags {
  readonly eps: Radius;
  readonly minPts: number;
  /** In the unit of the times; seconds for timestamps. */
  readonly epsTime?: number;
  readonly collapse?: boolean;
  readonly algorithm: string;
  /** GPUs of this host, or `all`. */
  readonly gpus?: number | 'all';
  readonly index?: string;
  /** `--option name=value`, by name. */
  readonly option?: VariantOptionValues;
  readonly saveModel?: string;
  /** The bound, or true for none. */
  readonly assignNoise?: Radius | true;
  /** Rows from 0. */
  readonly explain?: readonly number[];
}

/** Enough to begin a read. */
const HEAD_START_MS = 2;

export async function clusterFile(input: string, options: ClusterOptions, signal: AbortSignal): Promise<void> {
  const {out, plot, saveModel, algorithm, backend, threads, adapter, index, option} = options;
  checkChoice(options);
  checkDrop(options.missing, {'--out': out});
  await checkOutputs({'--out': out, '--plot': plot, '--save-model': saveModel}, await inputFiles(input, options.sql));
  if (plot !== undefined) await import('../plot/writePlot.ts').then(({checkPlots}) => checkPlots(plot));
  const chosen = index === undefined ? option : {...option, index};
  // A driver's first calls block this thread for 150 ms, so the file is opened before.
  const choice = {algorithm, backend, threads, adapter, options: chosen};
  const opening = setTimeout(HEAD_START_MS).then(() => createRunner(choice, options));
  const failed = new AbortController();
  opening.catch((error: unknown) => failed.abort(error));
  try {
    await clusterOn(opening, input, options, {signal, readSignal: AbortSignal.any([signal, failed.signal])});
  } finally {
    await opening.then(
      (dbscan) => dbscan.destroy(),
      () => undefined,
    );
  }
}

function createRunner(
  choice: CreateDbscanOptions & Pick<BackendFlags, 'adapter'>,
  options: ClusterOptions,
): Runner | Promise<Runner> {
  const {by, gpus} = options;
  if (gpus !== undefined) return createGpusRunner(gpus, options);
  return by === undefined ? createDbscan({...choice, oneShot: true}) : createGroupRunner(choice);
}

/**
 * Reads, clusters, writes and reports. The device may be on its way.
 *
 * @param readSignal  fires if `signal` does, or the device cannot be opened
 */
async function clusterOn(
  opening: Promise<Runner>,
  input: string,
  options: ClusterOptions,
  {signal, readSignal}: {readonly signal: AbortSignal; readonly readSignal: AbortSignal},
): Promise<void> {
  const readAt = performance.now();
  const {out} = options;
  const warming = options.metric === 'euclidean' ? warmUpFor(input, opening, options) : undefined;
  const [{formatReport, reportOf}, {nameFile, readInput, warnOfColumns}] = await Promise.all([
    import('./clusterReport.ts'),
    import('./readInput.ts'),
  ]);
  const read = await readInput(input, options, readSignal);
  const {points, missing} = await nameFile(input, () => completeInput(read, options));
  const dbscan = await opening;
  const request = requestOf(options, points);
  const readMs = performance.now() - readAt;
  await warming;
  signal.throwIfAborted();
  await warnOfColumns(points, options);
  if (options.verify === true) checkVerifiable(options, points);
  const rows = pointsOfRows(options.explain, missing);
  checkRows(rows, pointCount(points));
  // The labels may stay in memory of the device: the instance lives until they are written.
  const outcome = await withProgress('cluster', (onProgress) =>
    nameFile(input, () => dbscan.run(points, request, {signal, onProgress, labels: 'borrowed'})),
  );
  const verified = options.verify === true ? await verify(points, request, outcome, signal) : [];
  signal.throwIfAborted();
  const labels = await withoutNoise(points, request, outcome, options.assignNoise, signal);
  const clustered = {points, request, labels, coreMask: outcome.coreMask, missing, kept: read.kept};
  await whileWriting([out], (onProgress) => writeOutputs(input, options, clustered, {signal, onProgress}));
  signal.throwIfAborted();
  const explained =
    rows === undefined ? [] : inRows(await explainRows(points, request, outcome, rows, signal), missing);
  const assigned = options.assignNoise === undefined ? null : countNoise(outcome.labels) - countNoise(labels);
  const ran = {input, points, request, outcome: {...outcome, labels}, readMs, verified, missing, flags: options};
  const report = reportOf({...ran, explained, assigned});
  printSummary(options.json === true ? jsonLine(report) : await formatReport(report), out);
}

/** The labels that are written: of the run, or with noise in the clusters of the nearest core points. */
async function withoutNoise(
  points: LoadedPoints,
  request: DbscanRequest,
  outcome: DbscanOutcome,
  within: Radius | true | undefined,
  signal: AbortSignal,
): Promise<Int32Array> {
  if (within === undefined) return outcome.labels;
  const job = {...jobOf(points, request, outcome), within: within === true ? undefined : within.value};
  const {labels} = await withProgress('assign', (onProgress) =>
    onThread<typeof assignJob>('../cluster/assignJob', job, {signal, onProgress}),
  );
  return labels;
}

function explainRows(
  points: LoadedPoints,
  request: DbscanRequest,
  outcome: DbscanOutcome,
  rows: readonly number[],
  signal: AbortSignal,
): Promise<DbscanExplanation[]> {
  const job = {...jobOf(points, request, outcome), rows};
  return withProgress('explain', (onProgress) =>
    onThread<typeof explainJob>('../cluster/explainJob', job, {signal, onProgress}),
  );
}

/** What a thread needs of a clustering. */
function jobOf(
  {coords, dim, columns}: LoadedPoints,
  request: DbscanRequest,
  {labels, coreMask}: DbscanOutcome,
): {points: NamedPoints; request: DbscanRequest; result: Pick<DbscanOutcome, 'labels' | 'coreMask'>} {
  return {points: {coords, dim, ...(columns && {columns})}, request, result: {labels, coreMask}};
}

/** Opens threads and pipelines while the file is read, if the file says how many points it has. */
async function warmUpFor(input: string, opening: Promise<Runner>, {dim, precision}: PointFlags): Promise<void> {
  if (!input.toLowerCase().endsWith('.npy')) return;
  const {readPoints} = await import('@epsball/datasets');
  try {
    const described = await readPoints(input, {dim, precision, rows: []});
    const dbscan = await opening;
    await dbscan.warmUp(described.rowCount ?? 0, described.dim);
  } catch {
    // The reader and the run report their errors.
  }
}

/** The references that the labels equal. */
async function verify(
  points: LoadedPoints,
  request: DbscanRequest,
  outcome: DbscanOutcome,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const prepared = prepareRun(points, request, {});
  const ran = {...prepared, keys: points.groups?.of};
  return withProgress('verify', (onProgress) => verifyOutcome(ran, outcome, signal, onProgress));
}
