import {EARTH_RADIUS, throwIfAborted, type Angles, type Metric} from '@epsball/clustering';
import type {LoadedPoints} from '@epsball/datasets';
import type {Backend} from '@epsball/dbscan';
import type {AdapterChoice} from '@epsball/gpu';
import type {HdbscanRan, HdbscanRequest, HdbscanResult} from '@epsball/hdbscan';
import {basename} from 'node:path';
import {orderOf} from '../cluster/metricFlags.ts';
import {createProgressBar} from '../cluster/progressBar.ts';
import {FailureError, UsageError} from '../errors.ts';
import {jsonLine} from '../escape.ts';
import {nameOfInput, outputFile} from '../options.ts';
import {checkOutputs} from '../outputs.ts';
import {nameFile} from '../nameFile.ts';
import type {Distances} from './distanceScale.ts';
import {paramsOf, type HdbscanFlags} from './hdbscanFlags.ts';
import {HDBSCAN_ID} from './hdbscanId.ts';

/** The options of `epsball cluster --algorithm hdbscan`. */
export interface HierarchyOptions extends HdbscanFlags {
  readonly metric: Metric;
  readonly angles?: Angles;
  readonly backend: Backend | 'auto';
  readonly threads?: number;
  readonly adapter: AdapterChoice;
  readonly out?: string;
  readonly plot?: string;
  readonly json?: boolean;
  readonly verify?: boolean;
}

type Outcome = HdbscanResult & HdbscanRan;

const LABEL_FORMATS = ['.npy', '.csv', '.tsv', '.json', '.parquet'];

/**
 * Clusters a file by HDBSCAN*.
 *
 * @param read    reads the file, after the flags have been checked
 * @param others  flags that DBSCAN has and HDBSCAN* lacks, with their values
 */
