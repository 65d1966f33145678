/** No cluster. */
const NONE = -1;
/** Above every level. */
export const NEVER = 0xffffffff;

/**
 * The basins of a spanning tree. A level is the index of the first edge of a weight, in ascending order. A point joins
 * its first component of `minClusterSize` points or more at a level of its own. A basin is such a component of points
 * that all join at one level, a leaf of the condensed tree, and the points that join it later, directly or behind
 * others. It is named by one of its positions.
 */
export interface Basins {
  /** Their names. A device has them ascending. */
  readonly names: Uint32Array;
  /** The level at which each begins. */
  readonly levels: Uint32Array;
  /** The edges between basins, one fewer, ascending: the names of two basins, the level, and 0. */
  readonly crossings: Uint32Array;
}

/** The clusters of basins, parents before children. */
export interface JoinedBasins {
  readonly parent: Int32Array;
  /** The level at which a cluster begins, from the bottom up. */
  readonly death: Uint32Array;
  /** The level at which its parent begins; `NEVER` for the root. */
  readonly birth: Uint32Array;
  /** For each cluster an ancestor, so that a search upwards takes logarithmic steps. */
  readonly jump: Int32Array;
  /** By basin. */
  readonly clusterOfBasin: Int32Array;
}

/**
 * Joins basins along the crossings. All crossings of one level are one step, which begins at most one cluster a set. A
 * basin may begin at the level of a crossing: its points are part of that step.
 *
 * @param n     positions
 * @complexity  O(n) words of memory, O(basins) time
 */
export function joinBasins({names, levels, crossings}: Basins, n: number): JoinedBasins {
  const numbers = new Int32Array(n);
  const set = new Int32Array(names.length);
  for (let basin = 0; basin < names.length; basin++) numbers[names[basin]] = set[basin] = basin;
  const top = set.slice();
  const growing = new GrowingClusters(levels);
  const rootOf = (basin: number): number => {
    let root = basin;
    while (set[root] !== root) root = set[root] = set[set[root]];
    return root;
  };
  for (let at = 0; at < crossings.length; at += 4) {
    const a = rootOf(numbers[crossings[at]]);
    const b = rootOf(numbers[crossings[at + 1]]);
    set[b] = a;
    top[a] = growing.join(top[a], top[b], crossings[at + 2]);
  }
  return growing.finish();
}

/** Clusters by their beginning, children before parents: basins, then inner clusters. */
class GrowingClusters {
  readonly #basinCount: number;
  #count: number;
  readonly #parent: Int32Array;
  readonly #death: Uint32Array;
  readonly #birth: Uint32Array;
  /** Of a cluster that turned out to be another one: that one. */
  readonly #alias: Int32Array;

  constructor(levels: Uint32Array) {
    this.#basinCount = levels.length;
    this.#count = this.#basinCount;
    const most = 2 * this.#basinCount - 1;
    this.#parent = new Int32Array(most).fill(NONE);
    this.#death = new Uint32Array(most);
    this.#death.set(levels);
    this.#birth = new Uint32Array(most).fill(NEVER);
    this.#alias = new Int32Array(most).fill(NONE);
  }

  /** The cluster of two joined ones. @param a, b  the clusters of two sets */
  join(a: number, b: number, level: number): number {
    const isNew = (c: number): boolean => this.#death[c] === level;
    // A basin that begins here is no cluster beside others.
    if (a < this.#basinCount && isNew(a)) return this.#rename(a, b);
    if (isNew(b)) return b < this.#basinCount || isNew(a) ? this.#rename(b, a) : this.#adopt(b, a, level);
    if (isNew(a)) return this.#adopt(a, b, level);
    const cluster = this.#count++;
    this.#death[cluster] = level;
    this.#adopt(cluster, a, level);
    return this.#adopt(cluster, b, level);
  }

  #rename(c: number, name: number): number {
    this.#alias[c] = name;
    return name;
  }

  #adopt(cluster: number, child: number, level: number): number {
    this.#parent[child] = cluster;
    this.#birth[child] = level;
    return cluster;
  }

  finish(): JoinedBasins {
    const numbers = new Int32Array(this.#count);
    let kept = 0;
    for (let c = this.#count - 1; c >= 0; c--) if (this.#alias[c] === NONE) numbers[c] = kept++;
    const parent = new Int32Array(kept).fill(NONE);
    const death = new Uint32Array(kept);
    const birth = new Uint32Array(kept);
    for (let c = 0; c < this.#count; c++) {
      if (this.#alias[c] !== NONE) {
        numbers[c] = numbers[this.#nameOf(c)];
        continue;
      }
      const above = this.#nameOf(this.#parent[c]);
      const k = numbers[c];
      if (above !== NONE) parent[k] = numbers[above];
      death[k] = this.#death[c];
      birth[k] = this.#birth[c];
    }
    return {parent, jump: jumpPointers(parent), death, birth, clusterOfBasin: numbers.subarray(0, this.#basinCount)};
  }

  /** The cluster that another one turned out to be. */
  #nameOf(c: number): number {
    if (c === NONE) return NONE;
    const alias = this.#alias;
    let name = c;
    while (alias[name] !== NONE) name = alias[name];
    for (let at = c; at !== name;) {
      const next = alias[at];
      alias[at] = name;
      at = next;
    }
    return name;
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
