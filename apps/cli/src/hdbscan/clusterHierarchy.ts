import {metricDistance, pointCount, type ProgressListener} from '@epsball/clustering';
import {escapeControls, type LoadedPoints} from '@epsball/datasets';
import {
  assignNoise,
  createHdbscan,
  explain,
  groupBy,
  memberships,
  type HdbscanGroups,
  type HdbscanRan,
  type HdbscanRequest,
  type HdbscanResult,
} from '@epsball/hdbscan';
import {basename} from 'node:path';
import {checkRows} from '../cluster/explained.ts';
import {orderOf} from '../cluster/metricFlags.ts';
import {whileWriting, withProgress} from '../cluster/progressBar.ts';
import {
  checkDrop,
  completeInput,
  inRows,
  labelsOfRows,
  pointsOfRows,
  type MissingRows,
} from '../cluster/missingRows.ts';
import {nameFile, readInput, warnOfColumns} from '../cluster/readInput.ts';
import {FailureError} from '../errors.ts';
import {countNoise} from '../text.ts';
import {jsonLine} from '../escape.ts';
import {inputFiles} from '../inputFiles.ts';
import {writeLabelTable, type LabelTable} from '../keep/writeLabelTable.ts';
import {checkOutputs, nameOfInput, printSummary} from '../options.ts';
import {checkPlots, writePlot, writeSvg} from '../plot/writePlot.ts';
import type {Distances} from './distanceScale.ts';
import type {HdbscanFlags} from './hdbscanFlags.ts';
import {formatHierarchyReport, hierarchyReportOf} from './hierarchyReport.ts';

/** A result of all points at once, or of each group alone. */
type Outcome = (HdbscanResult & HdbscanRan) | HdbscanGroups<number>;

export async function clusterHierarchy(input: string, flags: HdbscanFlags, signal: AbortSignal): Promise<void> {
  const {backend, threads, adapter, out, plot, tree, reachability, saveModel} = flags;
  const outputs = {'--out': out, '--plot': plot, '--tree': tree, '--reachability': reachability};
  const inputs = await inputFiles(input, flags.sql);
  await checkOutputs({...outputs, '--save-model': saveModel, '--memberships': flags.memberships}, inputs);
  checkDrop(flags.missing, {'--out': out, '--memberships': flags.memberships});
  await checkPlots(plot, tree, reachability);
  const choice = {backend: threads === undefined ? backend : 'workers', threads, adapter} as const;
  const hdbscan = flags.by === undefined ? await createHdbscan(choice) : undefined;
  try {
    const readAt = performance.now();
    const read = await readInput(input, flags, signal);
    const {points, missing} = await nameFile(input, () => completeInput(read, flags));
    const rows = pointsOfRows(flags.explain, missing);
    await warnOfColumns(points, flags);
    checkRows(rows, pointCount(points));
    const request = requestOf(flags, points);
    const readMs = performance.now() - readAt;
    signal.throwIfAborted();
    const outcome = await withProgress('cluster', (onProgress) =>
      nameFile<Outcome>(
        input,
        () =>
          hdbscan?.run(points, request, {signal, onProgress}) ??
          groupBy(points, points.groups?.of ?? [], {...request, ...choice, signal, onProgress}),
      ),
    );
    const verified = flags.verify === true ? await verify(points, request, outcome, signal) : [];
    signal.throwIfAborted();
    const labels = await withoutNoise(points, request, outcome, flags.assignNoise, signal);
    const written = rows === undefined ? flags : {...flags, explain: rows};
    const clustered = {points, request, outcome, labels, missing, kept: read.kept};
    await whileWriting([out, flags.memberships], (onProgress) =>
      writeFiles(input, written, clustered, {signal, onProgress}),
    );
    signal.throwIfAborted();
    const whole = 'hierarchy' in outcome ? outcome : undefined;
    const explained = whole && rows ? inRows(explain(points, request, whole, rows), missing) : [];
    const assigned = flags.assignNoise === undefined ? null : countNoise(outcome.labels) - countNoise(labels);
    const ran = {input, points, request, outcome: {...outcome, labels}, readMs, verified, missing, flags};
    const report = hierarchyReportOf({...ran, explained, assigned});
    printSummary(flags.json === true ? jsonLine(report) : formatHierarchyReport(report), out, flags.memberships);
  } finally {
    hdbscan?.destroy();
  }
}

/** The parameters of the run. On a globe distances are in kilometres. */
function requestOf(flags: HdbscanFlags, {weights}: LoadedPoints): HdbscanRequest & {readonly minClusterSize: number} {
  const {metric, angles = 'degrees', minSamples, selection, maxClusterSize, duplicates} = flags;
  return {
    minClusterSize: flags.minClusterSize,
    minSamples,
    countSelf: flags.excludeSelf !== true,
    selection,
    clusterSelectionEpsilon: flags.selectionEps,
    maxClusterSize,
    allowSingleCluster: flags.allowSingleCluster === true,
    duplicates,
    sampleWeight: weights,
    ...(metric === 'haversine' ? {metric, angles, epsUnit: 'km'} : {metric}),
  };
}

