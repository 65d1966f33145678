import tQuantile from '@stdlib/stats-base-dists-t-quantile';
import {mean, sampleVariance} from '@epsball/benchmarks';

/** Processes of a cell from which the spread between processes is estimated. */
const LEAST_PROCESSES = 3;

/** Standard deviation of the logarithm between processes, where too few were run to estimate it. */
const ASSUMED_DEVIATION = 0.1;

/** Chance that any interval of a comparison misses its ratio. */
const ERROR = 0.05;

/** A ratio of times with its interval. */
export interface RatioInterval {
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
  /** Too few processes: the spread between them is assumed. */
  readonly isAssumed: boolean;
}

/**
 * The interval of a ratio of times by Welch's t on the logarithms of the processes' medians, all intervals of a
 * comparison together at 95 % (Bonferroni). With fewer than three processes on a side its spread is assumed to be 10 %.
 *
 * @param ours   median of each process, at least one, > 0
 * @param base   the same of the baseline
 * @param cells  number of intervals in the comparison
 */
export function ratioInterval(ours: readonly number[], base: readonly number[], cells: number): RatioInterval {
  const [a, b] = [logarithms(ours), logarithms(base)];
  const isAssumed = a.length < LEAST_PROCESSES || b.length < LEAST_PROCESSES;
  const [va, vb] = [varianceOf(a) / a.length, varianceOf(b) / b.length];
  const difference = mean(a) - mean(b);
  const half = tQuantile(1 - ERROR / 2 / Math.max(1, cells), freedom(va, a.length, vb, b.length)) * Math.sqrt(va + vb);
  return {
    ratio: Math.exp(difference),
    low: Math.exp(difference - half),
    high: Math.exp(difference + half),
    isAssumed,
  };
}

function logarithms(times: readonly number[]): number[] {
  return times.map((ms) => Math.log(Math.max(ms, Number.MIN_VALUE)));
}

function varianceOf(values: readonly number[]): number {
  return values.length < LEAST_PROCESSES ? ASSUMED_DEVIATION ** 2 : sampleVariance(values);
}

/** Welch and Satterthwaite's degrees of freedom; many for a side whose spread is assumed. */
function freedom(va: number, na: number, vb: number, nb: number): number {
  const of = (n: number): number => (n < LEAST_PROCESSES ? 1000 : n - 1);
  const divisor = va ** 2 / of(na) + vb ** 2 / of(nb);
  return divisor === 0 ? of(na) + of(nb) : (va + vb) ** 2 / divisor;
}
