import {RANGES_LENGTH} from '@epsball/spatial-grid';
import {BallQuery} from './ballQuery.ts';
import {CellBins} from './cellBins.ts';
import {cellOfPosition} from './cells.ts';
import type {SearchSpace} from './forest.ts';
import {InsideUnion} from './insideUnion.ts';
import {APART, LARGE_CELL, WHOLE_CELL, WHOLE_PIECE} from './pieces.ts';

/**
 * Marks the core points among the positions [start, end) and makes every point there a set of its own. With `state`,
 * also unites the core points of each large cell.
 *
 * Most neighbours of a point are in its own cell, which is searched first. A search ends when `minPts` neighbours are
 * found, or when too few candidates are left. In crowded cells most core points need no search (`CellBins`).
 *
 * @param state  as in `Pieces`; written for the pieces of large cells in the range
 * @complexity   O(candidates)
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
  const {index, eps, forest} = space;
  const {cellStart} = index;
  const {isCore, parent} = forest;
  const ball = new BallQuery(index, eps);
  const bins = new CellBins(index, eps);
  const inside = new InsideUnion(space);
  const ranges = new Int32Array(RANGES_LENGTH);
  // One row may be cut into three ranges.
  const candidates = new Int32Array(RANGES_LENGTH + 4);
  let from = start;
  for (let cell = cellOfPosition(cellStart, start); from < end; cell++) {
    const cellEnd = cellStart[cell + 1];
    const to = Math.min(cellEnd, end);
    if (from === to) continue;
    const last = 2 * index.neighborRanges(cell, ranges);
    const total = totalLength(ranges, last);
    const isBinned = bins.fill(from, to);
    const length = total < minPts ? 0 : startWithCell(ranges, last, cellStart[cell], cellEnd, candidates);
    for (let position = from; position < to; position++) {
      const isSure = isBinned && bins.sureNeighbors(position) >= minPts;
      isCore[position] = isSure || ball.holds(minPts, position, candidates, length, total) ? 1 : 0;
      parent[position] = position;
    }
    if (state !== undefined && cellEnd - cellStart[cell] >= LARGE_CELL) {
      const isAll = to - from === cellEnd - cellStart[cell];
      const isWhole = inside.uniteInside(from, to, isBinned ? bins : undefined);
      state[from] = !isWhole ? APART : isAll ? WHOLE_CELL : WHOLE_PIECE;
    }
    from = to;
  }
}

function totalLength(ranges: Int32Array, last: number): number {
  let total = 0;
  for (let r = 0; r < last; r += 2) total += ranges[r + 1] - ranges[r];
  return total;
}

/**
 * Writes the row that holds the cell, [start, end), then the other rows. If the cell is large, cuts its row into the
 * cell, which comes first, and the parts beside it. Returns the number of values.
 */
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
