import {findRoot} from '@epsball/union-find';

/** Places of the memory for pairs that were listed lately. */
const RECENT = 4096;

/** Fewest words of a list that has outgrown its place. */
const GROWN_WORDS = 1024;

/**
 * Y of PDSDBSCAN-S: the pairs whose second side is another thread's. Pairs (x, x') and (y, x') say the same where
 * x and y are in one set already, so of such pairs most are left out.
 */
export class PairList {
  #words: Int32Array;
  #length = 0;
  readonly #parent: Int32Array;
  #recent: {readonly foreign: Int32Array; readonly own: Int32Array} | undefined;

  /**
   * @param words   where the list begins; it moves to memory of its own when it grows beyond
   * @param parent  own points hang below own points
   */
  constructor(words: Int32Array, parent: Int32Array) {
    this.#words = words;
    this.#parent = parent;
  }

  /** Words in the list: two a pair. */
  get length(): number {
    return this.#length;
  }

  /** Where the pairs are: own point, foreign point. */
  get words(): Int32Array {
    return this.#words;
  }

  /** Lists a pair, unless it says nothing new. */
  add(own: number, foreign: number): void {
    const recent = (this.#recent ??= {foreign: new Int32Array(RECENT).fill(-1), own: new Int32Array(RECENT)});
    const slot = foreign & (RECENT - 1);
    if (recent.foreign[slot] === foreign) {
      const parent = this.#parent;
      const before = recent.own[slot];
      if (parent[before] === parent[own] || findRoot(parent, before) === findRoot(parent, own)) return;
    }
    recent.foreign[slot] = foreign;
    recent.own[slot] = own;
    if (this.#length + 2 > this.#words.length) this.#grow();
    this.#words[this.#length++] = own;
    this.#words[this.#length++] = foreign;
  }

  #grow(): void {
    const length = Math.max(GROWN_WORDS, 2 * this.#words.length);
    const grown = new Int32Array(new SharedArrayBuffer(4 * length));
    grown.set(this.#words.subarray(0, this.#length));
    this.#words = grown;
  }
}
