import {InvalidParameterError} from '@epsball/clustering';
import {memberExpectation, validateMemberCount} from './disjointSets.ts';
import {makeSets} from './forest.ts';
import {unite} from './rem.ts';

export interface ConnectedComponents {
  /** Component of each vertex, 0 … componentCount − 1, numbered in the order of their smallest vertices. */
  readonly labels: Int32Array<ArrayBuffer>;
  readonly componentCount: number;
}

/**
 * Labels the connected components of an undirected graph.
 *
 * @param n      number of vertices, integer from 0 to 2^31 − 1
 * @param edges  vertex pairs a0 b0 a1 b1 …, in any order; loops and repeated edges are allowed. Not modified; may lie
 *               on a `SharedArrayBuffer`
 * @returns      labels and number of components; owned by the caller
 * @throws InvalidParameterError  if n is out of range, or `edges` is not a Uint32Array of pairs, or contains a vertex
 *                                ≥ n (names the first one)
 * @complexity   O(n + m log n) for m edges; allocates the labels only
 * @source       Patwary, Blair and Manne 2010, REM with SP
 */
export function connectedComponents(n: number, edges: Uint32Array): ConnectedComponents {
  validateMemberCount(n);
  validatePairs(edges);
  const parent = new Int32Array(n);
  makeSets(parent);
  let componentCount = n;
  for (let k = 0; k < edges.length; k += 2) {
    const a = edges[k];
    const b = edges[k + 1];
    if (a >= n || b >= n) throw unknownVertex(n, edges, a >= n ? k : k + 1);
    if (unite(parent, a, b)) componentCount--;
  }
  numberInPlace(parent);
  return {labels: parent, componentCount};
}

/** Replaces parents by component numbers. A parent comes before its children, so it already holds its number. */
function numberInPlace(parent: Int32Array): void {
  let next = 0;
  for (let i = 0; i < parent.length; i++) {
    const up = parent[i];
    parent[i] = up === i ? next++ : parent[up];
  }
}

function validatePairs(edges: Uint32Array): void {
  if (Object.prototype.toString.call(edges) !== '[object Uint32Array]') {
    throw new InvalidParameterError('edges', edges, 'a Uint32Array');
  }
  if (edges.length % 2 !== 0) {
    throw new InvalidParameterError('edges.length', edges.length, 'an even number: two vertices an edge');
  }
}

function unknownVertex(n: number, edges: Uint32Array, k: number): InvalidParameterError {
  return new InvalidParameterError(`edges[${k}]`, edges[k], memberExpectation(n));
}
