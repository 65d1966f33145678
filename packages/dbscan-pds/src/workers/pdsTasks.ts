// What threads do in a run of PDSDBSCAN-S: one function a wave.
// Plain stores go to words of the chunk's own and are read by other threads in later waves only, which `WorkerPool` orders.
// Where chunks of one wave meet in a word, in merging, they use atomics or the locks.
import {openSharedGrid, type SharedGrid} from '@epsball/spatial-grid/workers';
import type {CellIndex} from '@epsball/spatial-grid';
import {clearFirsts, uniteLocked, uniteShared, type ClusterFirsts, type PointForest} from '@epsball/union-find';
import {assignLabels as assignLabelsOfCells, type RunResult} from '../clusterLabels.ts';
import type {SearchSpace} from '../forest.ts';
import {openLinear, type LinearArrays} from '../linearIndex.ts';
import {CellUnion, type Unite} from '../cellUnion.ts';
import {LocalUnion, type ForeignPairs} from '../localUnion.ts';
import {LocalUnionByIndex} from '../localUnionByIndex.ts';
import {markCore as markCoreOfCells} from '../markCore.ts';
import {PairList} from '../pairList.ts';

/** `SearchSpace` as it is sent to threads. */
export interface SharedSpace {
  readonly source: {readonly grid: SharedGrid} | {readonly linear: LinearArrays};
  readonly eps: number;
  readonly forest: PointForest;
}

/** Marks the core points of a run of cells, and makes its points ready for unions. */
export function markCore(
  {space, minPts, firsts}: {space: SharedSpace; minPts: number; firsts: ClusterFirsts},
  firstCell: number,
  endCell: number,
): void {
  const opened = openSpace(space);
  const {cellStart} = opened.index;
  markCoreOfCells(opened, minPts, firstCell, endCell);
  clearFirsts(firsts, cellStart[firstCell], cellStart[endCell]);
}

export interface LocalPart {
  readonly space: SharedSpace;
  /** Free memory for the pairs of all parts, a word a point. */
  readonly pairWords: Int32Array;
  /** As for `CellUnion`, a byte a point. */
  readonly whole: Uint8Array;
  /** One thread takes all chunks, in ascending order: earlier ones are done and belong to its part. */
  readonly isAlone: boolean;
}

/** What a part leaves to merging. */
export interface PartPairs {
  readonly points: PartList;
  readonly cells: PartList;
}

/** One list of a part. Each list of a part begins in one half of the part's words. */
interface PartList {
  /** Words, two a pair. */
  readonly length: number;
  /** Where they are, if they did not fit there. */
  readonly spilled?: Int32Array;
}

/** Local computation over a run of cells. */
export function uniteCells(
  {space, pairWords, whole, isAlone}: LocalPart,
  firstCell: number,
  endCell: number,
): PartPairs {
  const opened = openSpace(space);
  const {cellStart} = opened.index;
  return collectPairs(opened, pairWords, cellStart[firstCell], cellStart[endCell], (pairs) =>
    new LocalUnion(opened, isAlone ? 0 : firstCell, whole, pairs).uniteCells(firstCell, endCell),
  );
}

/** Local computation over a range of original indices. */
export function uniteIndices({space, pairWords}: LocalPart, first: number, end: number): PartPairs {
  const opened = openSpace(space);
  return collectPairs(opened, pairWords, first, end, ({points}) =>
    new LocalUnionByIndex(opened, first, end, points).unite(),
  );
}

function collectPairs(
  {forest}: SearchSpace,
  pairWords: Int32Array,
  start: number,
  end: number,
  unite: (pairs: ForeignPairs) => void,
): PartPairs {
  const half = (start + end) >> 1;
  const pointWords = pairWords.subarray(start, half);
  const cellWords = pairWords.subarray(half, end);
  const pairs = {points: new PairList(pointWords, forest.parent), cells: new PairList(cellWords, forest.parent)};
  unite(pairs);
  return {points: listOf(pairs.points, pointWords), cells: listOf(pairs.cells, cellWords)};
}

function listOf({length, words}: PairList, place: Int32Array): PartList {
  return words === place ? {length} : {length, spilled: words};
}

/** The pairs of all parts, for merging. */
interface CrossPairs extends LocalPart {
  /** Where each part begins in `pairWords`, and their end. */
  readonly start: readonly number[];
  readonly parts: readonly PartPairs[];
  /** For `uniteLocked`; without them unions are lock-free. */
  readonly locks?: Int32Array | undefined;
}

/** Merging: unites the pairs of some parts, while other threads unite theirs. */
export function mergePairs(
  {space, pairWords, whole, start, parts, locks}: CrossPairs,
  first: number,
  end: number,
): void {
  const opened = openSpace(space);
  const {cellStart} = opened.index;
  const {parent} = opened.forest;
  const unite: Unite =
    locks === undefined ? (a, b) => uniteShared(parent, a, b) : (a, b) => uniteLocked(parent, locks, a, b);
  const union = new CellUnion(opened, whole, unite);
  for (let part = first; part < end; part++) {
    const {points, cells} = parts[part];
    const half = (start[part] + start[part + 1]) >> 1;
    const pointWords = points.spilled ?? pairWords.subarray(start[part], half);
    for (let k = 0; k < points.length; k += 2) unite(pointWords[k], pointWords[k + 1]);
    const cellWords = cells.spilled ?? pairWords.subarray(half, start[part + 1]);
    for (let k = 0; k < cells.length; k += 2) {
      const cell = cellWords[k];
      const other = cellWords[k + 1];
      union.uniteCells(cellStart[cell], cellStart[cell + 1], cellStart[other], cellStart[other + 1]);
    }
  }
}

/** Labels and core flags of a run of cells. */
export function assignLabels(
  {space, firsts, result}: {space: SharedSpace; firsts: ClusterFirsts; result: RunResult},
  firstCell: number,
  endCell: number,
): void {
  assignLabelsOfCells(openSpace(space), firsts, result, firstCell, endCell);
}

function openSpace({source, eps, forest}: SharedSpace): SearchSpace {
  const index: CellIndex = 'grid' in source ? openSharedGrid(source.grid) : openLinear(source.linear);
  return {index, eps, forest};
}
