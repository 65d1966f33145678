import {
  HDBSCAN_PHASES,
  type HdbscanPhase,
  type HdbscanRan,
  type HdbscanRequest,
  type HdbscanResult,
} from '@epsball/hdbscan';
import {formatRunReport, runReportOf, type EndedRun, type RunReport} from '../cluster/runReport.ts';
import {formatCount} from '../text.ts';
import {inHdbscanFlags} from './hdbscanFlags.ts';

/** The object that `epsball hdbscan --json` prints on one line. */
export interface HierarchyReport extends RunReport<HdbscanPhase> {
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
  /** What may surprise, each with the flag that changes it. */
  warnings: string[];
  tree: string | null;
}

export function hierarchyReportOf(
  run: EndedRun<HdbscanRequest & {readonly minClusterSize: number}, HdbscanResult & HdbscanRan> & {
    readonly tree?: string | undefined;
  },
): HierarchyReport {
  const {request, outcome, tree} = run;
  const {minClusterSize, minSamples = minClusterSize} = request;
  return {
    ...runReportOf(run, 'hdbscan'),
    minClusterSize,
    minSamples,
    countSelf: request.countSelf ?? true,
    selection: request.selection ?? 'eom',
    selectionEps: request.clusterSelectionEpsilon ?? null,
    maxClusterSize: request.maxClusterSize ?? null,
    allowSingleCluster: request.allowSingleCluster ?? false,
    duplicates: request.duplicates ?? 'count',
    warnings: outcome.warnings.map(inHdbscanFlags),
    tree: tree ?? null,
  };
}

export function formatHierarchyReport(report: HierarchyReport): string {
  const {minClusterSize, minSamples, selection, selectionEps, maxClusterSize, metric, tree} = report;
  const treeClusters = report.counters['clusters'];
  return formatRunReport(report, HDBSCAN_PHASES, {
    parameters: [
      `minClusterSize ${minClusterSize}`,
      `minSamples ${minSamples}`,
      `selection ${selection}`,
      ...(selectionEps === null ? [] : [`selectionEps ${selectionEps}`]),
      ...(maxClusterSize === null ? [] : [`maxClusterSize ${maxClusterSize}`]),
      ...(report.allowSingleCluster ? ['allowSingleCluster'] : []),
      ...(report.duplicates === 'once' ? ['duplicates once'] : []),
      ...(metric === 'euclidean' ? [] : [`metric ${metric}`]),
    ],
    noise: [
      ...report.warnings.map((warning) => ['warning', warning]),
      ['condensed tree', `${formatCount(treeClusters)} ${treeClusters === 1 ? 'cluster' : 'clusters'}`],
    ],
    files: {tree},
    verified: 'all numbers',
  });
}
