// What threads do in a run of PDSDBSCAN-S: one function a wave.
// Plain stores go to words of the chunk's own and are read by other threads in later waves only, which `WorkerPool` orders.
// Where chunks of one wave meet in a word, in merging, `union-find` says why that is harmless.
import {openSharedGrid, type CellIndex, type SharedGrid} from '@epsball/spatial-grid';
import {clearFirsts, uniteLocked, uniteShared, type ClusterFirsts, type PointForest} from '@epsball/union-find';
import {assignLabels as assignLabelsOfRange, type RunResult} from '../clusterLabels.ts';
import type {SearchSpace} from '../forest.ts';
import {openLinear, type LinearArrays} from '../linearIndex.ts';
import {LocalUnion} from '../localUnion.ts';
import {LocalUnionByIndex} from '../localUnionByIndex.ts';
import {markCore as markCoreOfRange} from '../markCore.ts';
import type {Pieces} from '../pieces.ts';
import {closePairs, openPairs, pairsOf, type CrossPairs, type SpilledPairs} from './crossPairs.ts';

/** `SearchSpace` as it is sent to threads. */
export interface SharedSpace {
  readonly source: {readonly grid: SharedGrid} | {readonly linear: LinearArrays};
  readonly eps: number;
  readonly forest: PointForest;
}

/** Marks the core points in a range of positions, and makes its points ready for unions. */
export function markCore(
  {
    space,
    minPts,
    firsts,
    pieces,
  }: {space: SharedSpace; minPts: number; firsts: ClusterFirsts; pieces: Pieces | undefined},
  start: number,
  end: number,
): void {
  markCoreOfRange(openSpace(space), minPts, start, end, pieces?.state);
  clearFirsts(firsts, start, end);
}

export interface LocalPart {
  readonly space: SharedSpace;
  readonly cross: CrossPairs;
}

/** Local computation over a run of cells. */
export function uniteCells(
  {
    space,
    cross,
    pieces,
    isAlone,
  }: LocalPart & {
    pieces: Pieces;
    /** One thread takes all chunks, in ascending order: earlier ones are done and belong to its part. */
    isAlone: boolean;
  },
  firstCell: number,
  endCell: number,
  part: number,
): SpilledPairs | undefined {
  const opened = openSpace(space);
  const pairs = openPairs(cross, part, opened.forest.parent);
  const union = new LocalUnion(opened, isAlone ? 0 : firstCell, pieces, pairs);
  union.uniteCells(firstCell, endCell);
  return closePairs(cross, part, pairs, union.crossCellPairs);
}

/** Local computation over a range of original indices. */
export function uniteIndices(
  {space, cross}: LocalPart,
  first: number,
  end: number,
  part: number,
): SpilledPairs | undefined {
  const opened = openSpace(space);
  const pairs = openPairs(cross, part, opened.forest.parent);
  new LocalUnionByIndex(opened, first, end, pairs).unite();
  return closePairs(cross, part, pairs, 0);
}

/** Merging: unites the pairs of points of some parts, while other threads unite theirs. Without locks unions are lock-free. */
export function mergePairs(
  {
    parent,
    cross,
    spilled,
    locks,
  }: {
    parent: Int32Array;
    cross: CrossPairs;
    spilled: readonly SpilledPairs[];
    locks: Int32Array | undefined;
  },
  firstPart: number,
  endPart: number,
): void {
  for (let part = firstPart; part < endPart; part++) {
    const words = pairsOf(cross, part, spilled);
    for (let k = 0; k < words.length; k += 2) {
      if (locks === undefined) uniteShared(parent, words[k], words[k + 1]);
      else uniteLocked(parent, locks, words[k], words[k + 1]);
    }
  }
}

/** Labels and core flags of a range of positions. */
export function assignLabels(
  {space, firsts, result}: {space: SharedSpace; firsts: ClusterFirsts; result: RunResult},
  start: number,
  end: number,
): void {
  assignLabelsOfRange(openSpace(space), firsts, result, start, end);
}

function openSpace({source, eps, forest}: SharedSpace): SearchSpace {
  const index: CellIndex = 'grid' in source ? openSharedGrid(source.grid) : openLinear(source.linear);
  return {index, eps, forest};
}
