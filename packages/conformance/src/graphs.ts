// Graphs for the tests and the timings of disjoint sets.
import {seededRandom} from './random.ts';

/** A graph by its edges, as pairs of vertices 0 … n − 1. */
export interface Graph {
  readonly name: string;
  readonly n: number;
  readonly edges: Uint32Array<ArrayBuffer>;
}

/** Random integers in [0, bound), determined by the seed. */
export function randomSource(seed: number): (bound: number) => number {
  const random = seededRandom(seed);
  return (bound) => Math.floor(random() * bound);
}

export function randomGraph(n: number, edgeCount: number, seed: number): Graph {
  const random = randomSource(seed);
  const edges = Uint32Array.from({length: n === 0 ? 0 : 2 * edgeCount}, () => random(n));
  return {name: `random, ${edgeCount} edges, seed ${seed}`, n, edges};
}

/** 0–1–2–…, with edges in this order. */
export function pathGraph(n: number): Graph {
  return {name: 'path', n, edges: fromPairs(Math.max(0, n - 1), (i) => [i, i + 1])};
}

/** The same path with edges in reverse order: every edge gives the tree a new root, which makes the deepest trees. */
export function reversedPathGraph(n: number): Graph {
  return {name: 'reversed path', n, edges: fromPairs(Math.max(0, n - 1), (i) => [n - 1 - i, n - 2 - i])};
}

/** Edges from the last vertex to all others: every edge changes the same root. */
export function starGraph(n: number): Graph {
  return {name: 'star', n, edges: fromPairs(Math.max(0, n - 1), (i) => [n - 1, n - 2 - i])};
}

/** Neighbours on a square, row by row. */
export function gridGraph(side: number): Graph {
  const right = fromPairs(side * (side - 1), (k) => {
    const i = Math.floor(k / (side - 1)) * side + (k % (side - 1));
    return [i, i + 1];
  });
  const down = fromPairs(side * (side - 1), (i) => [i, i + side]);
  const edges = new Uint32Array(right.length + down.length);
  edges.set(right);
  edges.set(down, right.length);
  return {name: 'grid', n: side * side, edges};
}

/** One graph of each kind, with about n vertices. */
export function graphsOf(n: number): Graph[] {
  return [
    {name: 'no edges', n, edges: new Uint32Array(0)},
    {name: 'loops and repetitions', n, edges: fromPairs(2 * n, (i) => [i % n, i % n])},
    randomGraph(n, Math.floor(n / 2), 1),
    randomGraph(n, 2 * n, 2),
    pathGraph(n),
    reversedPathGraph(n),
    starGraph(n),
    gridGraph(Math.max(2, Math.floor(Math.sqrt(n)))),
  ];
}

/** Smallest vertex of each vertex's component, by breadth-first search, independent of union-find. */
export function smallestMembers({n, edges}: Graph): Int32Array {
  const neighbors: number[][] = Array.from({length: n}, () => []);
  for (let k = 0; k < edges.length; k += 2) {
    neighbors[edges[k]].push(edges[k + 1]);
    neighbors[edges[k + 1]].push(edges[k]);
  }
  const smallest = new Int32Array(n).fill(-1);
  for (let start = 0; start < n; start++) {
    if (smallest[start] >= 0) continue;
    smallest[start] = start;
    const frontier = [start];
    for (let i = frontier.pop(); i !== undefined; i = frontier.pop()) {
      for (const j of neighbors[i]) {
        if (smallest[j] >= 0) continue;
        smallest[j] = start;
        frontier.push(j);
      }
    }
  }
  return smallest;
}

function fromPairs(count: number, pair: (k: number) => [number, number]): Uint32Array<ArrayBuffer> {
  const edges = new Uint32Array(2 * count);
  for (let k = 0; k < count; k++) edges.set(pair(k), 2 * k);
  return edges;
}
