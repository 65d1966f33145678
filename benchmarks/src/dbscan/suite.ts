import type {DbscanParams} from '@epsball/clustering';
import type {ProfileName, SuiteFacts} from '../suiteFacts.ts';
import type {PeerFigure} from './peer.ts';

/** One row of the catalogue on one backend: what a cell measures. */
export interface Subject {
  readonly row: string;
  readonly backend: string;
  /** Worker threads, integer ≥ 1. Default: 1, as for backends without workers. */
  readonly threads?: number | undefined;
  /** The variant's own options, those that are not left to their defaults: `{index: 'none'}`. */
  readonly options?: SubjectOptions | undefined;
}

/** Options by name, as the catalogue's rows take them. */
export type SubjectOptions = Readonly<Record<string, string | number>>;

/** One data set with one set of parameters; every subject of the suite runs it. */
export interface Workload {
  /** A specification that `epsball generate` understands, or `cities` for the GeoNames places. */
  readonly dataset: string;
  readonly n: number;
  readonly dim: number;
  readonly params: DbscanParams;
  /** Draw the clusters for the report. */
  readonly picture: boolean;
  /**
   * Replaces the suite's reference, where that one would take hours: another variant, which the suite or the tests
   * compare with the suite's reference on smaller data.
   */
  readonly reference?: Subject | undefined;
  /** Instead of the profile's or the suite's, where these would take too long. */
  readonly subjects?: readonly Subject[] | undefined;
  /** Left out without a hardware GPU, where one small data set shows that the code is right. Default: false. */
  readonly hardwareOnly?: boolean | undefined;
}

/** How much of a suite is run, and when a cell is left out. */
export interface SuiteProfile {
  readonly workloads: readonly Workload[];
  /** Instead of the suite's, where its own do not fit the machines of the profile. */
  readonly subjects?: readonly Subject[] | undefined;
  /** Runs that are not counted; short runs get more of them, until `settleSeconds` have passed. */
  readonly warmups: number;
  /** Runs that are counted; short runs get more of them, up to `repeatsMax`, until `settleSeconds` have passed. */
  readonly repeats: number;
  /** Default: five times `repeats`. */
  readonly repeatsMax?: number | undefined;
  /** Seconds that code needs to be compiled and caches to fill; 0 = exactly `warmups` and `repeats`. */
  readonly settleSeconds: number;
  /** How many of `settleSeconds` are for runs that are not counted. Default: all. */
  readonly warmSeconds?: number | undefined;
  /**
   * Software GPU adapters show that the code is right, not how fast it is: they get no larger n than this, one counted
   * run after at most one warm-up, and are stopped and left out when a cell's seconds are over.
   */
  readonly softwareGpuMaxN: number;
  /** A cell of which one run is expected to take longer is left out. Seconds. */
  readonly cellSeconds: number;
  /**
   * A cell stops repeating before its runs take longer together; a first run of more than a quarter of it counts,
   * because a warm-up would buy nothing. Seconds. Default: `cellSeconds`.
   */
  readonly repeatSeconds?: number | undefined;
  /**
   * A subject that took more than `factor` times as long as the fastest, on `fromPoints` points or more, does not run
   * on later workloads of as many points or more. Default: no such rule.
   */
  readonly slowest?: {readonly factor: number; readonly fromPoints: number} | undefined;
  /** When the suite has taken this long, the rest of it is left out. Seconds. */
  readonly suiteSeconds: number;
}

/**
 * The quantity that a document states. `timeWithoutIndex` is the time of a run without the construction of its index,
 * `indexTime` the time of the construction, and `indexShare` the second over the first.
 */
export type Quantity = 'time' | 'speedUp' | 'timeWithoutIndex' | 'indexTime' | 'indexShare';

/** A number from the source document, with the machine it was measured on. */
export interface PublishedFigure {
  /** Which of our subjects it stands beside. */
  readonly subject: Subject;
  /**
   * Of a speed-up: the subject it is relative to. Default: the serial backend of the same variant, or the reference.
   */
  readonly over?: Subject | undefined;
  readonly quantity: Quantity;
  readonly n: number;
  /** For suites with several. Default: that of the workloads. */
  readonly dim?: number | undefined;
  readonly minPts?: number | undefined;
  /** Milliseconds for a time, a plain factor for a speed-up, a fraction for a share. */
  readonly value: number;
  /** The same as the document prints it, in its words and units. */
  readonly printed: string;
  readonly machine: string;
  /** Whether the document states the number, or it was read off a chart. */
  readonly reading: 'stated in the text' | 'read off the chart';
  /** Section, figure or table. */
  readonly where: string;
}

/** Limits on memory. A suite fails if a cell exceeds them. */
export interface MemoryLimits {
  /** Host memory beyond input (points) and output (labels and core mask). */
  readonly hostBytesPerPoint: number;
  /** Smaller runs are shown and not checked, because the runtime's own memory dominates them. */
  readonly hostFromPoints: number;
  readonly deviceBytesPerPoint: number;
  /** Rows that must keep the limits; other rows are shown and not checked. */
  readonly rows: readonly string[];
}

/**
 * The quantity that a suite varies: the first column of its table and the horizontal axis of its charts. `dataset` is
 * not a number, so such a suite has no line charts.
 */
export type Axis = 'n' | 'eps' | 'minPts' | 'dim' | 'threads' | 'dataset';

/** A table or figure of a source document as data: data sets × parameters × subjects. */
export interface DbscanSuite extends SuiteFacts {
  readonly kind: 'dbscan';
  /**
   * Named ones, or `catalogue`: every row and backend that takes the workload's dimensions, present and future. A suite
   * of a source document names them, so that a new row does not slow it down.
   */
  readonly subjects: 'catalogue' | readonly Subject[];
  /** The subject whose labels all others must have; it runs first. Default: `sequential` without options. */
  readonly reference?: Subject | undefined;
  /**
   * Every other subject, serial ones included, is compared with each baseline, in a table and a chart for each
   * baseline. Default: parallel backends are compared with the serial one of the same variant, and with the reference.
   */
  readonly baselines?: readonly Subject[] | undefined;
  readonly axis: Axis;
  readonly profiles: Readonly<Record<ProfileName, SuiteProfile>>;
  readonly published: readonly PublishedFigure[];
  /** Recorded times of other programs. */
  readonly peers?: readonly PeerFigure[] | undefined;
  readonly memoryLimits: MemoryLimits | null;
}
