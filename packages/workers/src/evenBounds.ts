/**
 * Bounds of even chunks of [0, n), for a wave.
 *
 * @param count  at most so many; at least one, and none of them empty unless n is 0
 */
export function evenBounds(n: number, count: number): number[] {
  const chunks = Math.max(1, Math.min(count, n));
  return Array.from({length: chunks + 1}, (_, k) => Math.floor((n * k) / chunks));
}
