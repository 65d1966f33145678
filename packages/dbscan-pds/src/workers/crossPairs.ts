import type {ForeignPairs} from '../localUnion.ts';
import {PairList} from '../pairList.ts';

/** The pairs between parts, on shared memory: each part lists those with other parts, and merging unites them. */
export interface CrossPairs {
  /** Where each part begins, and their end: positions, or original indices. */
  readonly start: Int32Array;
  /** Two values a part: the words of its pairs of points, and of its pairs of cells. */
  readonly lengths: Int32Array;
  /**
   * Free memory, a word a point. The pairs of points of a part begin in the first half of its share, the pairs of cells in
   * the other one.
   */
  readonly words: Int32Array;
}

/** Lists of a part that have outgrown their place. */
export interface SpilledPairs {
  readonly part: number;
  readonly points: Int32Array | undefined;
  readonly cells: Int32Array | undefined;
}

/** Room for the pairs of parts that begin at `start`. */
export function createCrossPairs(start: readonly number[], words: Int32Array): CrossPairs {
  const parts = start.length - 1;
  const shared = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT * (3 * parts + 1)));
  shared.set(start);
  return {start: shared.subarray(0, parts + 1), lengths: shared.subarray(parts + 1), words};
}

/** Pairs in the lists of all parts. */
export function countPairs({lengths}: CrossPairs): {points: number; cells: number} {
  let points = 0;
  let cells = 0;
  for (let k = 0; k < lengths.length; k += 2) {
    points += lengths[k] / 2;
    cells += lengths[k + 1] / 2;
  }
  return {points, cells};
}

/** The lists of one part. */
export class PartLists implements ForeignPairs {
  readonly points: PairList;
  readonly cells: PairList;
  readonly #cross: CrossPairs;
  readonly #part: number;

  /**
   * @param parent   as for `PairList`
   * @param spilled  all lists that have outgrown their place before
   */
  constructor(cross: CrossPairs, part: number, parent: Int32Array, spilled: readonly SpilledPairs[] = []) {
    const {lengths, start, words} = cross;
    const own = spilled.find((one) => one.part === part);
    const half = (start[part] + start[part + 1]) >> 1;
    this.#cross = cross;
    this.#part = part;
    this.points = new PairList(own?.points ?? words.subarray(start[part], half), parent, lengths[2 * part]);
    this.cells = new PairList(own?.cells ?? words.subarray(half, start[part + 1]), parent, lengths[2 * part + 1]);
  }

  /** Notes how many pairs there are; returns the lists that have outgrown their place, if any has. */
  close(): SpilledPairs | undefined {
    const {lengths, words} = this.#cross;
    const part = this.#part;
    lengths[2 * part] = this.points.length;
    lengths[2 * part + 1] = this.cells.length;
    const points = this.points.words.buffer === words.buffer ? undefined : this.points.words;
    const cells = this.cells.words.buffer === words.buffer ? undefined : this.cells.words;
    return points === undefined && cells === undefined ? undefined : {part, points, cells};
  }
}
