import {z} from 'zod';
import type {Failed, LeftOut} from '../cell.ts';
import {timingSchema, type Timing} from '../statistics.ts';
import type {Implementation} from './suite.ts';

/** What a cell measures. A run has one cell for each key. */
export interface PrimitiveKey {
  /** Id of the operation. */
  readonly operation: string;
  readonly element: string;
  readonly count: number;
  readonly implementation: Implementation;
}

export interface MeasuredPrimitiveCell extends PrimitiveKey {
  readonly status: 'measured';
  /** Bytes that the operation has to move at this count; a copy's are what it reads and writes. */
  readonly bytes: number;
  /** How the result was checked before the times were kept, in words. */
  readonly verified: string;
  /** Device time of one encode, where the adapter has timestamps and the implementation runs on it. */
  readonly device: Timing | null;
  /** Encodes between two timestamps; `device` is divided by it. */
  readonly batch: number;
  /** Host time of one run from typed array to typed array, transfers included, where there is such a call. */
  readonly wall: Timing | null;
}

export type PrimitiveCell = MeasuredPrimitiveCell | Failed<PrimitiveKey> | LeftOut<PrimitiveKey>;

const key = {
  operation: z.string().min(1),
  element: z.string().min(1),
  count: z.int().nonnegative(),
  implementation: z.enum(['gpu', 'javascript', 'copy']),
};

/** Checks a cell of a result file, or as a child process hands it over. */
export const primitiveCellSchema: z.ZodType<PrimitiveCell> = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('measured'),
    ...key,
    bytes: z.number().positive(),
    verified: z.string().min(1),
    device: timingSchema.nullable(),
    batch: z.int().positive(),
    wall: timingSchema.nullable(),
  }),
  z.object({status: z.literal('failed'), ...key, error: z.string()}),
  z.object({status: z.literal('leftOut'), ...key, reason: z.string()}),
]);
