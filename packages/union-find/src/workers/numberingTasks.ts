// What threads do to number clusters: one function a wave.
import {findFirsts as findFirstsOfRange, markFirsts as markFirstsOfRange} from '../clusterNumbers.ts';
import type {ClusterFirsts, PointForest} from '../clusterNumbers.ts';

/** What numbering reads and writes, on shared memory. */
export interface Numbering {
  readonly forest: PointForest;
  /** Ready for `findFirsts`: cleared, no marks. */
  readonly firsts: ClusterFirsts;
  /** Index of the point at each position. */
  readonly pointOrder: Int32Array;
}

/** More roots than these in a range are marked by the threads. */
const ROOTS_MAX = 512;

/** Roots, and each cluster's first point, from a range of positions; returns the roots of the range where they are few. */
export function findFirsts({forest, firsts, pointOrder}: Numbering, start: number, end: number): number[] | undefined {
  return findFirstsOfRange(forest, firsts, pointOrder, start, end, ROOTS_MAX);
}

/** Marks the first points of the clusters whose roots are in a range of positions. */
export function markFirsts({forest, firsts}: Numbering, start: number, end: number): void {
  markFirstsOfRange(forest, firsts, start, end);
}
