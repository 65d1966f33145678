/** Returns uniform values in [0, 1) with 32 random bits; the same on every machine. */
export type Random = () => number;

/**
 * A small seeded generator. The seed determines all values.
 *
 * @param seed  any number; only its low 32 bits matter
 * @returns     a generator with its own state
 * @source      mulberry32, Tommy Ettinger 2017 (public domain)
 */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Standard normal value (Box–Muller, one of the two). */
export function gaussian(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
