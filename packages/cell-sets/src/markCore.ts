import {limitOf} from '@epsball/clustering';
import {KdRange, type KdTree} from '@epsball/kd-tree';
import type {PointForest} from '@epsball/union-find';
import {BallQuery} from './ballQuery.ts';
import {CellBins} from './cellBins.ts';
import {hasLargeCells, isBall, type PointWeights, type SearchSpace} from './forest.ts';
import {InsideUnion} from './insideUnion.ts';
import {isLeafIndex} from './leafIndex.ts';
import {weightedCoreTest} from './markWeighted.ts';
import {APART, cellOfPosition, LARGE_CELL, WHOLE_CELL, WHOLE_PIECE} from './pieces.ts';

/**
 * Marks the core points among the positions [start, end) and makes every point there a set of its own. With `state`, as
 * in `Pieces`, also unites the core points of each large cell, and of each cell whose points are all neighbours.
 *
 * Most neighbours are in the point's own cell, which is searched first. A search ends when `minPts` are found, or too
 * few candidates are left. In crowded cells most core points need no search: `CellBins`, or the cell itself.
 *
 * @source       Patwary et al. 2012, Algorithm 2: p(x) ← x; mark x as core
 */
export function markCore(
  space: SearchSpace,
  minPts: number,
  start: number,
  end: number,
  state: Uint8Array | undefined,
): void {
  if (start === end) return;
  // Searches between large cells read the state.
  const own = hasLargeCells(space) ? state : undefined;
  if (space.weights !== undefined) markWeighted(space, space.weights, minPts, start, end, own);
  else if (isLeafIndex(space.index)) markLeaves(space, space.index.tree, minPts, start, end);
  else if (space.index.reach > 1) markWholeCells(space, minPts, start, end, own);
  else markCells(space, minPts, start, end, own);
}

function markWeighted(
  space: SearchSpace,
  weights: PointWeights,
  minPts: number,
  start: number,
  end: number,
  state: Uint8Array | undefined,
): void {
  const {index, forest} = space;
  const {cellStart} = index;
  const {isCore, parent} = forest;
  const tree = isLeafIndex(index) ? index.tree : undefined;
  const isCorePosition = weightedCoreTest(space, weights, minPts, tree);
  const inside = new InsideUnion(space);
  const areCellsWhole = tree === undefined && index.reach > 1;
  const ranges = new Int32Array(index.rangesLength);
  let from = start;
  for (let cell = cellOfPosition(cellStart, start); from < end; cell++) {
    const size = cellStart[cell + 1] - cellStart[cell];
    const to = Math.min(cellStart[cell + 1], end);
    if (from === to) continue;
    const last = tree === undefined ? 2 * index.neighborRanges(cell, ranges) : 0;
    for (let position = from; position < to; position++) {
      isCore[position] = isCorePosition(position, ranges, last) ? 1 : 0;
      parent[position] = position;
    }
    if (areCellsWhole) uniteAll(forest, from, to, state !== undefined);
    if (state !== undefined && tree === undefined && size >= LARGE_CELL) {
      state[from] = stateOf(areCellsWhole || inside.uniteInside(from, to, undefined), to - from, size);
    }
    from = to;
  }
}

function markCells(
  space: SearchSpace,
  minPts: number,
  start: number,
  end: number,
  state: Uint8Array | undefined,
): void {
  const {index, eps, forest} = space;
  const {cellStart} = index;
  const {isCore, parent} = forest;
  const ball = new BallQuery(index, space);
  const bins = new CellBins(index, eps);
  const inside = new InsideUnion(space);
  const ranges = new Int32Array(index.rangesLength);
  // One row may be cut into three ranges.
  const candidates = new Int32Array(index.rangesLength + 4);
  let from = start;
  for (let cell = cellOfPosition(cellStart, start); from < end; cell++) {
    const cellEnd = cellStart[cell + 1];
    const to = Math.min(cellEnd, end);
    if (from === to) continue;
    const last = 2 * index.neighborRanges(cell, ranges);
    const total = totalLength(ranges, last);
    const isBinned = isBall(space) && bins.fill(from, to);
    const length = total < minPts ? 0 : startWithCell(ranges, last, cellStart[cell], cellEnd, candidates);
    for (let position = from; position < to; position++) {
      const isSure = isBinned && bins.sureNeighbors(position) >= minPts;
      isCore[position] = isSure || ball.holds(minPts, position, candidates, length, total) ? 1 : 0;
      parent[position] = position;
    }
    const size = cellEnd - cellStart[cell];
    if (state !== undefined && size >= LARGE_CELL) {
      const isWhole = inside.uniteInside(from, to, isBinned ? bins : undefined);
      state[from] = stateOf(isWhole, to - from, size);
    }
    from = to;
  }
}

