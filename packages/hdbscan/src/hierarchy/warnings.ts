import type {CheckedSelection, CheckedTree} from '../checkParams.ts';
import type {Copies, Places} from '../places.ts';
import type {TreeEdges} from './treeEdges.ts';

/** A warning is due above this share of the points. */
const SHARE = 0.05;

/**
 * What makes a result other than its caller may expect, each with the option that changes it.
 *
 * @param heavyPoints  of `pointsOnHeavyPlaces`
 */
export function warningsOf(
  heavyPoints: number,
  isRootSelected: boolean,
  {total}: Copies,
  {rank, hasSelectionEpsilon}: CheckedTree & CheckedSelection,
): string[] {
  const warnings: string[] = [];
  if (heavyPoints > SHARE * total) {
    const share = ((100 * heavyPoints) / total).toFixed(1);
    // A core distance is 0 from this many copies on. At rank 1 that of a single point is 0, too, but no edge is.
    const least = Math.max(2, rank);
    warnings.push(
      `${heavyPoints} of ${total} points (${share} %) lie on places with minSamples copies or more (here ${least}): ` +
        "each such place is a cluster of infinite λ. duplicates: 'once' counts each place once",
    );
  }
  if (isRootSelected && !hasSelectionEpsilon) {
    warnings.push(
      `one cluster, the root, holds all ${total} points, whatever their distance. ` +
        'clusterSelectionEpsilon bounds the distance of its members',
    );
  }
  return warnings;
}

/**
 * The points with a tree edge of weight 0 to another point of their place: those on places that have as many copies as
 * the rank. Distances that underflow to 0 are no copies. None if each place counts once.
 *
 * @param edges  ascending
 * @complexity   O(edges of weight 0)
 */
export function pointsOnHeavyPlaces(
  {from, to, squared}: TreeEdges,
  pointOrder: Int32Array,
  {points}: Places,
  {duplicates}: CheckedTree,
): number {
  if (duplicates === 'once' || squared.length === 0 || squared[0] > 0) return 0;
  const {coords, dim} = points;
  const isHeavy = new Uint8Array(pointOrder.length);
  let count = 0;
  for (let k = 0; k < squared.length && squared[k] === 0; k++) {
    const [a, b] = [pointOrder[from[k]], pointOrder[to[k]]];
    let axis = 0;
    while (axis < dim && coords[a * dim + axis] === coords[b * dim + axis]) axis++;
    if (axis < dim) continue;
    count += 2 - isHeavy[a] - isHeavy[b];
    isHeavy[a] = isHeavy[b] = 1;
  }
  return count;
}
