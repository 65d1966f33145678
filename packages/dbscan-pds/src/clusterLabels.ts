// Threads share these arrays; each stores to labels and flags of its chunk's own points only.
import {NOISE} from '@epsball/clustering';
import {RANGES_LENGTH} from '@epsball/spatial-grid';
import {clusterNumber, NO_FIRST, numberOfFirst, type ClusterFirsts, type PointForest} from '@epsball/union-find';
import {BallTest, BLOCK} from './ballTest.ts';
import type {SearchSpace} from './forest.ts';

/** What a run returns, by original index. */
export interface RunResult {
  readonly labels: Int32Array;
  readonly coreMask: Uint8Array;
}

/**
 * Writes labels and core flags of the cells [firstCell, endCell): a core point has its cluster's number, any other point
 * the lowest number among its neighbouring core points. So borders are assigned after all unions and never bridge two clusters.
 *
 * @param space  its forest flat
 */
export function assignLabels(
  {index, eps, forest}: SearchSpace,
  firsts: ClusterFirsts,
  {labels, coreMask}: RunResult,
  firstCell: number,
  endCell: number,
): void {
  const {cellStart, pointOrder} = index;
  const {isCore, parent} = forest;
  const ball = new BallTest(index, eps);
  const ranges = new Int32Array(RANGES_LENGTH);
  let root = -1;
  let number = NOISE;
  for (let cell = firstCell; cell < endCell; cell++) {
    let last = -1;
    for (let position = cellStart[cell]; position < cellStart[cell + 1]; position++) {
      const i = pointOrder[position];
      coreMask[i] = isCore[position];
      if (isCore[position] === 1) {
        if (parent[position] !== root) {
          root = parent[position];
          number = clusterNumber(firsts, root);
        }
        labels[i] = number;
        continue;
      }
      if (last < 0) last = 2 * index.neighborRanges(cell, ranges);
      labels[i] = lowestNumber(forest, firsts, ball, position, ranges, last);
    }
  }
}

/** The lowest number among the core points around a position, or `NOISE`. */
function lowestNumber(
  {isCore, parent}: PointForest,
  firsts: ClusterFirsts,
  ball: BallTest,
  position: number,
  ranges: Int32Array,
  last: number,
): number {
  const {found} = ball;
  let lowest = NO_FIRST;
  let root = -1;
  for (let r = 0; r < last; r += 2) {
    for (let block = ranges[r]; block < ranges[r + 1]; block += BLOCK) {
      const count = ball.collect(position, block, Math.min(block + BLOCK, ranges[r + 1]));
      for (let k = 0; k < count; k++) {
        const neighbor = found[k];
        if (isCore[neighbor] === 0 || parent[neighbor] === root) continue;
        root = parent[neighbor];
        lowest = Math.min(lowest, firsts.first[root]);
      }
    }
  }
  return lowest === NO_FIRST ? NOISE : numberOfFirst(firsts, lowest);
}
