// Types for two packages without types: the parts that the benchmark calls.

declare module 'union-find' {
  export default class UnionFind {
    constructor(count: number);
    find(x: number): number;
    link(x: number, y: number): void;
  }
}

declare module 'ml-disjoint-set' {
  export interface DisjointSetNode {
    readonly value: number;
  }

  export default class DisjointSet {
    add(value: number): DisjointSetNode;
    union(x: DisjointSetNode, y: DisjointSetNode): void;
    find(node: DisjointSetNode): DisjointSetNode;
  }
}
