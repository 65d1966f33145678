/**
 * A permutation of all 32-bit words that looks like noise: the finalizer of MurmurHash3. Sorted keys can be checked
 * without a reference, because the value of a key gives the index that it came from.
 */
export function mix(index: number): number {
  let word = index;
  word = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35);
  return (word ^ (word >>> 16)) >>> 0;
}

/** The inverse of `mix`. */
export function unmix(word: number): number {
  let index = word ^ (word >>> 16);
  index = Math.imul(index, 0x7ed1b41d);
  index = Math.imul(index ^ (index >>> 13) ^ (index >>> 26), 0xa5cb9243);
  return (index ^ (index >>> 16)) >>> 0;
}

/** Zeros. */
export function words(count: number): Uint32Array {
  return new Uint32Array(count);
}

/** Zeros. */
export function floats(count: number): Float32Array {
  return new Float32Array(count);
}

/** Noise over the whole range, each word once. */
export function noise(count: number): Uint32Array {
  return fill(words(count), mix);
}

/** Evenly from 0 … 2^bits − 1; bits from 1 to 32. */
export function digits(count: number, bits: number): Uint32Array {
  return fill(words(count), (i) => mix(i) >>> (32 - bits));
}

/** Runs of equal keys, four long on average: one begins with a chance of a quarter. Each run has a key of its own. */
export function runs(count: number): Uint32Array {
  return mapWords(ascendingRuns(count), (run) => mix(run + 1));
}

/** Ascending keys from 0 on, in runs of four on average. */
export function ascendingRuns(count: number): Uint32Array {
  let run = 0;
  return fill(words(count), (i) => (i > 0 && mix(i) >>> 30 === 0 ? ++run : run));
}

/** 0 … count − 1, each once, without a pattern that a cache could use. */
export function shuffled(count: number): Uint32Array {
  const bits = Math.max(1, Math.ceil(Math.log2(count)));
  const mask = 2 ** bits - 1;
  const half = Math.ceil(bits / 2);
  // Odd factors and shifted sums permute the numbers of so many bits; those beyond the count go round again.
  const step = (index: number): number => {
    let word = index;
    for (let round = 0; round < 3; round++) {
      word = (Math.imul(word, 0x9e37_79b1) + round) & mask;
      word ^= word >>> half;
    }
    return word >>> 0;
  };
  return fill(words(count), (i) => {
    let word = step(i);
    while (word >= count) word = step(word);
    return word;
  });
}

/** 0, 1, 2 … */
export function positions(count: number): Uint32Array {
  return fill(words(count), (i) => i);
}

/**
 * Whole numbers from −63 to 63. Up to 2^28 of them no sum of any part leaves ±2^24, so float32 sums are exact in
 * whatever order they are made, and can be compared bit by bit.
 */
export function smallWholes(count: number): Float32Array {
  return fill(floats(count), (i) => {
    const word = mix(i);
    const size = (word >>> 1) & 63;
    // Not `-size`: −0 + 0 is 0, so a sum of one element would depend on how it begins.
    return (word & 1) === 0 ? size : 0 - size;
  });
}

/** Multiples of 2^-23 in [−1, 1), none of them −0; of 2^28 many are equal. */
export function fractionAt(index: number): number {
  return ((mix(index) >>> 8) - 2 ** 23) / 2 ** 23;
}

export function fractions(count: number): Float32Array {
  return fill(floats(count), fractionAt);
}

/** The high word of a 64-bit key whose low one is `mix(index)`. */
export function wideHigh(index: number): number {
  return mix(index ^ 0x9e37_79b9);
}

/** Noise in two words an element, the low one first, each pair once. */
export function wideNoise(count: number): Uint32Array {
  return fill(words(2 * count), (k) => (k % 2 === 0 ? mix : wideHigh)(k >>> 1));
}

/** `of` each word. */
export function mapWords(all: Uint32Array, of: (word: number) => number): Uint32Array {
  return fill(words(all.length), (i) => of(all[i]));
}

/** `at` each place; a loop, because `map` calls through the engine, at three times the cost. */
function fill<A extends Uint32Array | Float32Array>(values: A, at: (index: number) => number): A {
  for (let i = 0; i < values.length; i++) values[i] = at(i);
  return values;
}
