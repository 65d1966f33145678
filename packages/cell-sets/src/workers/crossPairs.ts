import {PairList} from '../pairList.ts';

/** The pairs between parts, on shared memory. Each part lists its pairs with other parts; merging unites them. */
export interface CrossPairs {
  /** Bounds of the parts: positions or original indices. */
  readonly start: Int32Array;
  /** Two values for each part: words of its pairs of points, and number of pairs of large cells that it searched. */
  readonly counts: Int32Array;
  /** Free memory, a word for each point: each part lists its pairs in its own share. */
  readonly words: Int32Array;
}

/** The list of a part that has outgrown its share. */
export interface SpilledPairs {
  readonly part: number;
  readonly words: Int32Array;
}

export function createCrossPairs(start: readonly number[], words: Int32Array): CrossPairs {
  const parts = start.length - 1;
  const shared = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT * (3 * parts + 1)));
  shared.set(start);
  return {start: shared.subarray(0, parts + 1), counts: shared.subarray(parts + 1), words};
}

export function countPairs({counts}: CrossPairs): {crossPairs: number; crossCellPairs: number} {
  let crossPairs = 0;
  let crossCellPairs = 0;
  for (let k = 0; k < counts.length; k += 2) {
    crossPairs += counts[k] / 2;
    crossCellPairs += counts[k + 1];
  }
  return {crossPairs, crossCellPairs};
}

/** Bounds of a wave that merges: runs of parts with at least `pairsPerChunk` pairs, except the last. */
export function mergeBounds({counts}: CrossPairs, pairsPerChunk: number): number[] {
  const parts = counts.length / 2;
  const bounds = [0];
  let pairs = 0;
  for (let part = 0; part < parts; part++) {
    pairs += counts[2 * part] / 2;
    if (pairs < pairsPerChunk && part + 1 < parts) continue;
    bounds.push(part + 1);
    pairs = 0;
  }
  return bounds;
}

export function openPairs({start, words}: CrossPairs, part: number, parent: Int32Array): PairList {
  return new PairList(words.subarray(start[part], start[part + 1]), parent);
}

/** Stores the counts of a part. Returns its list if that has outgrown its share. */
export function closePairs(
  {counts, words}: CrossPairs,
  part: number,
  pairs: PairList,
  crossCellPairs: number,
): SpilledPairs | undefined {
  counts[2 * part] = pairs.length;
  counts[2 * part + 1] = crossCellPairs;
  return pairs.words.buffer === words.buffer ? undefined : {part, words: pairs.words};
}

export function pairsOf(
  {start, counts, words}: CrossPairs,
  part: number,
  spilled: readonly SpilledPairs[],
): Int32Array {
  const listed = spilled.find((one) => one.part === part)?.words ?? words.subarray(start[part]);
  return listed.subarray(0, counts[2 * part]);
}