export async function clusterHierarchy(
  input: string,
  options: HierarchyOptions,
  {
    read,
    others,
    signal,
  }: {
    readonly read: () => Promise<LoadedPoints>;
    readonly others: Readonly<Record<string, string | undefined>>;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  for (const [flag, value] of Object.entries(others)) {
    if (value !== undefined) throw new UsageError(flag, value, `another algorithm than ${HDBSCAN_ID}`);
  }
  const params = {...paramsOf(options), ...metricOf(options)};
  if (options.out !== undefined) outputFile('--out', LABEL_FORMATS)(options.out);
  const files = {'--out': options.out, '--plot': options.plot, '--tree': options.tree};
  checkBackend(options);
  const {createHdbscan} = await import('@epsball/hdbscan');
  await checkOutputs(files, [input]);
  await checkPlots([options.plot, options.tree]);
  const {backend, threads, adapter} = options;
  const hdbscan = await createHdbscan({backend: threads === undefined ? backend : 'workers', threads, adapter});
  try {
    const readAt = performance.now();
    const points = await read();
    const readMs = performance.now() - readAt;
    throwIfAborted(signal, 'read');
    const bar = createProgressBar();
    const run = hdbscan.run(points, params, {signal, onProgress: bar.update});
    const outcome = await nameFile(input, () => run).finally(bar.clear);
    const verified = options.verify === true ? await verify(points, params, outcome, signal) : [];
    throwIfAborted(signal, 'write');
    await writeFiles(input, options, {points, params, outcome}, signal);
    throwIfAborted(signal, 'write');
    const {formatHierarchyReport, hierarchyReportOf} = await import('./hierarchyReport.ts');
    const report = hierarchyReportOf({input, points, params, outcome, readMs, verified, files: options});
    process.stdout.write(options.json === true ? jsonLine(report) : formatHierarchyReport(report));
  } finally {
    hdbscan.destroy();
  }
}

/** Checks that pictures can be rendered. */
async function checkPlots(files: readonly (string | undefined)[]): Promise<void> {
  const {checkPlot} = await import('../plot/writePlot.ts');
  for (const file of files) if (file !== undefined) await checkPlot(file);
}

/** The metric. On a globe distances are in kilometres. */
function metricOf({metric, angles}: HierarchyOptions): Pick<HdbscanRequest, 'metric' | 'angles' | 'epsUnit'> {
  return metric === 'haversine' ? {metric, angles: angles ?? 'degrees', epsUnit: 'km'} : {metric};
}

/** Refuses flags that would be ignored. */
function checkBackend({backend, threads, adapter}: HierarchyOptions): void {
  if (threads !== undefined && backend !== 'auto' && backend !== 'workers') {
    throw new UsageError('--threads', threads.toString(), `--backend workers or auto beside it, not ${backend}`);
  }
  if (adapter !== 'auto' && backend !== 'auto' && backend !== 'gpu') {
    throw new UsageError('--adapter', adapter, `--backend gpu or auto beside it, not ${backend}`);
  }
  if (threads !== undefined && adapter !== 'auto') {
    throw new UsageError('--threads', threads.toString(), 'no --adapter beside it: the GPU takes no threads');
  }
}

/** Runs another backend and compares every number. */
async function verify(
  points: LoadedPoints,
  params: HdbscanRequest,
  outcome: Outcome,
  signal: AbortSignal,
): Promise<string[]> {
  const {createHdbscan} = await import('@epsball/hdbscan');
  const backend = outcome.backend === 'sequential' ? 'workers' : 'sequential';
  const reference = await createHdbscan({backend});
  try {
    const expected = await reference.run(points, params, {signal});
    for (const name of ['labels', 'probabilities', 'outlierScores'] as const) {
      const at = outcome[name].findIndex((value: number, i: number) => !Object.is(value, expected[name][i]));
      if (at < 0) continue;
      const why = `expected ${expected[name][at]} as on the backend ${backend}`;
      throw new FailureError(`--verify: ${name} of point ${at} = ${outcome[name][at]}; ${why}`);
    }
    return [`the backend ${backend}`];
  } finally {
    reference.destroy();
  }
}

interface Hierarchy {
  readonly points: LoadedPoints;
  readonly params: HdbscanRequest;
  readonly outcome: Outcome;
}

async function writeFiles(
  input: string,
  {out, plot, tree}: HierarchyOptions,
  {points, params, outcome}: Hierarchy,
  signal: AbortSignal,
): Promise<void> {
  const {labels, probabilities, outlierScores} = outcome;
  const {escapeControls, writeContent, writeLabels} = await import('@epsball/datasets');
  if (out !== undefined) {
    const columns = {probability: probabilities, outlier_score: outlierScores};
    await writeLabels(out, labels, undefined, {signal, columns});
  }
  if (plot === undefined && tree === undefined) return;
  const note = noteOf(params);
  const {isPng, svgToPng, writePlot} = await import('../plot/writePlot.ts');
  if (plot !== undefined) {
    const {columns} = points;
    const context = {input: nameOfInput(input), note, columns, order: orderOf(columns, params.metric)};
    await writePlot(plot, points, labels, context, signal);
  }
  if (tree === undefined) return;
  const {renderIcicle} = await import('./icicle.ts');
  const svg = renderIcicle(outcome.condensedTree, labels, {
    title: `Condensed tree of ${escapeControls(basename(nameOfInput(input)))}`,
    subtitle: `${labels.length.toLocaleString('en-US')} points · ${outcome.clusterCount} selected · ${note}`,
    theme: isPng(tree) ? 'light' : 'auto',
    distances: distancesOf(params),
  });
  const content = isPng(tree) ? await svgToPng(svg) : svg;
  await writeContent(tree, content, signal);
}

/** Distances of the metric. The tree has those of unit vectors. */
function distancesOf({metric}: HdbscanRequest): Distances | undefined {
  if (metric === 'haversine') {
    const of = (squared: number): number => 2e-3 * EARTH_RADIUS * Math.asin(Math.min(1, Math.sqrt(squared) / 2));
    return {name: 'distance in km', of};
  }
  return metric === 'cosine' ? {name: 'cosine distance', of: (squared) => squared / 2} : undefined;
}

function noteOf({minClusterSize, minSamples = minClusterSize, metric = 'euclidean'}: HdbscanRequest): string {
  const words = `minClusterSize ${minClusterSize}, minSamples ${minSamples}`;
  return metric === 'euclidean' ? words : `${words}, ${metric}`;
}
