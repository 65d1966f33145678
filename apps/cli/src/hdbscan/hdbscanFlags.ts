import type {BackendFlags, MetricFlags, OutputFlags, PointFlags} from '../flags.ts';

export interface HdbscanFlags extends PointFlags, MetricFlags, BackendFlags, OutputFlags {
  readonly minClusterSize: number;
  readonly minSamples?: number;
  readonly excludeSelf?: boolean;
  readonly selection?: 'eom' | 'leaf';
  readonly selectionEps?: number;
  readonly maxClusterSize?: number;
  readonly allowSingleCluster?: boolean;
  readonly duplicates?: 'count' | 'once';
  readonly tree?: string;
  readonly reachability?: string;
  readonly saveModel?: string;
  readonly memberships?: string;
  /** Of the memberships: clusters a point. */
  readonly top?: number;
  /** The least membership, or true for any. */
  readonly assignNoise?: number | true;
  /** Rows from 0. */
  readonly explain?: readonly number[];
}

/** Flags by parameter of the library. */
export const HDBSCAN_FLAGS: Readonly<Record<string, string>> = {
  minClusterSize: '--min-cluster-size',
  minSamples: '--min-samples',
  countSelf: '--exclude-self',
  selection: '--selection',
  clusterSelectionEpsilon: '--selection-eps',
  maxClusterSize: '--max-cluster-size',
  allowSingleCluster: '--allow-single-cluster',
  duplicates: '--duplicates',
  sampleWeight: '--weight-column',
  groupColumn: '--by',
};

/** A warning of the library with the command's flags in place of its parameters: `--duplicates once`. */
export function inHdbscanFlags(warning: string): string {
  return Object.entries(HDBSCAN_FLAGS).reduce(
    (text, [parameter, flag]) =>
      text.replace(new RegExp(`\\b${parameter}\\b(?:: '(\\w+)')?`, 'g'), (_, value?: string) =>
        value === undefined ? flag : `${flag} ${value}`,
      ),
    warning,
  );
}
