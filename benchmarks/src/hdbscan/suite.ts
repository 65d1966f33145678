import type {ProfileName, SuiteFacts} from '../suiteFacts.ts';

/** Our backends, and `dbscan::hdbscan` of R. */
export const HDBSCAN_METHODS = ['sequential', 'workers', 'gpu', 'R'] as const;
export type HdbscanMethod = (typeof HDBSCAN_METHODS)[number];

/** How much of a suite is run, and when a cell is left out. */
export interface HdbscanProfile {
  /** Points, ascending. */
  readonly sizes: readonly number[];
  /** Counted repeats of a cell of ours, after a first run; R runs once. */
  readonly repeats: number;
  /** Most points of a software GPU adapter, which shows that the code is right, not how fast it is. */
  readonly softwareGpuMaxN: number;
  /** A process of one cell ends after so many seconds. */
  readonly cellSeconds: number;
  /** When the suite has taken this long, the rest is left out. Seconds. */
  readonly suiteSeconds: number;
}

/** HDBSCAN*: data sets × points × backends, beside R where it is installed. */
export interface HdbscanSuite extends SuiteFacts {
  readonly kind: 'hdbscan';
  /** Specifications of the data, to which `n=…` is added. */
  readonly datasets: readonly string[];
  readonly minClusterSize: number;
  readonly minSamples: number;
  /** R keeps all pairs: 8 · n² / 2 bytes. */
  readonly maxPointsOfR: number;
  readonly profiles: Readonly<Record<ProfileName, HdbscanProfile>>;
}
