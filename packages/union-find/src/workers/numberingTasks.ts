// Tasks that number clusters, one for each wave.
import {findFirsts as findFirstsOfRange, markFirsts as markFirstsOfRange} from '../clusterNumbers.ts';
import type {ClusterFirsts, PointForest} from '../clusterNumbers.ts';

/** Input of the tasks, on shared memory. */
export interface Numbering {
  readonly forest: PointForest;
  /** Cleared by `clearFirsts`, without marks. */
  readonly firsts: ClusterFirsts;
  readonly pointOrder: Int32Array;
}

/** If a range has more roots, the threads mark the firsts. */
const ROOTS_MAX = 512;

/** Finds roots and firsts of a range of positions. Returns the roots of the range, if they are at most `ROOTS_MAX`. */
export function findFirsts({forest, firsts, pointOrder}: Numbering, start: number, end: number): number[] | undefined {
  return findFirstsOfRange(forest, firsts, pointOrder, start, end, ROOTS_MAX);
}

export function markFirsts({forest, firsts}: Numbering, start: number, end: number): void {
  markFirstsOfRange(forest, firsts, start, end);
}
