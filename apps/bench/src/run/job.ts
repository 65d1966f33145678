import {adapterSchema, cellSchema, type Profile, type Subject, type Suite, type Workload} from '@epsball/benchmarks';
import type {AdapterChoice} from '@epsball/gpu';
import {z} from 'zod';

/** Measure one subject on one workload. */
export interface CellJob {
  readonly kind: Suite['kind'];
  readonly workload: Workload;
  readonly subject: Subject;
  readonly adapter: AdapterChoice;
  readonly profile: Pick<
    Profile,
    'warmups' | 'repeats' | 'repeatsMax' | 'settleSeconds' | 'warmSeconds' | 'cellSeconds' | 'repeatSeconds'
  >;
  /** The subject whose labels these must equal, and their hash; null for the reference itself. */
  readonly reference: Subject | null;
  readonly referenceHash: string | null;
  /** Where to write the cluster picture, or null. */
  readonly pictureFile: string | null;
}

/** The job of a child process, or the question which adapter a choice opens. The parent passes it as JSON. */
export type Job = CellJob | {readonly kind: 'probe'; readonly adapter: AdapterChoice};

/** The reply of a child process: one line of JSON on its standard output. `stopped`: the parent killed it. */
export const replySchema = z.discriminatedUnion('status', [
  z.object({status: z.literal('probed'), adapter: adapterSchema}),
  z.object({status: z.literal('cell'), cell: cellSchema}),
  z.object({status: z.literal('failed'), error: z.string()}),
  z.object({status: z.literal('stopped'), seconds: z.number()}),
]);
export type Reply = z.infer<typeof replySchema>;
