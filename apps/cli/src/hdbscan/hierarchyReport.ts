import {
  HDBSCAN_PHASES,
  type HdbscanExplanation,
  type HdbscanGroups,
  type HdbscanPhase,
  type HdbscanRan,
  type HdbscanRequest,
  type HdbscanResult,
} from '@epsball/hdbscan';
import {formatRunReport, runReportOf, share, type EndedRun, type RunReport} from '../cluster/runReport.ts';
import {escapeControls} from '@epsball/datasets';
import {formatCount, nulled, type Nulled} from '../text.ts';
import {inHdbscanFlags, type HdbscanFlags} from './hdbscanFlags.ts';

/** Of many groups, each may have one. */
const WARNINGS_SHOWN = 3;

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
  /** Whether points have weights. */
  weighted: boolean;
  /** Noise that --assign-noise labelled; null without it. `noise` is what is left. */
  assigned: number | null;
  /** What may surprise, each with the flag that changes it. */
  warnings: string[];
  tree: string | null;
  reachability: string | null;
  /** File of the model. */
  model: string | null;
  /** File of the memberships. */
  memberships: string | null;
  /** Of the rows of `--explain`; null in the place of infinity. */
  explained: ExplainedPoint[];
}

type ExplainedPoint = Nulled<HdbscanExplanation, 'coreDistance' | 'leaves' | 'clusterDistance'>;

export function hierarchyReportOf(
  run: EndedRun<
    HdbscanRequest & {readonly minClusterSize: number},
    (HdbscanResult & HdbscanRan) | HdbscanGroups<number>,
    Pick<HdbscanFlags, 'tree' | 'reachability' | 'saveModel' | 'memberships'>
  > & {
    readonly assigned?: number | null;
    readonly explained?: readonly HdbscanExplanation[];
  },
): HierarchyReport {
  const {request, flags, assigned = null, explained = []} = run;
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
    weighted: request.sampleWeight !== undefined,
    assigned,
    warnings: warningsOf(run).map(inHdbscanFlags),
    tree: flags.tree ?? null,
    reachability: flags.reachability ?? null,
    model: flags.saveModel ?? null,
    memberships: flags.memberships ?? null,
    explained: explained.map((point) => nulled(point, ['coreDistance', 'leaves', 'clusterDistance'])),
  };
}

/** Those of a group begin with its name. */
function warningsOf({points, outcome}: Parameters<typeof hierarchyReportOf>[0]): readonly string[] {
  if ('warnings' in outcome) return outcome.warnings;
  return outcome.groups.flatMap(({key, warnings}) => warnings.map((one) => `${points.groups?.names[key]}: ${one}`));
}

/** Such as `noise: core from 2.5, left its cluster at 4; cluster 3 at 4.25`. */
function explanationOf(point: ExplainedPoint, metric: string): string {
  const {label, probability, coreDistance, leaves, nearestCluster, clusterDistance} = point;
  const unit = metric === 'haversine' ? 'km' : '';
  const what = label < 0 ? 'noise' : `cluster ${label}, probability ${probability}`;
  const core = coreDistance === null ? 'never core' : `core from ${coreDistance}${unit}`;
  const left = leaves === null ? '' : `, left its cluster at ${leaves}${unit}`;
  const near = clusterDistance === null ? '' : `; cluster ${nearestCluster} at ${clusterDistance}${unit}`;
  return `${what}: ${core}${left}${label < 0 ? near : ''}`;
}

export function formatHierarchyReport(report: HierarchyReport): string {
  const {minClusterSize, minSamples, selection, selectionEps, maxClusterSize, metric} = report;
  const {tree, reachability, model, memberships} = report;
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
      ...(report.weighted ? ['weights'] : []),
      ...(metric === 'euclidean' ? [] : [`metric ${metric}`]),
    ],
    noise: [
      ...report.warnings.slice(0, WARNINGS_SHOWN).map((warning) => ['warning', escapeControls(warning)]),
      ...(report.warnings.length > WARNINGS_SHOWN
        ? [['warning', `${formatCount(report.warnings.length)} in all; --json lists them`]]
        : []),
      ...(report.assigned === null ? [] : [['assigned', share(report.assigned, report.points)]]),
      ...report.explained.map((point) => [`row ${point.row}`, explanationOf(point, metric)]),
      [
        report.by === null ? 'condensed tree' : 'condensed trees',
        `${formatCount(treeClusters)} ${treeClusters === 1 ? 'cluster' : 'clusters'}`,
      ],
    ],
    files: {tree, reachability, model, memberships},
    verified: 'all numbers',
  });
}
