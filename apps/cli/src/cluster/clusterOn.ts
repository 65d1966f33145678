import {throwIfAborted} from '@epsball/clustering';
import type {LoadedPoints} from '@epsball/datasets';
import type {Dbscan, DbscanOutcome, DbscanRequest} from '@epsball/dbscan';
import {jsonLine} from '../escape.ts';
import {STANDARD_INPUT} from '../options.ts';
import {nameFile} from '../nameFile.ts';
import type {ClusterOptions} from './clusterOptions.ts';
import type {ClusterReport} from './clusterReport.ts';
import {csvFormatOf} from './csvFlags.ts';
import {columnsOf, pointsInOrder, requestOf, WITH_COLUMNS} from './metricFlags.ts';
import {createProgressBar} from './progressBar.ts';
import {readWhileOpening} from './readWhileOpening.ts';
import {warmUpFor} from './warmUp.ts';
import {writeOutputs} from './writeOutputs.ts';

/** Reads, clusters, writes and reports. The device may be on its way. */
export async function clusterOn(
  opening: Promise<Dbscan>,
  input: string,
  options: ClusterOptions,
  signal: AbortSignal,
): Promise<void> {
  const readAt = performance.now();
  const {dataset, dim, precision, weightColumn, out, plot, saveModel: model} = options;
  const hasNames = input === STANDARD_INPUT || WITH_COLUMNS.test(input);
  const columns = columnsOf(options, hasNames);
  const warming = options.metric === 'euclidean' ? warmUpFor(input, opening, {dim, precision}) : undefined;
  const [{reportOf}, {readInput}] = await Promise.all([import('./clusterReport.ts'), import('./readInput.ts')]);
  const loaded = await readWhileOpening(opening, signal, (readSignal) =>
    readInput(input, {columns, weightColumn, dataset, dim, precision, ...csvFormatOf(options), signal: readSignal}),
  );
  const points = pointsInOrder(loaded, options, hasNames);
  const request = {...requestOf(options, points), collapse: options.collapse};
  const readMs = performance.now() - readAt;
  const dbscan = await opening;
  await warming;
  throwIfAborted(signal, 'read');
  // Columns that the user chose need no warning.
  if (columns === undefined) await warnOfColumns(points);
  if (options.verify === true) {
    const {checkVerifiable} = await import('./checkChoice.ts');
    checkVerifiable(options, points);
  }
  const bar = createProgressBar();
  // The labels may stay in memory of the device: the instance lives until they are written.
  const running = dbscan.run(points, request, {signal, onProgress: bar.update, labels: 'borrowed'});
  const outcome = await nameFile(input, () => running).finally(bar.clear);
  const verified = options.verify === true ? await verify(points, request, outcome, signal) : [];
  throwIfAborted(signal, 'write');
  await writeOutputs(input, options, {points, request, labels: outcome.labels, coreMask: outcome.coreMask}, signal);
  throwIfAborted(signal, 'write');
  const report = reportOf({input, points, request, outcome, readMs, verified, out, plot, model});
  await printReport(report, options.json === true);
}

/** The references that the labels equal. */
async function verify(
  points: LoadedPoints,
  request: DbscanRequest,
  outcome: DbscanOutcome,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const [{verifyOutcome}, {prepareRun}] = await Promise.all([import('./verify.ts'), import('@epsball/dbscan')]);
  const prepared = prepareRun(points, request, {});
  const bar = createProgressBar();
  return verifyOutcome(prepared.points, prepared.params, outcome, signal, bar.update).finally(bar.clear);
}

async function printReport(report: ClusterReport, isJson: boolean): Promise<void> {
  const {formatReport} = await import('./clusterReport.ts');
  process.stdout.write(isJson ? jsonLine(report) : formatReport(report, await warningOfResult(report)));
}

/** A warning of a result without clusters, or of one cluster of all points. */
async function warningOfResult({clusters, noise, points}: ClusterReport): Promise<string | undefined> {
  if (points < 2 || clusters > 1 || (clusters === 1 && noise > 0)) return undefined;
  const {warningOf} = await import('@epsball/dbscan/suggest');
  return warningOf({clusters, noise});
}

/** Warns of columns that are hardly coordinates. */
export async function warnOfColumns(points: LoadedPoints): Promise<void> {
  const {columns} = points;
  if (columns === undefined) return;
  const [{describeSuspects, findSuspectColumns}, {escapeControls}] = await Promise.all([
    import('./suspectColumns.ts'),
    import('@epsball/datasets'),
  ]);
  const line = describeSuspects(findSuspectColumns(points, columns), columns);
  if (line !== '') process.stderr.write(`epsball: warning: ${escapeControls(line)}\n`);
}
