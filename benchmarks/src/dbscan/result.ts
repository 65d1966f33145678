import {z} from 'zod';
import type {Failed, LeftOut} from '../cell.ts';
import {timingSchema, type Timing} from '../statistics.ts';
import type {SubjectOptions} from './suite.ts';

/** What a cell measures: one subject on one workload. A run has one cell for each key. */
export interface DbscanKey {
  readonly dataset: string;
  readonly n: number;
  readonly dim: number;
  readonly eps: number;
  readonly minPts: number;
  readonly row: string;
  readonly backend: string;
  /** Worker threads; 1 for backends without workers. */
  readonly threads: number;
  /** The variant's own options, those that were not left to their defaults. */
  readonly options: SubjectOptions;
}

export interface CellMemory {
  /** Peak host memory of the first run, beyond input and output; null if the system does not report it. */
  readonly hostBytes: number | null;
  readonly hostBytesPerPoint: number | null;
  readonly deviceBytes: number | null;
  readonly deviceBytesPerPoint: number | null;
}

/** What the labels of a cell were compared with before its time was accepted. */
export type Verification = 'definition' | 'sequential' | 'agreement' | 'reference';

export interface MeasuredDbscanCell extends DbscanKey {
  readonly status: 'measured';
  readonly precision: 'float32' | 'float64';
  /** Content hash of the points. */
  readonly datasetHash: string;
  /** Content hash of labels and core mask. */
  readonly labelsHash: string;
  /**
   * `definition`: equal to the O(n²) definition; `sequential`: equal to the sequential variant; `agreement`: equal to
   * the other variant that is the workload's reference; `reference`: this is the reference, too large for the
   * definition.
   */
  readonly verifiedAgainst: readonly Verification[];
  readonly clusterCount: number;
  readonly noiseCount: number;
  readonly coreCount: number;
  /** Host wall time of a whole run, transfers included. */
  readonly wall: Timing;
  /** Device time of all kernels, where the adapter has timestamps. */
  readonly device: Timing | null;
  /** Median host milliseconds by phase. */
  readonly phaseMs: Readonly<Record<string, number>>;
  /** Median device milliseconds by phase, where the adapter has timestamps. */
  readonly devicePhaseMs: Readonly<Record<string, number>> | null;
  readonly counters: Readonly<Record<string, number>>;
  readonly memory: CellMemory;
  /** File name of the cluster picture, which lies beside the result file. */
  readonly picture: string | null;
}

export type DbscanCell = MeasuredDbscanCell | Failed<DbscanKey> | LeftOut<DbscanKey>;

/** No folder of any system, no control character, and neither `.` nor `..`. */
// oxlint-disable-next-line no-control-regex -- control characters are what it refuses
const PLAIN_FILE_NAME = /^(?!\.{1,2}$)[^/\\:\u0000-\u001f]+$/;

const cellKey = {
  dataset: z.string().min(1),
  n: z.int().nonnegative(),
  dim: z.int().positive(),
  eps: z.number().positive(),
  minPts: z.int().positive(),
  row: z.string().min(1),
  backend: z.string().min(1),
  // Older files have `threads` in measured cells only. All cells of those files ran on one thread.
  threads: z.int().positive().default(1),
  options: z.record(z.string().min(1), z.union([z.string(), z.number()])).default({}),
};

const measured = z.object({
  status: z.literal('measured'),
  ...cellKey,
  precision: z.enum(['float32', 'float64']),
  datasetHash: z.string().min(1),
  labelsHash: z.string().min(1),
  verifiedAgainst: z.array(z.enum(['definition', 'sequential', 'agreement', 'reference'])).min(1),
  clusterCount: z.int().nonnegative(),
  noiseCount: z.int().nonnegative(),
  coreCount: z.int().nonnegative(),
  wall: timingSchema,
  device: timingSchema.nullable(),
  phaseMs: z.record(z.string(), z.number()),
  devicePhaseMs: z.record(z.string(), z.number()).nullable(),
  counters: z.record(z.string(), z.number()),
  memory: z.object({
    hostBytes: z.number().nullable(),
    hostBytesPerPoint: z.number().nullable(),
    deviceBytes: z.number().nullable(),
    deviceBytesPerPoint: z.number().nullable(),
  }),
  picture: z.string().regex(PLAIN_FILE_NAME, 'picture: expected a plain file name, without a folder').nullable(),
});

/** Checks one cell as a child process hands it over. */
export const measuredDbscanCellSchema: z.ZodType<MeasuredDbscanCell> = measured;

export const dbscanCellSchema: z.ZodType<DbscanCell> = z.discriminatedUnion('status', [
  measured,
  z.object({status: z.literal('failed'), ...cellKey, error: z.string()}),
  z.object({status: z.literal('leftOut'), ...cellKey, reason: z.string()}),
]);
