import type {CellKey, Subject} from './cell.ts';
import type {ProfileName} from './result.ts';

/** One set of points with its parameters. Every subject of the suite runs it. */
export interface Workload extends Pick<CellKey, 'dataset' | 'n' | 'dim'> {
  readonly params: Readonly<Record<string, number>>;
  /** Draw the clusters for the report. Default: false. */
  readonly picture?: boolean | undefined;
  /** Replaces the suite's reference, where that one would take hours: another variant, compared with it elsewhere. */
  readonly reference?: Subject | undefined;
  /** Instead of the profile's or the suite's. */
  readonly subjects?: readonly Subject[] | undefined;
  /** Left out without a hardware GPU, where one small data set shows that the code is right. Default: false. */
  readonly hardwareOnly?: boolean | undefined;
}

/** How much of a suite is run, and when a cell is left out. */
export interface Profile {
  readonly workloads: readonly Workload[];
  /** Instead of the suite's. */
  readonly subjects?: readonly Subject[] | undefined;
  /** Runs that are not counted; short runs get more of them, until `settleSeconds` have passed. */
  readonly warmups: number;
  /** Counted runs; short runs get more of them, up to `repeatsMax`, until `settleSeconds` have passed. */
  readonly repeats: number;
  /** Default: five times `repeats`. */
  readonly repeatsMax?: number | undefined;
  /** Seconds that code needs to be compiled and caches to fill; 0 = exactly `warmups` and `repeats`. */
  readonly settleSeconds: number;
  /** How many of `settleSeconds` are for runs that are not counted. Default: all. */
  readonly warmSeconds?: number | undefined;
  /** Software GPU adapters show that the code is right, not how fast it is: they get no larger n, and one run. */
  readonly softwareGpuMaxN: number;
  /** A cell of which one run is expected to take longer is left out. Seconds. */
  readonly cellSeconds: number;
  /** A cell stops repeating before its runs take longer together. Seconds. Default: `cellSeconds`. */
  readonly repeatSeconds?: number | undefined;
  /**
   * A subject that took over `factor` times as long as the fastest, on `fromPoints` or more, does not run on more.
   * Subjects of the rows `but` do.
   */
  readonly slowest?:
    | {readonly factor: number; readonly fromPoints: number; readonly but: readonly string[]}
    | undefined;
  /** When the suite has taken this long, the rest of it is left out. Seconds. */
  readonly suiteSeconds: number;
}

type Runs = 'warmups' | 'repeats' | 'repeatsMax' | 'settleSeconds' | 'warmSeconds';
type Bounds = 'softwareGpuMaxN' | 'cellSeconds' | 'repeatSeconds' | 'suiteSeconds';

/** A profile of its parts: what runs, how often, and how long at most. */
export function profileOf(
  what: Omit<Profile, Runs | Bounds>,
  runs: Pick<Profile, Runs>,
  bounds: Pick<Profile, Bounds>,
): Profile {
  return {...what, ...runs, ...bounds};
}

/** Limits on memory. A suite fails if a cell exceeds them. */
export interface MemoryLimits {
  /** Host memory beyond points, labels and core mask. */
  readonly hostBytesPerPoint: number;
  /** In smaller runs the runtime's own memory dominates. */
  readonly hostFromPoints: number;
  readonly deviceBytesPerPoint: number;
  /** Default: 0. */
  readonly deviceFromPoints?: number | undefined;
  /** Default: every number of dimensions. */
  readonly maxDim?: number | undefined;
  /** Rows that must keep the limits. */
  readonly rows: readonly string[];
}

/** What a suite varies. `dataset` is not a number, so such a suite has no chart. */
export type Axis = 'n' | 'eps' | 'minPts' | 'dim' | 'threads' | 'changes' | 'dataset';

/** A table or figure of a source document as data: sets of points × parameters × subjects. */
export interface Suite {
  /** Which code measures a cell. */
  readonly kind: 'dbscan' | 'dynamic' | 'hdbscan' | 'mean-shift' | 'primitives';
  readonly id: string;
  readonly title: string;
  readonly source: string;
  /** Which table or figure it reproduces, or what it is for: a sentence without its full stop. */
  readonly reproduces: string;
  /** Sentences that a reader of the report needs. */
  readonly notes: readonly string[];
  /** Credit lines that must stand wherever the data is shown. */
  readonly credits?: readonly string[] | undefined;
  /** Whether `epsball bench` without names runs it. */
  readonly isUsual?: boolean | undefined;
  /**
   * Named ones, or `catalogue`: every row and backend that takes the dimensions. A suite of a document names them, so a
   * new row does not slow it down.
   */
  readonly subjects: 'catalogue' | readonly Subject[];
  /** Its labels are those that all others must have; it runs first. Null: each cell is verified by itself. */
  readonly reference: Subject | null;
  readonly axis: Axis;
  readonly profiles: Readonly<Record<ProfileName, Profile>>;
  readonly limits?: MemoryLimits | undefined;
}
