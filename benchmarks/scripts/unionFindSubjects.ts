import {defDisjointSet} from '@thi.ng/adjacency/disjoint-set';
import DisjointSet from 'ml-disjoint-set';
import {StaticDisjointSet} from 'mnemonist';
import UnionFind from 'union-find';
import {
  connectedComponents,
  createLocks,
  DisjointSets,
  flatten,
  flattenShared,
  makeSets,
  unite,
  uniteByIndex,
  uniteLocked,
  uniteShared,
} from '@epsball/union-find';

/** A way from edges to sets: makes n sets, unites the ends of every edge, and labels the members. */
export interface Subject {
  /** With an asterisk if it is of this repository. */
  readonly name: string;
  /** @returns  n labels, equal for members of one set */
  readonly label: (n: number, edges: Uint32Array) => ArrayLike<number>;
}

const locks = createLocks();

// Each has its own loop: V8 would not inline the calls of a shared one.
export const SUBJECTS: readonly Subject[] = [
  {
    name: '* unite (Rem)',
    label: (n, edges) => {
      const parent = new Int32Array(n);
      makeSets(parent);
      for (let k = 0; k < edges.length; k += 2) unite(parent, edges[k], edges[k + 1]);
      flatten(parent);
      return parent;
    },
  },
  {
    name: '* uniteByIndex',
    label: (n, edges) => {
      const parent = new Int32Array(n);
      makeSets(parent);
      for (let k = 0; k < edges.length; k += 2) uniteByIndex(parent, edges[k], edges[k + 1]);
      flatten(parent);
      return parent;
    },
  },
  {name: '* connectedComponents', label: (n, edges) => connectedComponents(n, edges).labels},
  {
    name: '* DisjointSets',
    label: (n, edges) => {
      const sets = new DisjointSets(n);
      for (let k = 0; k < edges.length; k += 2) sets.unite(edges[k], edges[k + 1]);
      return sets.flatten();
    },
  },
  {
    name: '* uniteShared, 1 thread',
    label: (n, edges) => {
      const parent = new Int32Array(new SharedArrayBuffer(4 * n));
      makeSets(parent);
      for (let k = 0; k < edges.length; k += 2) uniteShared(parent, edges[k], edges[k + 1]);
      flattenShared(parent, 0, n);
      return parent;
    },
  },
  {
    name: '* uniteLocked, 1 thread',
    label: (n, edges) => {
      const parent = new Int32Array(new SharedArrayBuffer(4 * n));
      makeSets(parent);
      for (let k = 0; k < edges.length; k += 2) uniteLocked(parent, locks, edges[k], edges[k + 1]);
      flattenShared(parent, 0, n);
      return parent;
    },
  },
  {
    name: 'mnemonist',
    label: (n, edges) => {
      const sets = new StaticDisjointSet(n);
      for (let k = 0; k < edges.length; k += 2) sets.union(edges[k], edges[k + 1]);
      const labels = new Int32Array(n);
      for (let i = 0; i < n; i++) labels[i] = sets.find(i);
      return labels;
    },
  },
  {
    name: '@thi.ng/adjacency',
    label: (n, edges) => {
      const sets = defDisjointSet(n);
      for (let k = 0; k < edges.length; k += 2) sets.union(edges[k], edges[k + 1]);
      const labels = new Int32Array(n);
      for (let i = 0; i < n; i++) labels[i] = sets.canonical(i);
      return labels;
    },
  },
  {
    name: 'union-find',
    label: (n, edges) => {
      const sets = new UnionFind(n);
      for (let k = 0; k < edges.length; k += 2) sets.link(edges[k], edges[k + 1]);
      const labels = new Int32Array(n);
      for (let i = 0; i < n; i++) labels[i] = sets.find(i);
      return labels;
    },
  },
  {
    name: 'ml-disjoint-set',
    label: (n, edges) => {
      const sets = new DisjointSet();
      const nodes = Array.from({length: n}, (_, i) => sets.add(i));
      for (let k = 0; k < edges.length; k += 2) sets.union(nodes[edges[k]], nodes[edges[k + 1]]);
      const labels = new Int32Array(n);
      for (let i = 0; i < n; i++) labels[i] = sets.find(nodes[i]).value;
      return labels;
    },
  },
];
