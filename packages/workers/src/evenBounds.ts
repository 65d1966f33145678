/**
 * Bounds of even chunks of [0, n), for a wave.
 *
 * @param count  at most so many; at least one, and none of them empty unless n is 0
 */
export function evenBounds(n: number, count: number): number[] {
  const chunks = Math.max(1, Math.min(count, n));
  return Array.from({length: chunks + 1}, (_, k) => Math.floor((n * k) / chunks));
}

/** Fewer points take less time than handing out a chunk is worth. */
const ITEMS_PER_CHUNK = 2000;

/** So many chunks even where threads are few: a signal is looked at between two. */
const CHUNKS_MIN = 64;

/** Chunks a thread that even out what is uneven in them. */
const CHUNKS_PER_THREAD = 8;

/**
 * How many chunks a wave over [0, n) is worth: 8 a thread and 64 at least, but none of few items.
 *
 * @param itemsPerChunk  integer ≥ 1: no chunk of fewer items
 * @returns              at least 1
 */
export function chunksFor(n: number, threads: number, itemsPerChunk: number = ITEMS_PER_CHUNK): number {
  const enough = Math.max(CHUNKS_MIN, CHUNKS_PER_THREAD * threads);
  return Math.max(1, Math.min(enough, Math.floor(n / itemsPerChunk)));
}

/** One chunk in so many is cut, the last ones. */
const CUT_SHARE = 16;

/** Into so many, or fewer where these would be too small. */
const CUTS = 4;

/**
 * As `evenBounds`, and the last chunks are cut finer: what threads wait for at the end of a wave is a part of the last chunk.
 *
 * @param itemsPerChunk  integer ≥ 1: no cut makes fewer
 */
export function taperedBounds(n: number, count: number, itemsPerChunk: number = ITEMS_PER_CHUNK): number[] {
  const even = evenBounds(n, count);
  const chunks = even.length - 1;
  const whole = chunks - Math.ceil(chunks / CUT_SHARE);
  const rest = n - even[whole];
  const cuts = Math.max(chunks - whole, Math.min(CUTS * (chunks - whole), Math.floor(rest / itemsPerChunk)));
  return [...even.slice(0, whole), ...evenBounds(rest, cuts).map((bound) => even[whole] + bound)];
}
