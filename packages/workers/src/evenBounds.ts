/**
 * Cuts [0, n) into chunks of even length.
 *
 * @param n      integer ≥ 0
 * @param count  number of chunks, clamped to 1 … n
 * @returns      bounds for a wave, one value more than chunks
 */
export function evenBounds(n: number, count: number): number[] {
  const chunks = Math.max(1, Math.min(count, n));
  return Array.from({length: chunks + 1}, (_, k) => Math.floor((n * k) / chunks));
}

/** Handing out a chunk costs more than running a chunk of fewer items. */
const ITEMS_PER_CHUNK = 2000;

/** Minimum with few threads: the signal is checked between chunks. */
const CHUNKS_MIN = 64;

/** Enough chunks for each thread to even out their different cost. */
const CHUNKS_PER_THREAD = 8;

/**
 * Number of chunks for a wave over [0, n): 8 a thread and at least 64, but fewer if the chunks would be too small.
 *
 * @param itemsPerChunk  minimum items of a chunk, integer ≥ 1. Default: 2000
 * @returns              integer ≥ 1
 */
export function chunksFor(n: number, threads: number, itemsPerChunk: number = ITEMS_PER_CHUNK): number {
  const enough = Math.max(CHUNKS_MIN, CHUNKS_PER_THREAD * threads);
  return Math.max(1, Math.min(enough, Math.floor(n / itemsPerChunk)));
}

/** `taperedBounds` cuts one chunk in 16, the last ones. */
const CUT_SHARE = 16;

/** Into 4 parts each, or fewer if the parts would be too small. */
const CUTS = 4;

/**
 * As `evenBounds`, but cuts the last chunks finer. At the end of a wave, threads then wait for a part of a chunk only.
 *
 * @param itemsPerChunk  minimum items of a part, integer ≥ 1. Default: 2000
 */
export function taperedBounds(n: number, count: number, itemsPerChunk: number = ITEMS_PER_CHUNK): number[] {
  const even = evenBounds(n, count);
  const chunks = even.length - 1;
  const whole = chunks - Math.ceil(chunks / CUT_SHARE);
  const rest = n - even[whole];
  const cuts = Math.max(chunks - whole, Math.min(CUTS * (chunks - whole), Math.floor(rest / itemsPerChunk)));
  return [...even.slice(0, whole), ...evenBounds(rest, cuts).map((bound) => even[whole] + bound)];
}
