// The basins of a spanning tree (see joinBasins.ts), found from its edges in ascending order. Positions are divided
// into ranges that share no word, so that threads grow them side by side: neighbours in space are neighbours in memory,
// so few edges lead from range to range. A component of fewer than `minClusterSize` positions is small, else big. A
// range leaves to the end what it cannot know: edges of small components that an edge to another range has touched
// before, and edges between big ones, which join basins.
import {joinBasins, type JoinedBasins} from './joinBasins.ts';
import type {TreeEdges} from './treeEdges.ts';

/** Words of a position. */
const WORDS = 4;
/** Where the words of the position above begin, or for a root −(positions of the component). */
const UP = 0;
/** The edge by which positions below joined a big component, if they did so with this one; else −1. */
const JOIN = 1;
/** With such an edge: the name of the basin. Of a small root, `TOUCHED` if an edge may have joined it to others. */
const BASIN = 2;
/** Of the position that names a basin: its cluster. */
const CLUSTER = 3;

const NONE = -1;
const TOUCHED = -2;
const LEFT = -1;

/** Basins that grow: a plain object of arrays, which threads share. */
export interface GrowingBasins {
  /** Ascending. Their weights are not read. */
  readonly edges: Pick<TreeEdges, 'from' | 'to'>;
  /** The level of each edge. */
  readonly levels: Int32Array;
  readonly minClusterSize: number;
  readonly words: Int32Array;
  /** By edge: the positions that join a big component by it; `LEFT` if that is left to the end. */
  readonly joining: Int32Array;
  /**
   * By edge: one of them, +1; 0 if there are none; negative if it names a new basin. Then by `placeRange` their
   * cluster, +1.
   */
  readonly joined: Int32Array;
}

/**
 * Basins whose levels are not written yet.
 *
 * @param edges           n − 1 edges between positions, ascending; in shared memory for threads
 * @param minClusterSize  at most n
 * @param integers        makes arrays with any values
 * @complexity            O(n); 28 bytes a position
 */
export function layBasins(
  {from, to, squared}: TreeEdges,
  minClusterSize: number,
  integers: (length: number) => Int32Array,
): GrowingBasins {
  const m = squared.length;
  return {
    edges: {from, to},
    levels: integers(m),
    minClusterSize,
    words: integers(WORDS * (m + 1)),
    joining: integers(m).fill(0),
    joined: integers(m).fill(0),
  };
}

/** Writes the levels, which `growRange` does not read. */
export function writeLevels({levels}: GrowingBasins, squared: Float64Array): void {
  for (let k = 0, level = 0; k < squared.length; k++) {
    if (squared[k] !== squared[level]) level = k;
    levels[k] = level;
  }
}

/** Grows the basins of the positions from `start` to before `end`. */
export function growRange(growing: GrowingBasins, start: number, end: number): void {
  const {
    edges: {from, to},
    words,
    joining,
  } = growing;
  for (let at = WORDS * start; at < WORDS * end; at += WORDS) {
    words[at + UP] = words[at + JOIN] = words[at + BASIN] = NONE;
  }
  for (let k = 0; k < from.length; k++) {
    const p = from[k];
    const q = to[k];
    const hasP = p >= start && p < end;
    const hasQ = q >= start && q < end;
    if (hasP && hasQ) {
      if (!settle(growing, k, false)) joining[k] = LEFT;
    } else if (hasP || hasQ) {
      touch(words, rootOf(words, hasP ? p : q));
      joining[k] = LEFT;
    }
  }
}

/**
 * Joins the basins of all ranges to clusters. Runs alone.
 *
 * @complexity  O(n)
 */
