import {z} from 'zod';
import type {Failed, LeftOut} from '../cell.ts';
import {timingSchema, type Timing} from '../statistics.ts';
import {HDBSCAN_METHODS, type HdbscanMethod} from './suite.ts';

/** What a cell measures. A run has one cell for each key. */
export interface HdbscanKey {
  readonly method: HdbscanMethod;
  readonly dataset: string;
  readonly n: number;
}

export interface MeasuredHdbscanCell extends HdbscanKey {
  readonly status: 'measured';
  /** Host time of one run from typed array to typed array, transfers included; of R the call of `hdbscan`. */
  readonly wall: Timing;
  /** Device time of a run's kernels, where the adapter has timestamps; otherwise null. */
  readonly device: Timing | null;
  /** Clusters that were selected; null for R. */
  readonly clusters: number | null;
  /** What was compared before the time counted. */
  readonly verified: string;
  /** Version of R's package; null for ours. */
  readonly version: string | null;
}

export type HdbscanCell = MeasuredHdbscanCell | Failed<HdbscanKey> | LeftOut<HdbscanKey>;

const key = {
  method: z.enum(HDBSCAN_METHODS),
  dataset: z.string().min(1),
  n: z.int().nonnegative(),
};

/** Checks a cell of a result file, or as a child process hands it over. */
export const hdbscanCellSchema: z.ZodType<HdbscanCell> = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('measured'),
    ...key,
    wall: timingSchema,
    device: timingSchema.nullable(),
    clusters: z.int().nonnegative().nullable(),
    verified: z.string().min(1),
    version: z.string().nullable(),
  }),
  z.object({status: z.literal('failed'), ...key, error: z.string()}),
  z.object({status: z.literal('leftOut'), ...key, reason: z.string()}),
]);
