import {lambdaOf, type Condensed} from './condense.ts';
import type {TreeEdges} from './sortEdges.ts';

/**
 * A spanning tree, cut into basins. A level is the index of the first edge of a weight, in ascending order. A point
 * joins its first component of `minClusterSize` points or more at a level of its own. A basin is such a component of
 * points that all join at one level, a leaf of the condensed tree, and the points that join it later, directly or
 * behind others.
 */
export interface Basins {
  /** By position: the level at which the point joins. */
  readonly levels: Uint32Array;
  /** By position: the smallest position of its basin. */
  readonly basins: Uint32Array;
  /** The edges between basins, ascending: one fewer than basins. */
  readonly crossings: Uint32Array;
}

/** No cluster. */
const NONE = -1;
/** Above every level. */
const NEVER = 0xffffffff;

/**
 * Condenses a spanning tree that was cut into basins: `condense` of the same tree, without a walk over all its edges.
 * Each basin is a cluster, and the crossings of a level join clusters to new ones. A point is in the cluster above its
 * basin that exists at its level.
 *
 * @param edges       ascending
 * @param pointOrder  the point at each position
 * @returns           by point; owned by the caller
 * @complexity        O(n · log(clusters)), in practice O(n)
 */
export function condenseBasins(cut: Basins, edges: TreeEdges, pointOrder: Int32Array): Condensed {
  const {squared} = edges;
  const {basins, levels} = cut;
  const n = levels.length;
  const leaves = numberLeaves(cut);
  const {parent, death, birth, clusterOfLeaf} = joinLeaves(cut, edges, leaves);
  const count = parent.length;
  const jump = jumpPointers(parent);
  const byPosition = new Int32Array(n);
  const clusterOf = new Int32Array(n);
  const leaveAt = new Float64Array(n);
  const size = new Int32Array(count);
  for (let p = 0; p < n; p++) {
    const level = levels[p];
    let c = clusterOfLeaf[leaves.numbers[basins[p]]];
    while (birth[c] <= level) c = birth[jump[c]] <= level ? jump[c] : parent[c];
    size[c]++;
    byPosition[p] = c;
    clusterOf[pointOrder[p]] = c;
    leaveAt[pointOrder[p]] = squared[level];
  }
  for (let c = count - 1; c > 0; c--) size[parent[c]] += size[c];
  const squaredAt = (level: number): number => (level === NEVER ? Infinity : squared[level]);
  const births = Float64Array.from(birth, squaredAt);
  return {
    parent,
    birth: births,
    death: Float64Array.from(death, squaredAt),
    size,
    stability: stabilitiesOf({parent, death, size, births, levels, clusterOf: byPosition, squared}),
    clusterOf,
    leaves: leaveAt,
  };
}

interface Leaves {
  /** Number of the basin whose smallest position this is. */
  readonly numbers: Int32Array;
  /** By number: the level at which it begins. */
  readonly levels: Uint32Array;
}

function numberLeaves({levels, basins, crossings}: Basins): Leaves {
  const numbers = new Int32Array(levels.length);
  const first = new Uint32Array(crossings.length + 1).fill(NEVER);
  let count = 0;
  for (let p = 0; p < levels.length; p++) {
    // The smallest position of a basin comes first.
    const basin = basins[p];
    if (basin === p) numbers[p] = count++;
    const number = numbers[basin];
    if (levels[p] < first[number]) first[number] = levels[p];
  }
  return {numbers, levels: first};
}

/** The clusters, parents before children, by level. */
interface JoinedLeaves {
  readonly parent: Int32Array;
  /** The level at which a cluster begins, from the bottom up. */
  readonly death: Uint32Array;
  /** The level at which its parent begins. */
  readonly birth: Uint32Array;
  readonly clusterOfLeaf: Int32Array;
}

/** Joins leaves along the crossings. All crossings of one level are one step, which begins at most one cluster a set. */
function joinLeaves({basins, crossings}: Basins, {from, to, squared}: TreeEdges, leaves: Leaves): JoinedLeaves {
  const leafCount = leaves.levels.length;
  const growing = new GrowingClusters(leaves.levels);
  const set = Int32Array.from({length: leafCount}, (_, leaf) => leaf);
  const top = Int32Array.from(set);
  const rootOf = (leaf: number): number => {
    let root = leaf;
    while (set[root] !== root) root = set[root] = set[set[root]];
    return root;
  };
  let level = 0;
  for (let k = 0; k < crossings.length; k++) {
    const edge = crossings[k];
    if (k === 0 || squared[edge] !== squared[level]) {
      level = edge;
      while (level > 0 && squared[level - 1] === squared[edge]) level--;
    }
    const a = rootOf(leaves.numbers[basins[from[edge]]]);
    const b = rootOf(leaves.numbers[basins[to[edge]]]);
    set[b] = a;
    top[a] = growing.join(top[a], top[b], level);
  }
  return growing.finish();
}