/** The labels that are written: of the run, or with noise in the clusters of its largest memberships. */
async function withoutNoise(
  points: LoadedPoints,
  request: HdbscanRequest,
  outcome: Outcome,
  least: number | true | undefined,
  signal: AbortSignal,
): Promise<Int32Array> {
  // Groups have no tree of all points; `--by` refuses the flag.
  if (least === undefined || !('hierarchy' in outcome)) return outcome.labels;
  const within = least === true ? undefined : least;
  return withProgress('assign', (onProgress) => assignNoise(points, request, outcome, {within, signal, onProgress}));
}

/** Runs another backend and compares every number. */
async function verify(
  points: LoadedPoints,
  request: HdbscanRequest,
  outcome: Outcome,
  signal: AbortSignal,
): Promise<string[]> {
  const backend = outcome.backend === 'sequential' ? 'workers' : 'sequential';
  const keys = points.groups?.of;
  const reference = await createHdbscan({backend});
  try {
    const expected = await withProgress<Outcome>('verify', (onProgress) =>
      keys === undefined
        ? reference.run(points, request, {signal, onProgress})
        : groupBy(points, keys, {...request, backend, signal, onProgress}),
    );
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

async function writeFiles(
  input: string,
  flags: HdbscanFlags,
  {
    points,
    request,
    outcome,
    labels,
    missing,
    kept,
  }: {
    readonly points: LoadedPoints;
    readonly request: HdbscanRequest;
    readonly outcome: Outcome;
    readonly labels: Int32Array;
    readonly missing: MissingRows | undefined;
    readonly kept: LabelTable['kept'];
  },
  run: {readonly signal: AbortSignal; readonly onProgress: ProgressListener},
): Promise<void> {
  const {signal} = run;
  const {out, plot, saveModel} = flags;
  const {probabilities, outlierScores} = outcome;
  if (out !== undefined) {
    const columns = {probability: probabilities, outlier_score: outlierScores};
    await writeLabelTable(out, {...labelsOfRows({labels, columns}, missing), kept}, run);
  }
  const whole = 'hierarchy' in outcome ? outcome : undefined;
  if (saveModel !== undefined && whole !== undefined) {
    const [{createModel}, {writeModel}] = await Promise.all([
      import('@epsball/predict'),
      import('../cluster/writeOutputs.ts'),
    ]);
    await writeModel(saveModel, createModel(points, request, whole), run);
  }
  if (flags.memberships !== undefined && whole !== undefined) {
    const {writeMemberships} = await import('./writeMemberships.ts');
    const {top} = flags;
    const found = await memberships(points, request, whole, {top, ...run});
    await writeMemberships(flags.memberships, found, {...whole, rows: missing?.rows, n: missing?.n}, run);
  }
  const note = noteOf(request);
  if (plot !== undefined) {
    const {columns} = points;
    const {metric, angles} = request;
    const context = {input: nameOfInput(input), note, columns, order: orderOf(columns, metric), angles};
    await writePlot(plot, points, labels, context, run);
  }
  if (whole === undefined) return;
  const drawn = {outcome: whole, note, distances: distancesOf(request), weights: request.sampleWeight};
  await drawHierarchy(input, flags, drawn, signal);
}

/** The condensed tree and the reachability plot. */
async function drawHierarchy(
  input: string,
  {tree: treeFile, reachability: plotFile, explain: rows}: HdbscanFlags,
  {
    outcome,
    note,
    distances,
    weights,
  }: {
    readonly outcome: HdbscanResult;
    readonly note: string;
    readonly distances: Distances | undefined;
    readonly weights: ArrayLike<number> | undefined;
  },
  signal: AbortSignal,
): Promise<void> {
  const {labels, clusterCount, condensedTree: tree, hierarchy} = outcome;
  const name = escapeControls(basename(nameOfInput(input)));
  const subtitle = `${labels.length.toLocaleString('en-US')} points · ${clusterCount} selected · ${note}`;
  if (treeFile !== undefined) {
    const {renderIcicle} = await import('./icicle.ts');
    const page = {title: `Condensed tree of ${name}`, subtitle, distances, rows, weights};
    await writeSvg(treeFile, (theme) => renderIcicle(tree, labels, {...page, theme}), signal);
  }
  if (plotFile === undefined) return;
  const {renderReachability} = await import('./reachabilityPlot.ts');
  const page = {title: `Reachability of ${name}`, subtitle, distances};
  const plot = hierarchy.reachability();
  await writeSvg(plotFile, (theme) => renderReachability(plot, tree, labels, {...page, theme}), signal);
}

/** Distances of the metric. The tree has those of unit vectors. */
function distancesOf({metric}: HdbscanRequest): Distances | undefined {
  if (metric !== 'haversine' && metric !== 'cosine') return undefined;
  const of = (squared: number): number => metricDistance(Math.sqrt(squared), {metric, epsUnit: 'km'});
  return {name: metric === 'haversine' ? 'distance in km' : 'cosine distance', of};
}

function noteOf({minClusterSize, minSamples = minClusterSize, metric = 'euclidean'}: HdbscanRequest): string {
  const words = `minClusterSize ${minClusterSize}, minSamples ${minSamples}`;
  return metric === 'euclidean' ? words : `${words}, ${metric}`;
}
