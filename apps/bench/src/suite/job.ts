import {
  adapterSchema,
  hdbscanCellSchema,
  measuredDbscanCellSchema,
  meanShiftCellSchema,
  primitiveCellSchema,
  type Adapter,
  type HdbscanCell,
  type MeanShiftCell,
  type MeasuredDbscanCell,
  type PrimitiveCell,
  type Subject,
  type Workload,
} from '@epsball/benchmarks';
import type {AdapterChoice} from '@epsball/gpu';
import {z} from 'zod';
import type {HdbscanJob} from '../hdbscan/job.ts';
import type {MeanShiftJob} from '../meanShift/job.ts';
import type {SeriesJob} from '../primitives/job.ts';

/** Measure one subject on one workload; counts and seconds are those of `SuiteProfile`. */
export interface MeasureJob {
  readonly kind: 'measure';
  readonly workload: Workload;
  readonly subject: Subject;
  readonly adapter: AdapterChoice;
  readonly warmups: number;
  readonly repeats: number;
  readonly repeatsMax?: number | undefined;
  readonly settleSeconds: number;
  readonly warmSeconds?: number | undefined;
  readonly cellSeconds: number;
  readonly repeatSeconds?: number | undefined;
  /** The subject whose labels these must equal, and the hash of those labels; null for the reference itself. */
  readonly reference: Subject;
  readonly referenceHash: string | null;
  /** Where to write the cluster picture, or null. */
  readonly pictureFile: string | null;
}

/** Describe the adapter that the choice opens. */
interface ProbeJob {
  readonly kind: 'probe';
  readonly adapter: AdapterChoice;
}

/** The job of a child process. The parent passes it as JSON in the child's argument. */
export type CellJob = MeasureJob | SeriesJob | MeanShiftJob | HdbscanJob | ProbeJob;

/** A reply of a child process: one line of JSON on its standard output. A series has one reply a cell. */
export type CellReply =
  | {readonly status: 'measured'; readonly cell: MeasuredDbscanCell}
  | {readonly status: 'primitive'; readonly cell: PrimitiveCell}
  | {readonly status: 'meanShift'; readonly cell: MeanShiftCell}
  | {readonly status: 'hdbscan'; readonly cell: HdbscanCell}
  | {readonly status: 'probed'; readonly adapter: Adapter}
  | {readonly status: 'failed'; readonly error: string}
  /** The parent's own reply for a child that it killed. */
  | {readonly status: 'stopped'; readonly seconds: number};

export const cellReplySchema: z.ZodType<CellReply> = z.discriminatedUnion('status', [
  z.object({status: z.literal('measured'), cell: measuredDbscanCellSchema}),
  z.object({status: z.literal('primitive'), cell: primitiveCellSchema}),
  z.object({status: z.literal('meanShift'), cell: meanShiftCellSchema}),
  z.object({status: z.literal('hdbscan'), cell: hdbscanCellSchema}),
  z.object({status: z.literal('probed'), adapter: adapterSchema}),
  z.object({status: z.literal('failed'), error: z.string()}),
  z.object({status: z.literal('stopped'), seconds: z.number()}),
]);