/** Clusters by their beginning, children before parents: leaves, then inner clusters. */
class GrowingClusters {
  readonly #leafCount: number;
  #count: number;
  readonly #parent: Int32Array;
  readonly #death: Uint32Array;
  readonly #birth: Uint32Array;
  /** Of a cluster that turned out to be another one: that one. */
  readonly #alias: Int32Array;

  constructor(leafLevels: Uint32Array) {
    this.#leafCount = leafLevels.length;
    this.#count = this.#leafCount;
    const most = 2 * this.#leafCount - 1;
    this.#parent = new Int32Array(most).fill(NONE);
    this.#death = new Uint32Array(most);
    this.#death.set(leafLevels);
    this.#birth = new Uint32Array(most).fill(NEVER);
    this.#alias = new Int32Array(most).fill(NONE);
  }

  /** The cluster of two joined ones. @param a, b  the clusters of two sets */
  join(a: number, b: number, level: number): number {
    const isNew = (c: number): boolean => c >= this.#leafCount && this.#death[c] === level;
    if (isNew(a) && isNew(b)) {
      this.#alias[b] = a;
      return a;
    }
    if (isNew(a)) return this.#adopt(a, b, level);
    if (isNew(b)) return this.#adopt(b, a, level);
    const cluster = this.#count++;
    this.#death[cluster] = level;
    this.#adopt(cluster, a, level);
    return this.#adopt(cluster, b, level);
  }

  #adopt(cluster: number, child: number, level: number): number {
    this.#parent[child] = cluster;
    this.#birth[child] = level;
    return cluster;
  }

  finish(): JoinedLeaves {
    const numbers = new Int32Array(this.#count);
    const kept: number[] = [];
    for (let c = this.#count - 1; c >= 0; c--) {
      if (this.#alias[c] === NONE) numbers[c] = kept.push(c) - 1;
    }
    const real = (c: number): number => {
      let one = c;
      while (this.#alias[one] !== NONE) one = this.#alias[one];
      return one;
    };
    return {
      parent: Int32Array.from(kept, (c) => (this.#parent[c] === NONE ? NONE : numbers[real(this.#parent[c])])),
      death: Uint32Array.from(kept, (c) => this.#death[c]),
      birth: Uint32Array.from(kept, (c) => this.#birth[c]),
      clusterOfLeaf: numbers.subarray(0, this.#leafCount),
    };
  }
}

/**
 * For each cluster an ancestor farther up, so that a search upwards takes logarithmic steps.
 *
 * @param parent  parents before children
 * @source        Myers 1983, An applicative random-access stack
 */
function jumpPointers(parent: Int32Array): Int32Array {
  const jump = new Int32Array(parent.length);
  const depth = new Int32Array(parent.length);
  for (let c = 1; c < parent.length; c++) {
    const up = parent[c];
    depth[c] = depth[up] + 1;
    const far = jump[up];
    jump[c] = depth[up] - depth[far] === depth[far] - depth[jump[far]] ? jump[far] : up;
  }
  return jump;
}

interface Leaving {
  readonly parent: Int32Array;
  readonly death: Uint32Array;
  readonly size: Int32Array;
  /** Squares. */
  readonly births: Float64Array;
  /** By position. */
  readonly levels: Uint32Array;
  readonly clusterOf: Int32Array;
  readonly squared: Float64Array;
}

/**
 * Sums of (λ − λ of the birth) · points that leave, over the levels of each cluster from its birth down. The points of
 * its children leave at its last level.
 */
function stabilitiesOf({parent, death, size, births, levels, clusterOf, squared}: Leaving): Float64Array {
  const stability = new Float64Array(births.length);
  const lambdaOfBirth = births.map(lambdaOf);
  const points = new Int32Array(births.length);
  const at = new Uint32Array(births.length);
  const leave = (c: number, level: number, count: number): void => {
    if (at[c] !== level) sum(c);
    at[c] = level;
    points[c] += count;
  };
  const sum = (c: number): void => {
    if (points[c] > 0) stability[c] += (lambdaOf(squared[at[c]]) - lambdaOfBirth[c]) * points[c];
    points[c] = 0;
  };
  const order = ascendingLevels(levels);
  for (let k = order.length - 1; k >= 0; k--) leave(clusterOf[order[k]], levels[order[k]], 1);
  for (let c = 1; c < points.length; c++) leave(parent[c], death[parent[c]], size[c]);
  for (let c = 0; c < points.length; c++) sum(c);
  return stability;
}

/** The positions by ascending level. */
function ascendingLevels(levels: Uint32Array): Int32Array {
  const ends = new Int32Array(levels.length + 1);
  for (let p = 0; p < levels.length; p++) ends[levels[p] + 1]++;
  for (let level = 1; level < ends.length; level++) ends[level] += ends[level - 1];
  const order = new Int32Array(levels.length);
  for (let p = 0; p < levels.length; p++) order[ends[levels[p]]++] = p;
  return order;
}
