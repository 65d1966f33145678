import {findRoot} from '@epsball/union-find';

const RECENT = 4096;

const GROWN_WORDS = 1024;

/**
 * Y of PDSDBSCAN-S: the pairs of an own point and a point of another part. If x and y are in one set, the pairs (x,
 * x') and (y, x') are equivalent; most such duplicates are left out.
 */
export class PairList {
  #words: Int32Array;
  #length = 0;
  readonly #parent: Int32Array;
  #recent: {readonly foreign: Int32Array; readonly own: Int32Array} | undefined;

  /** @param parent  the forest, in which the sets of own points hold own points only */
  constructor(words: Int32Array, parent: Int32Array) {
    this.#words = words;
    this.#parent = parent;
  }

  /** Number of words in the list: two for each pair. */
  get length(): number {
    return this.#length;
  }

  get words(): Int32Array {
    return this.#words;
  }

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