export function joinGrown(growing: GrowingBasins): JoinedBasins {
  const {edges, levels, words, joining, joined} = growing;
  const names: number[] = [];
  const begins: number[] = [];
  const crossings: number[] = [];
  for (let k = 0; k < joining.length; k++) {
    if (joining[k] === LEFT && !settle(growing, k, true)) {
      const [a, b] = [edges.from[k], edges.to[k]].map((p) => words[rootOf(words, p) + BASIN]);
      crossings.push(a, b, levels[k], 0);
    }
    if (joined[k] >= 0) continue;
    joined[k] = -joined[k];
    names.push(joined[k] - 1);
    begins.push(levels[k]);
  }
  const basins = {names: Uint32Array.from(names), levels: Uint32Array.from(begins)};
  const clusters = joinBasins({...basins, crossings: Uint32Array.from(crossings)}, joining.length + 1);
  for (let basin = 0; basin < names.length; basin++) {
    words[WORDS * names[basin] + CLUSTER] = clusters.clusterOfBasin[basin];
  }
  return clusters;
}

/** Joins the components of an edge. Returns false if that cannot be known yet, or if both are big. */
function settle(growing: GrowingBasins, k: number, isLast: boolean): boolean {
  const {edges, words, minClusterSize} = growing;
  const a = rootOf(words, edges.from[k]);
  const b = rootOf(words, edges.to[k]);
  const isLarger = words[a] <= words[b];
  const above = isLarger ? a : b;
  const below = isLarger ? b : a;
  if (words[below + JOIN] >= 0) return false;
  if (!isLast && (words[a + BASIN] === TOUCHED || words[b + BASIN] === TOUCHED)) {
    touch(words, a);
    touch(words, b);
    return false;
  }
  const added = -words[below + UP];
  const size = added - words[above + UP];
  const isBig = words[above + JOIN] >= 0;
  if (size >= minClusterSize) {
    if (!isBig) {
      words[above + JOIN] = k;
      words[above + BASIN] = above / WORDS;
    }
    words[below + JOIN] = k;
    words[below + BASIN] = words[above + BASIN];
    growing.joining[k] = isBig ? added : size;
    growing.joined[k] = isBig ? below / WORDS + 1 : -above / WORDS - 1;
  }
  words[above + UP] = -size;
  words[below + UP] = above;
  return true;
}

function touch(words: Int32Array, root: number): void {
  if (words[root + JOIN] < 0) words[root + BASIN] = TOUCHED;
}

/** Where the words of the root of a position begin. Ways through small components stay: their edges are on them. */
function rootOf(words: Int32Array, position: number): number {
  let at = WORDS * position;
  while (words[at + JOIN] < 0) {
    const up = words[at + UP];
    if (up < 0) return at;
    at = up;
  }
  for (let up = words[at + UP]; up >= 0; up = words[at + UP]) {
    const above = words[up + UP];
    if (above < 0) return up;
    words[at + UP] = above;
    at = above;
  }
  return at;
}

/** What `placeRange` reads and writes. */
export interface Placing {
  readonly growing: GrowingBasins;
  readonly clusters: Pick<JoinedBasins, 'parent' | 'jump' | 'birth'>;
  /** The point at each position. */
  readonly pointOrder: Int32Array;
  /** Two words a point: the cluster that it leaves last, and the level at which it does. */
  readonly placed: Int32Array;
}

/** Finds the clusters of the positions from `start` to before `end`. */
export function placeRange({growing, clusters, pointOrder, placed}: Placing, start: number, end: number): void {
  const {words, joined, levels} = growing;
  const {parent, jump, birth} = clusters;
  for (let p = start; p < end; p++) {
    let at = WORDS * p;
    while (words[at + JOIN] < 0) at = words[at + UP];
    const edge = words[at + JOIN];
    const level = levels[edge];
    let c = words[WORDS * words[at + BASIN] + CLUSTER];
    while (birth[c] <= level) c = birth[jump[c]] <= level ? jump[c] : parent[c];
    // A position that joins by the same edge may read what this writes; it writes the same.
    if (joined[edge] === p + 1) joined[edge] = c + 1;
    placed[2 * pointOrder[p]] = c;
    placed[2 * pointOrder[p] + 1] = level;
  }
}
