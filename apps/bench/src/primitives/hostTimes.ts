import type {PrimitiveProfile} from '@epsball/benchmarks';

/**
 * Milliseconds of each counted run, on a heap without the garbage of the previous run. Uncounted runs come first, while
 * code is compiled, except where a single run takes a quarter of the cell's seconds.
 */
export function timeOnHost(
  run: () => void,
  {repeats, settleSeconds, cellSeconds}: Pick<PrimitiveProfile, 'repeats' | 'settleSeconds' | 'cellSeconds'>,
): number[] {
  const startedAt = performance.now();
  const spentSeconds = (): number => (performance.now() - startedAt) / 1000;
  const first = timeOnce(run);
  const isLong = first > (cellSeconds * 1000) / 4;
  const times = isLong ? [first] : [];
  const settledAt = isLong ? 0 : settleSeconds;
  while (spentSeconds() < settledAt) run();
  while (times.length < repeats && (times.length === 0 || spentSeconds() < cellSeconds)) times.push(timeOnce(run));
  return times;
}

function timeOnce(run: () => void): number {
  globalThis.gc?.();
  const startedAt = performance.now();
  run();
  return performance.now() - startedAt;
}
