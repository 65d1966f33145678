import type {Metric} from '@epsball/clustering';
import {escapeControls, type LoadedPoints} from '@epsball/datasets';
import {
  HDBSCAN_PHASES,
  type Fallback,
  type HdbscanRequest,
  type HdbscanRan,
  type HdbscanResult,
} from '@epsball/hdbscan';
import {describeColumns} from '../cluster/metricFlags.ts';
import {nameOfInput} from '../options.ts';
import {adapterName, formatCount, formatMs, formatPercent, formatTable} from '../text.ts';
import {inHdbscanFlags} from './hdbscanFlags.ts';
import {HDBSCAN_ID} from './hdbscanId.ts';

/** The object that `epsball cluster --algorithm hdbscan --json` prints on one line. */
export interface HierarchyReport {
  input: string;
  points: number;
  dim: number;
  precision: 'float32' | 'float64';
  columns: string[] | null;
  metric: Metric;
  minClusterSize: number;
  minSamples: number;
  countSelf: boolean;
  selection: 'eom' | 'leaf';
  /** In the unit of the metric; null if absent. */
  selectionEps: number | null;
  /** Null if absent. */
  maxClusterSize: number | null;
  allowSingleCluster: boolean;
  duplicates: 'count' | 'once';
  clusters: number;
  noise: number;
  algorithm: typeof HDBSCAN_ID;
  backend: string;
  /** Null without a GPU. */
  adapter: {name: string; kind: string} | null;
  /** Better choices of `--backend auto` that could not run, and why. */
  fallback: Fallback[];
  /** What may surprise, each with the flag that changes it. */
  warnings: string[];
  ms: {
    read: number;
    wall: number;
    phases: Partial<Record<string, number>>;
    device: number | null;
  };
  deviceBytes: number | null;
  counters: Record<string, number>;
  verified: string[];
  out: string | null;
  plot: string | null;
  tree: string | null;
}

interface HierarchyRun {
  readonly input: string;
  readonly points: LoadedPoints;
  readonly params: HdbscanRequest & {readonly minClusterSize: number};
  readonly outcome: HdbscanResult & HdbscanRan;
  readonly readMs: number;
  readonly verified: readonly string[];
  readonly files: {
    readonly out?: string | undefined;
    readonly plot?: string | undefined;
    readonly tree?: string | undefined;
  };
}

export function hierarchyReportOf(run: HierarchyRun): HierarchyReport {
  const {input, points, params, outcome, readMs, verified, files} = run;
  const {labels, clusterCount, backend, adapter, fallback = [], warnings, stats} = outcome;
  return {
    input,
    points: labels.length,
    dim: points.dim,
    precision: points.coords instanceof Float32Array ? 'float32' : 'float64',
    columns: points.columns === undefined ? null : [...points.columns],
    metric: params.metric ?? 'euclidean',
    minClusterSize: params.minClusterSize,
    minSamples: params.minSamples ?? params.minClusterSize,
    countSelf: params.countSelf ?? true,
    selection: params.selection ?? 'eom',
    selectionEps: params.clusterSelectionEpsilon ?? null,
    maxClusterSize: params.maxClusterSize ?? null,
    allowSingleCluster: params.allowSingleCluster ?? false,
    duplicates: params.duplicates ?? 'count',
    clusters: clusterCount,
    noise: labels.reduce((count, label) => count + (label < 0 ? 1 : 0), 0),
    algorithm: HDBSCAN_ID,
    backend,
    adapter: adapter === undefined ? null : {name: adapterName(adapter), kind: adapter.kind},
    fallback: [...fallback],
    warnings: warnings.map(inHdbscanFlags),
    ms: {read: readMs, wall: stats.wallMs, phases: stats.phaseMs, device: stats.deviceMs ?? null},
    deviceBytes: stats.deviceBytes ?? null,
    counters: {...stats.counters},
    verified: [...verified],
    out: files.out ?? null,
    plot: files.plot ?? null,
    tree: files.tree ?? null,
  };
}

/** The summary for people. */
export function formatHierarchyReport(report: HierarchyReport): string {
  const {points, dim, ms, adapter, deviceBytes} = report;
  const treeClusters = report.counters['clusters'];
  const noise = points === 0 ? '–' : formatPercent(report.noise / points);
  const rows = [
    ['points', `${formatCount(points)} × ${dim} ${report.precision} (${escapeControls(nameOfInput(report.input))})`],
    ...(report.columns === null ? [] : [['columns', escapeControls(describeColumns(report.columns, report.metric))]]),
    ['parameters', parametersOf(report)],
    ...(report.metric === 'euclidean' ? [] : [['metric', report.metric]]),
    ['clusters', formatCount(report.clusters)],
    ['noise', `${formatCount(report.noise)} (${noise})`],
    ...report.warnings.map((warning) => ['warning', warning]),
    ['condensed tree', `${formatCount(treeClusters)} ${treeClusters === 1 ? 'cluster' : 'clusters'}`],
    ['algorithm', report.algorithm],
    ['backend', report.backend],
    ['adapter', adapter === null ? 'none' : `${adapter.name} (${adapter.kind})`],
    ...report.fallback.map(({backend, reason}) => [`not on ${backend}`, reason]),
  ];
  if (deviceBytes !== null) rows.push(['device memory', `${(deviceBytes / 2 ** 20).toFixed(1)} MiB`]);
  const device = ms.device === null ? '' : ` (${formatMs(ms.device)} on the device)`;
  rows.push(['time', `${formatMs(ms.wall)}${device}; reading the file took ${formatMs(ms.read)}`]);
  for (const phase of HDBSCAN_PHASES) {
    const wall = ms.phases[phase];
    if (wall !== undefined) rows.push([`  ${phase}`, formatMs(wall)]);
  }
  for (const [name, file] of [
    ['labels', report.out],
    ['plot', report.plot],
    ['tree', report.tree],
  ]) {
    if (name !== null && file !== null) rows.push([name, escapeControls(file)]);
  }
  const verified = report.verified.map((reference) => `verified: all numbers equal ${reference}\n`).join('');
  return formatTable(rows) + verified;
}

function parametersOf(report: HierarchyReport): string {
  const {minClusterSize, minSamples, selection, selectionEps, maxClusterSize, allowSingleCluster, duplicates} = report;
  const words = [`minClusterSize ${minClusterSize}`, `minSamples ${minSamples}`, `selection ${selection}`];
  if (selectionEps !== null) words.push(`selectionEps ${selectionEps}`);
  if (maxClusterSize !== null) words.push(`maxClusterSize ${maxClusterSize}`);
  if (allowSingleCluster) words.push('allowSingleCluster');
  if (duplicates === 'once') words.push('duplicates once');
  return words.join(', ');
}
