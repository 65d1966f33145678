import {DBSCAN_PHASES, type DbscanPhase, type EpsUnit} from '@epsball/clustering';
import type {DbscanExplanation, DbscanOutcome, DbscanRequest, OptionValue} from '@epsball/dbscan';
import {groups} from '@epsball/shapes';
import {explanationOf, type ExplainedRow} from './explained.ts';
import {largestClusters, longitudesOf, type ClusterRow} from './clusterTable.ts';
import {formatClusters} from './formatClusters.ts';
import {nulled} from '../text.ts';
import {formatRunReport, runReportOf, share, type EndedRun, type RunReport} from './runReport.ts';

/** The object that `epsball cluster --json` prints on one line. */
export interface ClusterReport extends RunReport<DbscanPhase> {
  /** In the unit of the coordinates, or `epsUnit`. */
  eps: number;
  /** Null without the metric haversine. */
  epsUnit: EpsUnit | null;
  /** Whether points have weights. */
  weighted: boolean;
  /** In the unit of the times, seconds for timestamps; null without times. */
  epsTime: number | null;
  minPts: number;
  core: number;
  /** The ten largest clusters. */
  largest: ClusterRow[];
  /** The variant's own options, defaults included. */
  options: Record<string, OptionValue>;
  /** Why `--backend auto` chose the backend; null if the caller chose it. */
  reason: string | null;
  /** File of the model. */
  model: string | null;
  /** Noise that `--assign-noise` gave a cluster, which `noise` no longer counts; null without it. */
  assigned: number | null;
  /** Of the rows of `--explain`. */
  explained: ExplainedRow[];
}

export function reportOf(
  run: EndedRun<DbscanRequest, DbscanOutcome, {readonly saveModel?: string}> & {
    readonly explained: readonly DbscanExplanation[];
    readonly assigned: number | null;
  },
): ClusterReport {
  const {points, request, outcome, flags, explained, assigned} = run;
  const {labels, coreMask, algorithm, options, reason} = outcome;
  return {
    ...runReportOf(run, algorithm),
    eps: request.eps,
    epsUnit: request.epsUnit ?? null,
    weighted: request.sampleWeight !== undefined,
    epsTime: request.epsTime ?? null,
    minPts: request.minPts,
    core: sumOf(coreMask),
    largest: largestClusters(points, groups(labels), longitudesOf(points, request)),
    options: {...options},
    reason: reason ?? null,
    model: flags.saveModel ?? null,
    assigned,
    explained: explained.map((row) => nulled(row, ['coreEps', 'labelEps', 'clusterEps'])),
  };
}

function sumOf(flags: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < flags.length; i++) sum += flags[i];
  return sum;
}

export async function formatReport(report: ClusterReport): Promise<string> {
  const {points, eps, epsUnit, epsTime, minPts, metric, weighted, options, reason, model} = report;
  const warning = await warningOfResult(report);
  const chosen = Object.entries(options).map(([name, value]) => `${name} ${value}`);
  return formatRunReport(report, DBSCAN_PHASES, {
    parameters: [
      `eps ${eps}${epsUnit ?? ''}`,
      ...(epsTime === null ? [] : [`epsTime ${epsTime}`]),
      `minPts ${minPts}`,
      ...(metric === 'euclidean' ? [] : [`metric ${metric}`]),
      ...(weighted ? ['weights'] : []),
    ],
    clusters: formatClusters(report.largest, report.precision),
    noise: [
      ...(warning === undefined ? [] : [['warning', `${warning}; "epsball suggest" proposes eps`]]),
      ...(report.assigned === null ? [] : [['assigned', share(report.assigned, points)]]),
      ['core', share(report.core, points)],
      ...report.explained.map((row) => [`row ${row.row}`, explanationOf(row, report)]),
    ],
    backend: chosen.length === 0 ? [] : [['options', chosen.join(', ')]],
    adapter: reason === null ? [] : [['chosen', reason]],
    files: {model},
    verified: 'labels',
  });
}

async function warningOfResult({clusters, noise, assigned, points}: ClusterReport): Promise<string | undefined> {
  const all = noise + (assigned ?? 0);
  if (points < 2 || clusters > 1 || (clusters === 1 && all > 0)) return undefined;
  const {warningOf} = await import('@epsball/dbscan/suggest');
  return warningOf({clusters, noise: all});
}
