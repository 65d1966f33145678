import tQuantile from '@stdlib/stats-base-dists-t-quantile';
import {interquartileRange, linearRegression, mean, median, min, quantile, sampleVariance} from 'simple-statistics';
import {z} from 'zod';

/** Repeated measurements of one thing. Warm-up runs are not among them. */
export const timingSchema = z.object({
  /** Milliseconds of every repeat, in running order. */
  allMs: z.array(z.number().nonnegative()).min(1),
  medianMs: z.number().nonnegative(),
  minMs: z.number().nonnegative(),
  /** Interquartile range / median. */
  spread: z.number().nonnegative(),
  /** Medians of the processes, if the cell was measured in several. */
  processMs: z.array(z.number().nonnegative()).optional(),
});
export type Timing = z.infer<typeof timingSchema>;

/**
 * Median, smallest and spread of repeated times.
 *
 * @throws RangeError  if `allMs` is empty
 */
export function summarizeTimes(allMs: readonly number[]): Timing {
  if (allMs.length === 0) throw new RangeError('allMs.length = 0; expected at least one time');
  const times = [...allMs];
  const medianMs = median(times);
  return {allMs: times, medianMs, minMs: min(times), spread: medianMs === 0 ? 0 : interquartileRange(times) / medianMs};
}

/** The times of several processes as one timing. */
export function mergeTimings(timings: readonly Timing[]): Timing {
  return {
    ...summarizeTimes(timings.flatMap(({allMs}) => allMs)),
    processMs: timings.map(({medianMs}) => medianMs),
  };
}

/** The median of every phase over repeated runs; a phase that a run did not report counts as 0 there. */
export function medianPhases(runs: readonly Readonly<Partial<Record<string, number>>>[]): Record<string, number> {
  const phases = new Set(runs.flatMap((run) => Object.keys(run)));
  return Object.fromEntries([...phases].map((phase) => [phase, median(runs.map((run) => run[phase] ?? 0))]));
}

/** First and third quartile. */
export function quartilesOf({allMs}: Timing): readonly [low: number, high: number] {
  return [quantile([...allMs], 0.25), quantile([...allMs], 0.75)];
}

/** y = factor · x^exponent by least squares of the logarithms; null for fewer than two different x. */
export function fitPower(
  points: readonly {readonly x: number; readonly y: number}[],
): {factor: number; exponent: number} | null {
  const pairs = points.filter(({x, y}) => x > 0 && y > 0).map(({x, y}) => [Math.log(x), Math.log(y)]);
  if (new Set(pairs.map(([x]) => x)).size < 2) return null;
  const {m, b} = linearRegression(pairs);
  return {factor: Math.exp(b), exponent: m};
}

/** A measured time with what is known of its noise between processes. */
export interface Noisy {
  /** Medians of processes, at least one. */
  readonly processMs: readonly number[];
  /** Standard deviation of the logarithm between processes, where too few ran to estimate it. */
  readonly assumed: number;
}

/** Processes from which the spread between processes is estimated. */
export const LEAST_PROCESSES = 3;
/** Assumed for fewer: medians of one host differ so much from process to process. */
export const ASSUMED_DEVIATION = 0.1;

export interface Interval {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  /** Too few processes: the spread between them is assumed. */
  readonly isAssumed: boolean;
}

/**
 * Interval of a sum of logarithms of times, each with a weight: by Welch's t, all intervals of a comparison together at
 * 95 % (Bonferroni).
 *
 * @param intervals  number of intervals in the comparison
 */
export function logInterval(terms: readonly (Noisy & {readonly weight: number})[], intervals: number): Interval {
  const parts = terms.map(({processMs, weight, assumed}) => {
    const logs = processMs.map((ms) => Math.log(Math.max(ms, Number.MIN_VALUE)));
    const isAssumed = logs.length < LEAST_PROCESSES;
    const variance = (weight ** 2 * (isAssumed ? assumed ** 2 : sampleVariance(logs))) / logs.length;
    // Many degrees of freedom if the spread is assumed.
    return {value: weight * mean(logs), variance, isAssumed, freedom: isAssumed ? 1000 : logs.length - 1};
  });
  const sum = (of: (part: (typeof parts)[number]) => number): number => parts.reduce((all, one) => all + of(one), 0);
  const [value, variance] = [sum((part) => part.value), sum((part) => part.variance)];
  const divisor = sum((part) => part.variance ** 2 / part.freedom);
  const freedom = divisor === 0 ? 1000 : variance ** 2 / divisor;
  const half = tQuantile(1 - 0.025 / Math.max(1, intervals), freedom) * Math.sqrt(variance);
  return {value, low: value - half, high: value + half, isAssumed: parts.some((part) => part.isAssumed)};
}
