import type {Metric} from '@epsball/clustering';
import {escapeControls, type LoadedPoints} from '@epsball/datasets';
import type {Backend, DbscanOutcome, Fallback} from '@epsball/dbscan';
import type {AdapterKind} from '@epsball/gpu';
import type {HdbscanRan, HdbscanResult} from '@epsball/hdbscan';
import type {OutputFlags, PointFlags} from '../flags.ts';
import {nameOfInput} from '../options.ts';
import {groupRowsOf, type GroupRow, type MaybeGrouped} from './groups.ts';
import {missingReportOf, type MissingReport, type MissingRows} from './missingRows.ts';
import {adapterName, countNoise, formatCount, formatMs, formatPercent, formatTable} from '../text.ts';
import {describeLeft, leftOf} from './leftColumns.ts';
import {describeColumns} from './metricFlags.ts';

/** What the reports of `cluster` and `hdbscan` have in common. */
export interface RunReport<Phase extends string> {
  input: string;
  /** Those that were clustered. */
  points: number;
  /** Rows of the file that were not clustered; null if there are none. */
  missing: MissingReport | null;
  dim: number;
  precision: 'float32' | 'float64';
  /** Names of the columns that were clustered; null if the input has no columns. */
  columns: string[] | null;
  /** Columns that names or values tell to leave out, and why; null if `--columns` chose or there are none. */
  left: {name: string; why: string}[] | null;
  metric: Metric;
  /** The column of `--by`; null without it. */
  by: string | null;
  /** In the order of their first points; null without `--by`. */
  groups: GroupRow[] | null;
  clusters: number;
  noise: number;
  algorithm: string;
  backend: Backend;
  /** Null without a GPU. */
  adapter: {name: string; kind: AdapterKind; vendor: string; architecture: string} | null;
  /** Better choices of `--backend auto` that could not run, and why. */
  fallback: {algorithm: string; backend: Backend; reason: string}[];
  ms: {
    /** Reading the input file. */
    read: number;
    /** The run, transfers included. */
    wall: number;
    phases: Partial<Record<Phase, number>>;
    /** All kernels; null without a GPU or if the adapter has no timestamps. */
    device: number | null;
    devicePhases: Partial<Record<Phase, number>> | null;
  };
  deviceBytes: number | null;
  counters: Record<string, number>;
  /** References that the labels were compared with and equal; empty without --verify. */
  verified: string[];
  out: string | null;
  plot: string | null;
}

export interface EndedRun<Request, Result, Flags = object> {
  readonly input: string;
  readonly points: LoadedPoints;
  readonly request: Request;
  readonly outcome: Result;
  readonly readMs: number;
  readonly verified: readonly string[];
  readonly missing?: MissingRows | undefined;
  readonly flags: Pick<PointFlags, 'by'> & Pick<OutputFlags, 'out' | 'plot'> & Flags;
}

type Outcome = (DbscanOutcome | (Pick<HdbscanResult, 'labels' | 'clusterCount' | 'stats'> & HdbscanRan)) &
  MaybeGrouped & {readonly fallback?: readonly Fallback[]};

/** @param algorithm  its id */
export function runReportOf(
  run: EndedRun<{readonly metric?: Metric | undefined}, Outcome>,
  algorithm: string,
): RunReport<string> {
  const {input, points, request, outcome, readMs, verified, missing, flags} = run;
  const {labels, clusterCount, backend, adapter, fallback = [], stats} = outcome;
  return {
    input,
    points: labels.length,
    missing: missingReportOf(missing),
    dim: points.dim,
    precision: points.coords instanceof Float32Array ? 'float32' : 'float64',
    columns: points.columns === undefined ? null : [...points.columns],
    left: leftOf(points),
    metric: request.metric ?? 'euclidean',
    by: flags.by ?? null,
    groups: groupRowsOf(points, outcome),
    clusters: clusterCount,
    noise: countNoise(labels),
    algorithm,
    backend,
    adapter:
      adapter === undefined
        ? null
        : {
            name: adapterName(adapter),
            kind: adapter.kind,
            vendor: adapter.vendor,
            architecture: adapter.architecture,
          },
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
    out: flags.out ?? null,
    plot: flags.plot ?? null,
  };
}

/** Rows of a summary that a command adds, by the row of `formatRunReport` that they follow. */
interface Details {
  readonly parameters: readonly string[];
  readonly clusters?: readonly string[][];
  readonly noise: readonly string[][];
  readonly backend?: readonly string[][];
  readonly adapter?: readonly string[][];
  /** Files beside labels and plot; null: not written. */
  readonly files: Readonly<Record<string, string | null>>;
  /** What equals the references. */
  readonly verified: string;
}

export function formatRunReport<Phase extends string>(
  report: RunReport<Phase>,
  phases: readonly Phase[],
  details: Details,
): string {
  const {points, dim, columns, ms, adapter, deviceBytes} = report;
  const device = ms.device === null ? '' : ` (${formatMs(ms.device)} on the device)`;
  const files = Object.entries({labels: report.out, plot: report.plot, ...details.files});
  const rows = [
    ['points', `${formatCount(points)} × ${dim} ${report.precision} (${escapeControls(nameOfInput(report.input))})`],
    ...(report.missing === null ? [] : [['missing', describeMissing(report.missing)]]),
    ...(columns === null ? [] : [['columns', escapeControls(describeColumns(columns, report.metric))]]),
    ...(report.left === null ? [] : [['left out', escapeControls(describeLeft(report.left))]]),
    ['parameters', details.parameters.join(', ')],
    ...(report.groups === null
      ? []
      : [['groups', `${formatCount(report.groups.length)} by ${escapeControls(report.by ?? '')}`]]),
    ['clusters', formatCount(report.clusters)],
    ...(details.clusters ?? []),
    ['noise', share(report.noise, points)],
    ...details.noise,
    ['algorithm', report.algorithm],
    ['backend', report.backend],
    ...(details.backend ?? []),
    ['adapter', adapter === null ? 'none' : `${adapter.name} (${adapter.kind})`],
    ...(details.adapter ?? []),
    ...report.fallback.map(({backend, reason}) => [`not on ${backend}`, reason]),
    ...(deviceBytes === null ? [] : [['device memory', `${(deviceBytes / 2 ** 20).toFixed(1)} MiB`]]),
    ['time', `${formatMs(ms.wall)}${device}; reading the file took ${formatMs(ms.read)}`],
    ...phases.flatMap((phase) => {
      const wall = ms.phases[phase];
      const onDevice = ms.devicePhases?.[phase];
      const times = [
        ...(wall === undefined ? [] : [formatMs(wall)]),
        ...(onDevice === undefined ? [] : [`${formatMs(onDevice)} on the device`]),
      ];
      return times.length === 0 ? [] : [[`  ${phase}`, times.join(', ')]];
    }),
    ...files.flatMap(([what, file]) => (file === null ? [] : [[what, escapeControls(file)]])),
  ];
  const verified = report.verified.map((reference) => `verified: ${details.verified} equal ${reference}\n`);
  return formatTable(rows) + verified.join('');
}

function describeMissing({rule, rows}: MissingReport): string {
  const what = rows === 1 ? 'row without a value' : 'rows without a value';
  return `${formatCount(rows)} ${what}: ${rule === 'noise' ? 'noise, beside the points' : 'left out'}`;
}

/** A part of the points, and its percentage; a dash without points. */
export function share(part: number, whole: number): string {
  return `${formatCount(part)} (${whole === 0 ? '–' : formatPercent(part / whole)})`;
}
