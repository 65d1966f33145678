import {DBSCAN_PHASES, type DbscanPhase, type EpsUnit, type Metric} from '@epsball/clustering';
import {escapeControls, type LoadedPoints} from '@epsball/datasets';
import type {Backend, DbscanOutcome, DbscanRequest, OptionValue} from '@epsball/dbscan';
import type {AdapterKind} from '@epsball/gpu';
import {groups} from '@epsball/shapes';
import {largestClusters, longitudesOf, type ClusterRow} from './clusterTable.ts';
import {formatClusters} from './formatClusters.ts';
import {describeColumns} from './metricFlags.ts';
import {nameOfInput} from '../options.ts';
import {adapterName, formatCount, formatMs, formatPercent, formatTable} from '../text.ts';

type PhaseTimes = Partial<Record<DbscanPhase, number>>;

/** The object that `epsball cluster --json` prints on one line. */
export interface ClusterReport {
  input: string;
  points: number;
  dim: number;
  precision: 'float32' | 'float64';
  /** Names of the columns that were clustered; null if the input has no columns. */
  columns: string[] | null;
  /** In the unit of the coordinates, or `epsUnit`. */
  eps: number;
  /** Null without the metric haversine. */
  epsUnit: EpsUnit | null;
  metric: Metric;
  /** Whether points have weights. */
  weighted: boolean;
  minPts: number;
  clusters: number;
  noise: number;
  core: number;
  /** The ten largest clusters. */
  largest: ClusterRow[];
  algorithm: string;
  backend: Backend;
  /** The variant's own options, defaults included. */
  options: Record<string, OptionValue>;
  /** Null without a GPU. */
  adapter: {name: string; kind: AdapterKind; vendor: string; architecture: string} | null;
  /** Why `--backend auto` chose the backend; null if the caller chose it. */
  reason: string | null;
  /** Better choices of `--backend auto` that could not run, and why. */
  fallback: {algorithm: string; backend: Backend; reason: string}[];
  ms: {
    /** Reading the input file. */
    read: number;
    /** The run, transfers included. */
    wall: number;
    phases: PhaseTimes;
    /** All kernels; null without a GPU or if the adapter has no timestamps. */
    device: number | null;
    devicePhases: PhaseTimes | null;
  };
  deviceBytes: number | null;
  counters: Record<string, number>;
  /** References that the labels were compared with and equal; empty without --verify. */
  verified: string[];
  out: string | null;
  plot: string | null;
  /** File of the model. */
  model: string | null;
}

export interface ClusterRun {
  readonly input: string;
  readonly points: LoadedPoints;
  readonly request: DbscanRequest;
  readonly outcome: DbscanOutcome;
  readonly readMs: number;
  readonly verified: readonly string[];
  readonly out: string | undefined;
  readonly plot: string | undefined;
  readonly model: string | undefined;
}

export function reportOf(run: ClusterRun): ClusterReport {
  const {input, points, request, outcome, readMs, verified, out, plot, model} = run;
  const {labels, coreMask, clusterCount, algorithm, backend, options, adapter, reason, fallback = [], stats} = outcome;
  const grouped = groups(labels);
  return {
    input,
    points: labels.length,
    dim: points.dim,
    precision: points.coords instanceof Float32Array ? 'float32' : 'float64',
    columns: points.columns === undefined ? null : [...points.columns],
    eps: request.eps,
    epsUnit: request.epsUnit ?? null,
    metric: request.metric ?? 'euclidean',
    weighted: request.sampleWeight !== undefined,
    minPts: request.minPts,
    clusters: clusterCount,
    noise: grouped.noise.length,
    core: sumOf(coreMask),
    largest: largestClusters(points, grouped, longitudesOf(points, request)),
    algorithm,
    backend,
    options: {...options},
    adapter:
      adapter === undefined
        ? null
        : {
            name: adapterName(adapter),
            kind: adapter.kind,
            vendor: adapter.vendor,
            architecture: adapter.architecture,
          },
    reason: reason ?? null,
    fallback: [...fallback],
    ms: {
      read: readMs,
      wall: stats.wallMs,
      phases: stats.phaseMs,
      device: stats.deviceMs ?? null,
      devicePhases: stats.devicePhaseMs ?? null,
    },
    deviceBytes: stats.deviceBytes ?? null,
    counters: {...stats.counters},
    verified: [...verified],
    out: out ?? null,
    plot: plot ?? null,
    model: model ?? null,
  };
}

function sumOf(flags: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < flags.length; i++) sum += flags[i];
  return sum;
}

/** The summary for people. */
export function formatReport(report: ClusterReport, warning?: string): string {
  const {points, dim, ms, adapter, deviceBytes} = report;
  const rows = [
    ['points', `${formatCount(points)} × ${dim} ${report.precision} (${escapeControls(nameOfInput(report.input))})`],
    ...(report.columns === null ? [] : [['columns', escapeControls(describeColumns(report.columns, report.metric))]]),
    ['parameters', parametersOf(report)],
    ['clusters', formatCount(report.clusters)],
    ...formatClusters(report.largest, report.precision),
    ['noise', `${formatCount(report.noise)} (${share(report.noise, points)})`],
    ...(warning === undefined ? [] : [['warning', `${warning}; "epsball suggest" proposes eps`]]),
    ['core', `${formatCount(report.core)} (${share(report.core, points)})`],
    ['algorithm', report.algorithm],
    ['backend', report.backend],
    ...formatOptions(report.options),
    ['adapter', adapter === null ? 'none' : `${adapter.name} (${adapter.kind})`],
    ...(report.reason === null ? [] : [['chosen', report.reason]]),
    ...report.fallback.map(({backend, reason}) => [`not on ${backend}`, reason]),
  ];
  if (deviceBytes !== null) rows.push(['device memory', `${(deviceBytes / 2 ** 20).toFixed(1)} MiB`]);
  const device = ms.device === null ? '' : ` (${formatMs(ms.device)} on the device)`;
  rows.push(['time', `${formatMs(ms.wall)}${device}; reading the file took ${formatMs(ms.read)}`]);
  for (const phase of DBSCAN_PHASES) {
    const wall = ms.phases[phase];
    const onDevice = ms.devicePhases?.[phase];
    if (wall === undefined && onDevice === undefined) continue;
    const parts = [
      ...(wall === undefined ? [] : [formatMs(wall)]),
      ...(onDevice === undefined ? [] : [`${formatMs(onDevice)} on the device`]),
    ];
    rows.push([`  ${phase}`, parts.join(', ')]);
  }
  if (report.out !== null) rows.push(['labels', escapeControls(report.out)]);
  if (report.plot !== null) rows.push(['plot', escapeControls(report.plot)]);
  if (report.model !== null) rows.push(['model', escapeControls(report.model)]);
  const verified = report.verified.map((reference) => `verified: labels equal ${reference}\n`).join('');
  return formatTable(rows) + verified;
}

function parametersOf({eps, epsUnit, metric, weighted, minPts}: ClusterReport): string {
  const words = [`eps ${eps}${epsUnit ?? ''}`, `minPts ${minPts}`];
  if (metric !== 'euclidean') words.push(`metric ${metric}`);
  if (weighted) words.push('weights');
  return words.join(', ');
}

/** One row; no row for a variant without options. */
function formatOptions(options: ClusterReport['options']): string[][] {
  const words = Object.entries(options).map(([name, value]) => `${name} ${value}`);
  return words.length === 0 ? [] : [['options', words.join(', ')]];
}

/** A part of the points in percent; a dash without points. */
function share(part: number, whole: number): string {
  return whole === 0 ? '–' : formatPercent(part / whole);
}
