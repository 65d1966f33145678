// Threads share these arrays. Each stores only to the labels and flags of its own chunk.
import {limitOf, NOISE} from '@epsball/clustering';
import {KdRange} from '@epsball/kd-tree';
import type {CellIndex} from '@epsball/spatial-grid';
import {clusterNumber, NO_FIRST, numberOfFirst, type ClusterFirsts, type PointForest} from '@epsball/union-find';
import {BallQuery, BLOCK} from './ballQuery.ts';
import type {SearchSpace} from './forest.ts';
import {isLeafIndex} from './leafIndex.ts';
import {cellOfPosition} from './pieces.ts';

/** Minimum of points in a cell for which it pays to check whether all core points around belong to one cluster. */
const CROWD = 4;

export interface RunResult {
  readonly labels: Int32Array;
  readonly coreMask: Uint8Array;
}

/**
 * Writes labels and core flags of the positions [start, end), over a flat forest. Border points get the lowest number
 * of their neighbouring core points. They follow after all unions, and never connect two clusters.
 */
export function assignLabels(
  space: SearchSpace,
  firsts: ClusterFirsts,
  {labels, coreMask}: RunResult,
  start: number,
  end: number,
): void {
  if (start === end) return;
  const {cellStart, pointOrder} = space.index;
  const {isCore, parent} = space.forest;
  const search = new BorderSearch(space, firsts);
  let root = -1;
  let number = NOISE;
  let from = start;
  for (let cell = cellOfPosition(cellStart, start); from < end; cell++) {
    const to = Math.min(cellStart[cell + 1], end);
    let isEntered = false;
    for (; from < to; from++) {
      const i = pointOrder[from];
      coreMask[i] = isCore[from];
      if (isCore[from] === 1) {
        if (parent[from] !== root) {
          root = parent[from];
          number = clusterNumber(firsts, root);
        }
        labels[i] = number;
        continue;
      }
      if (!isEntered) search.enter(cell);
      isEntered = true;
      labels[i] = search.lowestNumber(from);
    }
  }
}

class BorderSearch {
  readonly #index: CellIndex;
  readonly #forest: PointForest;
  readonly #firsts: ClusterFirsts;
  readonly #ball: BallQuery;
  readonly #eps2: number;
  readonly #tree: KdRange | undefined;
  /** Ranges of positions around the cell, each from its first to its last core point. */
  readonly #ranges: Int32Array;
  #length = 0;
  /** The cluster of all core points around the cell, if there is only one; then one neighbour suffices. */
  #onlyNumber = NOISE;

  constructor(space: SearchSpace, firsts: ClusterFirsts) {
    const {index, forest} = space;
    this.#index = index;
    this.#ranges = new Int32Array(index.rangesLength);
    this.#eps2 = limitOf(space);
    this.#tree = isLeafIndex(index) ? new KdRange(index.tree) : undefined;
    this.#forest = forest;
    this.#firsts = firsts;
    this.#ball = new BallQuery(index, space);
  }

  enter(cell: number): void {
    if (this.#tree !== undefined) return;
    const {isCore} = this.#forest;
    const {cellStart} = this.#index;
    const ranges = this.#ranges;
    const last = 2 * this.#index.neighborRanges(cell, ranges);
    let length = 0;
    for (let r = 0; r < last; r += 2) {
      let first = ranges[r];
      let behind = ranges[r + 1];
      while (first < behind && isCore[first] === 0) first++;
      while (first < behind && isCore[behind - 1] === 0) behind--;
      if (first === behind) continue;
      ranges[length++] = first;
      ranges[length++] = behind;
    }
    this.#length = length;
    const isCrowded = cellStart[cell + 1] - cellStart[cell] >= CROWD;
    const root = length > 0 && isCrowded ? this.#onlyRoot() : -1;
    this.#onlyNumber = root < 0 ? NOISE : clusterNumber(this.#firsts, root);
  }

  /** The root of all core points around the cell, or −1 if there are several. */
  #onlyRoot(): number {
    const {isCore, parent} = this.#forest;
    const ranges = this.#ranges;
    const root = parent[ranges[0]];
    for (let r = 0; r < this.#length; r += 2) {
      for (let position = ranges[r]; position < ranges[r + 1]; position++) {
        if (isCore[position] === 1 && parent[position] !== root) return -1;
      }
    }
    return root;
  }

  /** The lowest cluster number of the core points within eps of a position, or `NOISE`. */
  lowestNumber(position: number): number {
    if (this.#tree !== undefined) return this.#lowestInTree(this.#tree, position);
    if (this.#onlyNumber === NOISE) return this.#lowestOfAll(position);
    const {isCore} = this.#forest;
    const ranges = this.#ranges;
    for (let r = 0; r < this.#length; r += 2) {
      if (this.#ball.firstCore(position, ranges[r], ranges[r + 1], isCore) >= 0) return this.#onlyNumber;
    }
    return NOISE;
  }

  #lowestInTree(tree: KdRange, position: number): number {
    const {isCore, parent} = this.#forest;
    const {sortedCoords, dim} = this.#index;
    let lowest = NO_FIRST;
    // The coordinates of a tree are float64.
    tree.visitWithin(
      Float64Array.from(sortedCoords.subarray(position * dim, (position + 1) * dim)),
      0,
      this.#eps2,
      (neighbor) => {
        if (isCore[neighbor] === 1) lowest = Math.min(lowest, this.#firsts.first[parent[neighbor]]);
      },
    );
    return lowest === NO_FIRST ? NOISE : numberOfFirst(this.#firsts, lowest);
  }

  #lowestOfAll(position: number): number {
    const {isCore, parent} = this.#forest;
    const {found} = this.#ball;
    const ranges = this.#ranges;
    let lowest = NO_FIRST;
    let root = -1;
    for (let r = 0; r < this.#length; r += 2) {
      for (let block = ranges[r]; block < ranges[r + 1]; block += BLOCK) {
        const count = this.#ball.collect(position, block, Math.min(block + BLOCK, ranges[r + 1]));
        for (let k = 0; k < count; k++) {
          const neighbor = found[k];
          if (isCore[neighbor] === 0 || parent[neighbor] === root) continue;
          root = parent[neighbor];
          lowest = Math.min(lowest, this.#firsts.first[root]);
        }
      }
    }
    return lowest === NO_FIRST ? NOISE : numberOfFirst(this.#firsts, lowest);
  }
}
