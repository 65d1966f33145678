// Point sets, and their graphs by definition.
import {pointCount, squaredDistance, type PointSet} from '@epsball/clustering';
import {blobs, integerLattice, toPoints, uniform} from '@epsball/conformance';
import type {EdgeFilter} from '@epsball/neighbor-graph';

/** Neighbours of every point without itself, ascending. */
export function neighborLists(points: PointSet, eps: number): number[][] {
  const {coords, dim} = points;
  const n = pointCount(points);
  const others = (i: number): number[] => Array.from({length: n}, (_, j) => j).filter((j) => j !== i);
  return Array.from({length: n}, (_, i) => others(i).filter((j) => squaredDistance(coords, dim, i, j) <= eps * eps));
}

/** Whether the filter stores the edge i → j, according to EdgeFilter. */
export function isStored(filter: EdgeFilter, i: Vertex, j: Vertex): boolean {
  if (filter === 'all') return true;
  if (filter === 'core') return j.isCore && (!i.isCore || j.position < i.position);
  if (filter === 'coreToCore') return i.isCore && j.isCore && j.position < i.position;
  return j.isCore && !i.isCore;
}

/**
 * What rows join. For a core point: the lowest core point of its connected component in these rows. For a border point:
 * the clusters of the points in its row.
 *
 * @param lists  all neighbours, which define the clusters
 */
export function joinedComponents(
  rows: readonly number[][],
  vertices: readonly Vertex[],
  lists: readonly number[][],
): number[][] {
  const joined = lowestInComponents(rows, vertices);
  const clusters = lowestInComponents(lists, vertices);
  return rows.map((row, i) => {
    if (vertices[i].isCore) return [joined[i]];
    return [...new Set(row.map((j) => clusters[j]))].toSorted((a, b) => a - b);
  });
}

/** The lowest core point in the component of each core point, over the edges between core points. */
function lowestInComponents(rows: readonly number[][], vertices: readonly Vertex[]): number[] {
  const lowest = vertices.map((_, i) => i);
  const edges = rows.flatMap((row, i) => row.map((j) => [i, j] as const));
  const between = edges.filter(([i, j]) => vertices[i].isCore && vertices[j].isCore);
  for (let changes = true; changes;) {
    changes = false;
    for (const [i, j] of between) {
      if (lowest[i] === lowest[j]) continue;
      lowest[i] = lowest[j] = Math.min(lowest[i], lowest[j]);
      changes = true;
    }
  }
  return lowest;
}

export interface Vertex {
  readonly isCore: boolean;
  readonly position: number;
}

export interface Shape {
  readonly what: string;
  readonly points: PointSet;
  readonly eps: number;
  readonly minPts: number;
}

const lattice = (dim: number, side: number, spacing: number): number[] =>
  integerLattice(dim, side).map((x) => x * spacing);

export const shapes: readonly Shape[] = [
  {what: 'blobs in 2-D', points: blobs('float32', 2, 300, {seed: 1}), eps: 0.04, minPts: 7},
  {what: 'float64 blobs in 3-D', points: blobs('float64', 3, 333, {seed: 2}), eps: 0.1, minPts: 5},
  {what: 'one point', points: toPoints('float32', 2, [1, 2]), eps: 1, minPts: 1},
  {what: 'equal points', points: toPoints('float32', 1, Array.from<number>({length: 70}).fill(3)), eps: 1, minPts: 70},
  {what: 'a lattice on eps in 2-D', points: toPoints('float32', 2, lattice(2, 9, 0.1)), eps: 0.1, minPts: 5},
  {
    what: 'a float64 lattice on eps in 4-D',
    points: toPoints('float64', 4, lattice(4, 4, 1 / 3)),
    eps: 1 / 3,
    minPts: 6,
  },
  {what: 'uniform points in 17-D', points: uniform('float32', 17, 200, 3), eps: 1.5, minPts: 40},
  {what: 'float64 blobs in 64-D', points: blobs('float64', 64, 130, {seed: 4, sigma: 0.02}), eps: 0.23, minPts: 8},
  {what: 'a lattice on eps in 5-D', points: toPoints('float32', 5, lattice(5, 3, 0.1)), eps: 0.1, minPts: 7},
  {
    what: 'coordinates too small for float32 squares',
    points: toPoints('float64', 2, lattice(2, 5, 1e-30)),
    eps: 1e-30,
    minPts: 4,
  },
];
