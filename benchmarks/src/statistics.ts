import {interquartileRange, median, min, quantile} from 'simple-statistics';
import {z} from 'zod';

/** Repeated measurements of one thing, in milliseconds. */
export interface Timing {
  /** Every repeat, in the order in which they ran; warm-up runs are not here. */
  readonly allMs: readonly number[];
  readonly medianMs: number;
  readonly minMs: number;
  /** Interquartile range / median: 0.05 reads "the middle half of the repeats lies within 5 %". */
  readonly spread: number;
  /** Medians of the processes, where the cell was measured in several. */
  readonly processMs?: readonly number[] | undefined;
}

export const timingSchema: z.ZodType<Timing> = z.object({
  allMs: z.array(z.number().nonnegative()).min(1),
  medianMs: z.number().nonnegative(),
  minMs: z.number().nonnegative(),
  spread: z.number().nonnegative(),
  processMs: z.array(z.number().nonnegative()).optional(),
});

/**
 * Median, smallest and spread of repeated times.
 *
 * @param allMs  at least one time
 * @throws RangeError  if `allMs` is empty
 */
export function summarizeTimes(allMs: readonly number[]): Timing {
  if (allMs.length === 0) throw new RangeError('allMs.length = 0; expected at least one time');
  const times = [...allMs];
  const medianMs = median(times);
  return {allMs: times, medianMs, minMs: min(times), spread: medianMs === 0 ? 0 : interquartileRange(times) / medianMs};
}

/**
 * The median of every phase over repeated runs; a phase that some run did not report counts as 0 there.
 */
export function medianPhases(runs: readonly Readonly<Partial<Record<string, number>>>[]): Record<string, number> {
  const phases = new Set(runs.flatMap((run) => Object.keys(run)));
  return Object.fromEntries([...phases].map((phase) => [phase, median(runs.map((run) => run[phase] ?? 0))]));
}

/**
 * The median.
 *
 * @param values  at least one
 */
export function medianOf(values: readonly number[]): number {
  return median([...values]);
}

/** First and third quartile: the middle half of the repeats lies between them. */
export function quartilesOf({allMs}: Timing): readonly [low: number, high: number] {
  const times = [...allMs];
  return [quantile(times, 0.25), quantile(times, 0.75)];
}

/** The times of several processes as one timing. */
export function mergeTimings(timings: readonly Timing[]): Timing {
  return {
    ...summarizeTimes(timings.flatMap(({allMs}) => allMs)),
    processMs: timings.map(({medianMs}) => medianMs),
  };
}
