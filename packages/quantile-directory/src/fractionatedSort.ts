/** Digits of a word: 11, 11 and 10 bits. */
const SHIFTS = [0, 11, 22] as const;
const BUCKETS = 2048;
const DIGIT_MASK = BUCKETS - 1;

/** Shorter runs are sorted by comparison, which costs less than three counts of 2048 buckets. */
const SMALL_RUN = 256;

/**
 * Stable sort of one partition at a time, by words of points: the “fractionated sorting” of Böhm et al. 2009, section
 * 6. A radix sort from the least significant digit.
 *
 * Allocates 12 bytes a point.
 */
export class FractionatedSort {
  readonly #counts = new Int32Array(BUCKETS);
  readonly #keys: Uint32Array;
  readonly #otherKeys: Uint32Array;
  readonly #otherOrder: Int32Array;

  constructor(n: number) {
    this.#keys = new Uint32Array(n);
    this.#otherKeys = new Uint32Array(n);
    this.#otherOrder = new Int32Array(n);
  }

  /**
   * @param order  points; sorts those at [start, end) by ascending words
   * @param words  by point, least significant word first
   */
  sort(order: Int32Array, start: number, end: number, words: readonly Uint32Array[]): void {
    if (end - start < SMALL_RUN) {
      order.subarray(start, end).sort((a, b) => compareWords(words, a, b));
      return;
    }
    for (const word of words) this.#sortByWord(order, start, end, word);
  }

  #sortByWord(order: Int32Array, start: number, end: number, word: Uint32Array): void {
    let [keys, otherKeys, points, otherPoints] = [this.#keys, this.#otherKeys, order, this.#otherOrder];
    for (let k = start; k < end; k++) keys[k] = word[points[k]];
    for (const shift of SHIFTS) {
      if (!this.#countDigits(keys, start, end, shift)) continue;
      const counts = this.#counts;
      for (let k = start; k < end; k++) {
        const to = counts[(keys[k] >>> shift) & DIGIT_MASK]++;
        otherKeys[to] = keys[k];
        otherPoints[to] = points[k];
      }
      [keys, otherKeys, points, otherPoints] = [otherKeys, keys, otherPoints, points];
    }
    if (points !== order) order.set(points.subarray(start, end), start);
  }

  /**
   * Writes the start of the run of each digit to `#counts`.
   *
   * @returns  false if all keys have the same digit and their order stays
   */
  #countDigits(keys: Uint32Array, start: number, end: number, shift: number): boolean {
    const counts = this.#counts.fill(0);
    for (let k = start; k < end; k++) counts[(keys[k] >>> shift) & DIGIT_MASK]++;
    if (counts[(keys[start] >>> shift) & DIGIT_MASK] === end - start) return false;
    let next = start;
    for (let digit = 0; digit < BUCKETS; digit++) {
      const count = counts[digit];
      counts[digit] = next;
      next += count;
    }
    return true;
  }
}

function compareWords(words: readonly Uint32Array[], a: number, b: number): number {
  for (let w = words.length - 1; w >= 0; w--) {
    const difference = words[w][a] - words[w][b];
    if (difference !== 0) return difference;
  }
  return 0;
}
