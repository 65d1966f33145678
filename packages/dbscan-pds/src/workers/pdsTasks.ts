// What threads do in a run of PDSDBSCAN-S: one function a wave.
// Plain stores go to words of the chunk's own and are read by other threads in later waves only, which `WorkerPool` orders.
// Where chunks of one wave meet in a word, in searching cells and merging, `union-find` says why that is harmless.
import {openSharedGrid, type SharedGrid} from '@epsball/spatial-grid/workers';
import type {CellIndex} from '@epsball/spatial-grid';
import {clearFirsts, uniteLocked, uniteShared, type ClusterFirsts, type PointForest} from '@epsball/union-find';
import {CellUnion} from '../cellUnion.ts';
import {assignLabels as assignLabelsOfRange, type RunResult} from '../clusterLabels.ts';
import type {SearchSpace} from '../forest.ts';
import {openLinear, type LinearArrays} from '../linearIndex.ts';
import {LocalUnion} from '../localUnion.ts';
import {LocalUnionByIndex} from '../localUnionByIndex.ts';
import {markCore as markCoreOfRange} from '../markCore.ts';
import {PartLists, type CrossPairs, type SpilledPairs} from './crossPairs.ts';

/** `SearchSpace` as it is sent to threads. */
export interface SharedSpace {
  readonly source: {readonly grid: SharedGrid} | {readonly linear: LinearArrays};
  readonly eps: number;
  readonly forest: PointForest;
}

/** Marks the core points in a range of positions, and makes its points ready for unions. */
export function markCore(
  {space, minPts, firsts}: {space: SharedSpace; minPts: number; firsts: ClusterFirsts},
  start: number,
  end: number,
): void {
  markCoreOfRange(openSpace(space), minPts, start, end);
  clearFirsts(firsts, start, end);
}

export interface LocalPart {
  readonly space: SharedSpace;
  readonly cross: CrossPairs;
  /** As for `CellUnion`, a byte a point. */
  readonly whole: Uint8Array;
  /** One thread takes all chunks, in ascending order: earlier ones are done and belong to its part. */
  readonly isAlone: boolean;
}

/** Local computation over a run of cells. */
export function uniteCells(
  {space, cross, whole, isAlone}: LocalPart,
  firstCell: number,
  endCell: number,
  part: number,
): SpilledPairs | undefined {
  const opened = openSpace(space);
  const lists = new PartLists(cross, part, opened.forest.parent);
  new LocalUnion(opened, isAlone ? 0 : firstCell, whole, lists).uniteCells(firstCell, endCell);
  return lists.close();
}

/** Local computation over a range of original indices. */
export function uniteIndices(
  {space, cross}: LocalPart,
  first: number,
  end: number,
  part: number,
): SpilledPairs | undefined {
  const opened = openSpace(space);
  const lists = new PartLists(cross, part, opened.forest.parent);
  new LocalUnionByIndex(opened, first, end, lists.points).unite();
  return lists.close();
}

/** A part whose lists are there. */
interface ListedPart extends LocalPart {
  readonly spilled: readonly SpilledPairs[];
}

/**
 * Local computation, where large cells of two parts meet: looks for the pairs of points that join them, now that all parts
 * know which of their cells are whole, and lists them.
 */
export function searchCells({space, cross, whole, spilled}: ListedPart, part: number): SpilledPairs | undefined {
  const opened = openSpace(space);
  const {cellStart} = opened.index;
  const lists = new PartLists(cross, part, opened.forest.parent, spilled);
  const {points, cells} = lists;
  // Other parts' points come before those of the own one.
  const union = new CellUnion(opened, whole, (a, b) => points.add(Math.max(a, b), Math.min(a, b)));
  for (let k = 0; k < cells.length; k += 2) {
    const cell = cells.words[k];
    const other = cells.words[k + 1];
    union.uniteCells(cellStart[cell], cellStart[cell + 1], cellStart[other], cellStart[other + 1]);
  }
  return lists.close();
}

/** Merging: unites the pairs of points of a part, while other threads unite theirs. Without locks unions are lock-free. */
export function mergePairs(
  {space, cross, spilled, locks}: ListedPart & {locks: Int32Array | undefined},
  part: number,
): void {
  const {parent} = space.forest;
  const {length, words} = new PartLists(cross, part, parent, spilled).points;
  for (let k = 0; k < length; k += 2) {
    if (locks === undefined) uniteShared(parent, words[k], words[k + 1]);
    else uniteLocked(parent, locks, words[k], words[k + 1]);
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
