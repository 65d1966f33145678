import type {CondensedTree} from '../algorithm.ts';

const NONE = -1;

/** Words of a position. */
const WORDS = 4;
/** The position above, or for a root −(weight of the component). */
const UP = 0;
/** The next position in a ring of points. */
const NEXT = 1;
/** Of a root: one of the clusters in the component, or −1. */
const CLUSTER = 2;
/** Of a root: a position in the ring of the points of its component that are in no cluster, or −1. */
const RING = 3;

/**
 * The components of positions while edges join them, with the clusters and the loose points of each.
 *
 * A component consists of whole clusters, which a ring of clusters links, and of loose points, which a ring of
 * positions links. Two rings become one by one exchange of their links. The four words of a position are in one cache
 * line: edges come in the order of their weights, so each of them reads other lines than the one before.
 *
 * Invariant: before and after a step of equal weights, a component is one cluster without loose points, or consists of
 * loose points only.
 */
export class Partition {
  readonly #words: Int32Array;
  /** The next cluster in the ring of clusters of a component. */
  readonly #nextCluster: Int32Array;
  /** Without meaning: a compiler drops reads whose values are not used. */
  readonly #sum = new Int32Array(1);

  /**
   * @param clustersMax  clusters that can exist
   * @param weights      of the positions, integers ≥ 1. Default: 1 each
   */
  constructor(n: number, clustersMax: number, weights?: Float64Array) {
    this.#words = new Int32Array(WORDS * n);
    this.#nextCluster = new Int32Array(clustersMax);
    for (let p = 0, at = 0; p < n; p++, at += WORDS) {
      this.#words[at + UP] = weights === undefined ? -1 : -weights[p];
      this.#words[at + NEXT] = p;
      this.#words[at + CLUSTER] = NONE;
      this.#words[at + RING] = p;
    }
  }

  findRoot(position: number): number {
    const words = this.#words;
    let p = position;
    let up = words[WORDS * p];
    while (up >= 0) {
      const above = words[WORDS * up];
      if (above < 0) return up;
      words[WORDS * p] = above;
      p = above;
      up = words[WORDS * p];
    }
    return p;
  }

  /**
   * Reads the words of some positions, none of which waits for another, so that their cache lines come together. Edges
   * would wait for one line after another.
   */
  touch(positions: Int32Array, first: number, end: number): void {
    const words = this.#words;
    let sum = 0;
    for (let k = first; k < end; k++) sum += words[WORDS * positions[k]];
    this.#sum[0] = sum;
  }

  /** Joins the components of two roots. Returns the root of both. */
  unite(a: number, b: number): number {
    if (a === b) return a;
    const words = this.#words;
    const isLarger = words[WORDS * a] <= words[WORDS * b];
    const above = isLarger ? a : b;
    const root = WORDS * above;
    const other = WORDS * (isLarger ? b : a);
    words[root + UP] += words[other + UP];
    words[other + UP] = above;
    const cluster = words[root + CLUSTER];
    const otherCluster = words[other + CLUSTER];
    if (cluster === NONE && otherCluster === NONE) {
      // Loose points only: each root is in the ring of its component.
      const next = words[root + NEXT];
      words[root + NEXT] = words[other + NEXT];
      words[other + NEXT] = next;
      return above;
    }
    words[root + CLUSTER] = linkRings(this.#nextCluster, 1, 0, cluster, otherCluster);
    words[root + RING] = linkRings(words, WORDS, NEXT, words[root + RING], words[other + RING]);
    return above;
  }

  sizeOf(root: number): number {
    return -this.#words[WORDS * root + UP];
  }

  /** One of the clusters of the component of a root; −1 without one. */
  clusterOf(root: number): number {
    return this.#words[WORDS * root + CLUSTER];
  }

  nextCluster(cluster: number): number {
    return this.#nextCluster[cluster];
  }

  /** Makes the component of a root one cluster. Its loose points leave that cluster at a level. */
  become(root: number, cluster: number, level: number, {clusterOf, leavesSquared}: Leaving): void {
    const words = this.#words;
    const at = WORDS * root;
    const first = words[at + RING];
    if (first !== NONE) {
      let p = first;
      do {
        clusterOf[p] = cluster;
        leavesSquared[p] = level;
        p = words[WORDS * p + NEXT];
      } while (p !== first);
    }
    words[at + RING] = NONE;
    words[at + CLUSTER] = cluster;
    this.#nextCluster[cluster] = cluster;
  }
}

/** As in the condensed tree, by position. */
export type Leaving = Pick<CondensedTree, 'clusterOf' | 'leavesSquared'>;

/** Makes one ring of two, either of which may be missing. Returns a member. */
function linkRings(next: Int32Array, stride: number, offset: number, a: number, b: number): number {
  if (a === NONE) return b;
  if (b === NONE) return a;
  const after = next[stride * a + offset];
  next[stride * a + offset] = next[stride * b + offset];
  next[stride * b + offset] = after;
  return a;
}
