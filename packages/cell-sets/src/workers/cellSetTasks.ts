// Tasks of a run of PDSDBSCAN-S, one for each step. Plain stores go to words of the chunk itself. Other threads read
// them in later steps only, which `WorkerPool` orders. In merging, and in unions over a tree, chunks of one step change
// the same words; `union-find` shows why that is harmless.
import type {Radius} from '@epsball/clustering';
import {openSharedGrid, type CellIndex, type SharedGrid} from '@epsball/spatial-grid';
import {
  clearFirsts,
  findFirsts as findFirstsOfRange,
  markFirsts as markFirstsOfRange,
  rankFirsts as rankAllFirsts,
  uniteLocked,
  uniteShared,
  type ClusterFirsts,
  type PointForest,
} from '@epsball/union-find';
import {assignLabels as assignLabelsOfRange, type RunResult} from '../clusterLabels.ts';
import type {PointWeights, SearchSpace} from '../forest.ts';
import {openLeaves, type LeafArrays} from '../leafIndex.ts';
import {LeafUnion} from '../leafUnion.ts';
import {openLinear, type LinearArrays} from '../linearIndex.ts';
import {LocalUnion} from '../localUnion.ts';
import {uniteByIndex} from '../localUnionByIndex.ts';
import {markCore as markCoreOfRange} from '../markCore.ts';
import type {Pieces} from '../pieces.ts';
import type {Unite} from '../pointUnion.ts';
import {closePairs, openPairs, pairsOf, type CrossPairs, type SpilledPairs} from './crossPairs.ts';

/** `SearchSpace` in the form that is sent to threads. */
export interface SharedSpace extends Radius {
  readonly source: {readonly grid: SharedGrid} | {readonly linear: LinearArrays} | {readonly leaves: LeafArrays};
  readonly forest: PointForest;
  readonly weights?: PointWeights | undefined;
}

export interface LocalRun {
  readonly space: SharedSpace;
  readonly minPts: number;
  readonly firsts: ClusterFirsts;
  readonly cross: CrossPairs;
  readonly locks: Int32Array | undefined;
  readonly pieces: Pieces;
  /** Whether parts are runs of cells. Otherwise a cell may lie in several parts. */
  readonly isByCells: boolean;
  /** Whether one thread takes all chunks, in ascending order. Earlier chunks then belong to the same part. */
  readonly isAlone: boolean;
}

/** Marks the core points in a range of positions, and prepares its points for unions. */
export function markCore({space, minPts, firsts, pieces, isByCells}: LocalRun, start: number, end: number): void {
  markCoreOfRange(openSpace(space), minPts, start, end, isByCells ? pieces.state : undefined);
  clearFirsts(firsts, start, end);
}

/** By run: what this thread has learned of subtrees, for all its chunks. */
const leafUnions = new WeakMap<LocalRun, LeafUnion>();

/** Local computation over a run of cells. Over a tree: all unions, so that nothing is left to merging. */
export function uniteCells(run: LocalRun, firstCell: number, endCell: number, part: number): SpilledPairs | undefined {
  const {space, cross, pieces, isAlone} = run;
  if ('leaves' in space.source) {
    let leaves = leafUnions.get(run);
    if (leaves === undefined) leafUnions.set(run, (leaves = openLeafUnion(run, space.source.leaves)));
    leaves.uniteCells(firstCell, endCell);
    return undefined;
  }
  const opened = openSpace(space);
  const pairs = openPairs(cross, part, opened.forest.parent);
  const union = new LocalUnion(opened, isAlone ? 0 : firstCell, pieces, pairs);
  union.uniteCells(firstCell, endCell);
  return closePairs(cross, part, pairs, union.crossCellPairs);
}

function openLeafUnion({space, locks}: LocalRun, leaves: LeafArrays): LeafUnion {
  const index = openLeaves(leaves, space.eps);
  return new LeafUnion({...openSpace(space), index}, index, uniteOf(space.forest, locks));
}

export function uniteIndices(
  {space, cross}: LocalRun,
  first: number,
  end: number,
  part: number,
): SpilledPairs | undefined {
  const opened = openSpace(space);
  const pairs = openPairs(cross, part, opened.forest.parent);
  uniteByIndex(opened, first, end, pairs);
  return closePairs(cross, part, pairs, 0);
}

export interface JoinedRun {
  readonly space: SharedSpace;
  readonly cross: CrossPairs;
  readonly spilled: readonly SpilledPairs[];
  readonly locks: Int32Array | undefined;
  readonly pointOrder: Int32Array;
  readonly firsts: ClusterFirsts;
  readonly result: RunResult;
}

/** Merging: unites the pairs of some parts while other threads unite those of others. Without `locks`: lock-free. */
export function mergePairs({space, cross, spilled, locks}: JoinedRun, firstPart: number, endPart: number): void {
  const unite = uniteOf(space.forest, locks);
  for (let part = firstPart; part < endPart; part++) {
    const words = pairsOf(cross, part, spilled);
    for (let k = 0; k < words.length; k += 2) unite(words[k], words[k + 1]);
  }
}

function uniteOf({parent}: PointForest, locks: Int32Array | undefined): Unite {
  return locks === undefined
    ? (a, b) => void uniteShared(parent, a, b)
    : (a, b) => void uniteLocked(parent, locks, a, b);
}

/** Points the core points of a range at their roots, and lowers the firsts of their clusters. */
export function findFirsts({space, firsts, pointOrder}: JoinedRun, start: number, end: number): void {
  findFirstsOfRange(space.forest, firsts, pointOrder, start, end);
}

/** Marks the firsts of the clusters whose roots are in a range of positions. */
export function markFirsts({space, firsts}: JoinedRun, start: number, end: number): void {
  markFirstsOfRange(space.forest, firsts, start, end);
}

export function rankFirsts({firsts}: JoinedRun): number {
  return rankAllFirsts(firsts);
}

export function assignLabels({space, firsts, result}: JoinedRun, start: number, end: number): void {
  assignLabelsOfRange(openSpace(space), firsts, result, start, end);
}

function openSpace({source, ...others}: SharedSpace): SearchSpace {
  return {index: openIndex(source, others.eps), ...others};
}

function openIndex(source: SharedSpace['source'], eps: number): CellIndex {
  if ('grid' in source) return openSharedGrid(source.grid);
  return 'leaves' in source ? openLeaves(source.leaves, eps) : openLinear(source.linear);
}
