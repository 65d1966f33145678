/**
 * An open-addressed table of integers ≥ 0 whose keys are elsewhere: linear probing, at most two thirds full.
 *
 * Callers compare keys: from `hash & mask` on they go through `entries` until they find 0. An entry is the value + 1.
 */
export class HashTable {
  entries: Int32Array = new Int32Array(16);
  mask = 15;
  #count = 0;
  readonly #hashOf: (value: number) => number;

  /** @param hashOf  hash of the key of a value in the table */
  constructor(hashOf: (value: number) => number) {
    this.#hashOf = hashOf;
  }

  /** Adds a value whose key is not in the table. */
  add(value: number): void {
    if (3 * (this.#count + 1) > 2 * this.entries.length) this.#resize(this.entries.length * 2);
    this.#put(value);
    this.#count++;
  }

  /** Makes room for more values at once. */
  reserve(more: number): void {
    let length = this.entries.length;
    while (3 * (this.#count + more) > 2 * length) length *= 2;
    if (length > this.entries.length) this.#resize(length);
  }

  /** Removes a value of the table. Later entries of its run move up, so that no gap ends a search early. */
  remove(value: number): void {
    const {entries, mask} = this;
    let gap = this.#hashOf(value) & mask;
    while (entries[gap] !== value + 1) gap = (gap + 1) & mask;
    for (let k = (gap + 1) & mask; entries[k] !== 0; k = (k + 1) & mask) {
      const home = this.#hashOf(entries[k] - 1) & mask;
      // An entry may move to the gap unless its home lies behind it.
      if (((k - home) & mask) < ((k - gap) & mask)) continue;
      entries[gap] = entries[k];
      gap = k;
    }
    entries[gap] = 0;
    this.#count--;
  }

  #put(value: number): void {
    const {entries, mask} = this;
    let k = this.#hashOf(value) & mask;
    while (entries[k] !== 0) k = (k + 1) & mask;
    entries[k] = value + 1;
  }

  #resize(length: number): void {
    const old = this.entries;
    this.entries = new Int32Array(length);
    this.mask = length - 1;
    for (const entry of old) if (entry !== 0) this.#put(entry - 1);
  }
}

/** Spreads the bits of a 32-bit integer (the finalizer of MurmurHash3, public domain). */
export function mix(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
