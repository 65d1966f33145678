import {z} from 'zod';
import type {Failed, LeftOut} from '../cell.ts';
import {timingSchema, type Timing} from '../statistics.ts';
import {MEAN_SHIFT_METHODS, type MeanShiftSubject} from './suite.ts';

/** What a cell measures. A run has one cell for each key. */
export interface MeanShiftKey extends MeanShiftSubject {
  readonly n: number;
}

export interface MeasuredMeanShiftCell extends MeanShiftKey {
  readonly status: 'measured';
  /** Host time of one run from typed array to typed array, transfers included. */
  readonly wall: Timing;
  /** Device time of a run's kernels, where the adapter has timestamps and the method runs on it. */
  readonly device: Timing | null;
  readonly iterations: number;
  /**
   * The largest error of a sample of points, in bandwidths: the distance from a float64 reference; for `ours-…` the
   * length of one more step, in float64 and with all points. `verified` states the limit.
   */
  readonly error: number;
  readonly verified: string;
  /** Of `ours-…`; null elsewhere. */
  readonly clusters: number | null;
}

/** A cell that would have taken too long: its time comes from a fit. */
interface EstimatedMeanShiftCell extends MeanShiftKey {
  readonly status: 'estimated';
  readonly ms: number;
  /** `t = 1.2e-5 · n² + 3e-4 · n ms, fitted to n = 100, 300, 1,000` */
  readonly fit: string;
}

export type MeanShiftCell =
  | MeasuredMeanShiftCell
  | EstimatedMeanShiftCell
  | Failed<MeanShiftKey>
  | LeftOut<MeanShiftKey>;

const key = {
  method: z.enum(MEAN_SHIFT_METHODS),
  threads: z.int().positive(),
  tileWidth: z.int().positive().nullable(),
  n: z.int().nonnegative(),
};

/** Checks a cell of a result file, or as a child process hands it over. */
export const meanShiftCellSchema: z.ZodType<MeanShiftCell> = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('measured'),
    ...key,
    wall: timingSchema,
    device: timingSchema.nullable(),
    iterations: z.int().nonnegative(),
    error: z.number().nonnegative(),
    verified: z.string().min(1),
    clusters: z.int().nonnegative().nullable(),
  }),
  z.object({status: z.literal('estimated'), ...key, ms: z.number().nonnegative(), fit: z.string().min(1)}),
  z.object({status: z.literal('failed'), ...key, error: z.string()}),
  z.object({status: z.literal('leftOut'), ...key, reason: z.string()}),
]);
