// What threads do in a run of PDSDBSCAN-S: one function a wave.
import {openSharedGrid, type SharedGrid} from '@epsball/spatial-grid/workers';
import type {CellIndex} from '@epsball/spatial-grid';
import {uniteLocked, uniteShared} from '@epsball/union-find';
import {
  assignLabels as assignLabelsOfCells,
  clearFirsts,
  findFirsts as findFirstsOfRange,
  markFirsts as markFirstsOfRange,
  type ClusterFirsts,
  type RunResult,
} from '../clusterLabels.ts';
import type {PointForest, SearchSpace} from '../forest.ts';
import {openLinear, type LinearArrays} from '../linearIndex.ts';
import {LocalUnion} from '../localUnion.ts';
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
}

export interface PartPairs {
  /** Words of the part's pairs, two a pair. */
  readonly length: number;
  /** Where they are, unless they fit where the part's points begin in `pairWords`. */
  readonly spilled?: Int32Array;
}

/** Local computation over a run of cells. */
export function uniteCells({space, pairWords}: LocalPart, firstCell: number, endCell: number): PartPairs {
  const opened = openSpace(space);
  const {cellStart} = opened.index;
  const place = pairWords.subarray(cellStart[firstCell], cellStart[endCell]);
  const pairs = new PairList(place, opened.forest.parent);
  new LocalUnion(opened, firstCell, endCell, pairs).uniteCells(firstCell, endCell);
  return pairsOf(pairs, place);
}

/** Local computation over a range of original indices. */
export function uniteIndices({space, pairWords}: LocalPart, first: number, end: number): PartPairs {
  const opened = openSpace(space);
  const place = pairWords.subarray(first, end);
  const pairs = new PairList(place, opened.forest.parent);
  new LocalUnionByIndex(opened, first, end, pairs).unite();
  return pairsOf(pairs, place);
}

/** The pairs of all parts, for merging. */
export interface CrossPairs {
  readonly parent: Int32Array;
  readonly pairWords: Int32Array;
  /** Where each part's pairs begin in `pairWords`. */
  readonly start: readonly number[];
  readonly parts: readonly PartPairs[];
  /** For `uniteLocked`; without them unions are lock-free. */
  readonly locks?: Int32Array | undefined;
}

/** Merging: unites the pairs of some parts, while other threads unite theirs. */
export function mergePairs({parent, pairWords, start, parts, locks}: CrossPairs, first: number, end: number): void {
  for (let part = first; part < end; part++) {
    const {length, spilled} = parts[part];
    const words = spilled ?? pairWords.subarray(start[part]);
    if (locks === undefined) for (let k = 0; k < length; k += 2) uniteShared(parent, words[k], words[k + 1]);
    else for (let k = 0; k < length; k += 2) uniteLocked(parent, locks, words[k], words[k + 1]);
  }
}

interface Numbering {
  readonly forest: PointForest;
  readonly firsts: ClusterFirsts;
}

/** Roots, and each cluster's first point, from a range of positions. */
export function findFirsts(
  {forest, firsts, pointOrder}: Numbering & {pointOrder: Int32Array},
  start: number,
  end: number,
): void {
  findFirstsOfRange(forest, firsts, pointOrder, start, end);
}

/** Marks the first points of the clusters whose roots are in a range of positions. */
export function markFirsts({forest, firsts}: Numbering, start: number, end: number): void {
  markFirstsOfRange(forest, firsts, start, end);
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

function pairsOf({length, words}: PairList, place: Int32Array): PartPairs {
  return words === place ? {length} : {length, spilled: words};
}