/** Cells whose points are all neighbours: only points in other cells are tested. */
function markWholeCells(
  space: SearchSpace,
  minPts: number,
  start: number,
  end: number,
  state: Uint8Array | undefined,
): void {
  const {index, forest} = space;
  const {cellStart} = index;
  const {isCore} = forest;
  const ball = new BallQuery(index, space);
  const ranges = new Int32Array(index.rangesLength);
  const candidates = new Int32Array(index.rangesLength + 2);
  let from = start;
  for (let cell = cellOfPosition(cellStart, start); from < end; cell++) {
    const cellBegin = cellStart[cell];
    const cellEnd = cellStart[cell + 1];
    const size = cellEnd - cellBegin;
    const to = Math.min(cellEnd, end);
    if (from === to) continue;
    if (size >= minPts) {
      isCore.fill(1, from, to);
    } else {
      const last = 2 * index.neighborRanges(cell, ranges);
      const others = totalLength(ranges, last) - size;
      const length = size + others < minPts ? 0 : besideCell(ranges, last, cellBegin, cellEnd, candidates);
      for (let position = from; position < to; position++) {
        isCore[position] = ball.holds(minPts - size, position, candidates, length, others) ? 1 : 0;
      }
    }
    uniteAll(forest, from, to, state !== undefined);
    if (state !== undefined && size >= LARGE_CELL) state[from] = stateOf(true, to - from, size);
    from = to;
  }
}

/** Leaves of a tree: each point is a query from the root, which takes subtrees within eps as a whole. */
function markLeaves(space: SearchSpace, tree: KdTree, minPts: number, start: number, end: number): void {
  const {isCore, parent} = space.forest;
  const {coords, dim} = tree;
  const range = new KdRange(tree);
  const eps2 = limitOf(space);
  for (let position = start; position < end; position++) {
    isCore[position] = range.countWithin(coords, position * dim, eps2, minPts) >= minPts ? 1 : 0;
    parent[position] = position;
  }
}

function stateOf(isWhole: boolean, pieceSize: number, cellSize: number): number {
  if (!isWhole) return APART;
  return pieceSize === cellSize ? WHOLE_CELL : WHOLE_PIECE;
}

/** Makes the core points in [start, end) one set, if requested, and each other point a set of its own. */
function uniteAll({isCore, parent}: PointForest, start: number, end: number, areUnited: boolean): void {
  let core = -1;
  for (let position = start; position < end; position++) {
    if (areUnited && core < 0 && isCore[position] === 1) core = position;
    parent[position] = isCore[position] === 1 && core >= 0 ? core : position;
  }
}

function totalLength(ranges: Int32Array, last: number): number {
  let total = 0;
  for (let r = 0; r < last; r += 2) total += ranges[r + 1] - ranges[r];
  return total;
}

/** Writes the row of the cell, then the others; first the cell alone if it is large. Returns the number of values. */
function startWithCell(ranges: Int32Array, last: number, start: number, end: number, candidates: Int32Array): number {
  const isLarge = end - start >= LARGE_CELL;
  let length = 2;
  for (let r = 0; r < last; r += 2) {
    const from = ranges[r];
    const to = ranges[r + 1];
    if (from > start || to <= start) {
      candidates[length++] = from;
      candidates[length++] = to;
    } else if (isLarge) {
      candidates[0] = start;
      candidates[1] = end;
      candidates[length++] = from;
      candidates[length++] = start;
      candidates[length++] = end;
      candidates[length++] = to;
    } else {
      candidates[0] = from;
      candidates[1] = to;
    }
  }
  return length;
}

/** Writes the parts of the row beside the cell, then the other rows, near ones first. Returns the number of values. */
function besideCell(ranges: Int32Array, last: number, start: number, end: number, candidates: Int32Array): number {
  let own = 0;
  while (ranges[own + 1] <= start) own += 2;
  candidates[0] = ranges[own];
  candidates[1] = start;
  candidates[2] = end;
  candidates[3] = ranges[own + 1];
  let length = 4;
  for (let before = own - 2, after = own + 2; before >= 0 || after < last; before -= 2, after += 2) {
    if (before >= 0) {
      candidates[length++] = ranges[before];
      candidates[length++] = ranges[before + 1];
    }
    if (after < last) {
      candidates[length++] = ranges[after];
      candidates[length++] = ranges[after + 1];
    }
  }
  return length;
}
