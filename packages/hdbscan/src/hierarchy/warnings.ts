import type {CheckedParams} from '../checkParams.ts';
import type {Places} from '../places.ts';
import type {TreeEdges} from './sortEdges.ts';

/** A warning is due above this share of the points. */
const SHARE = 0.05;

/**
 * What makes a result other than its caller may expect, each with the option that changes it.
 *
 * @param edges  ascending
 * @complexity   O(edges of weight 0)
 */
export function warningsOf(
  edges: TreeEdges,
  pointOrder: Int32Array,
  isRootSelected: boolean,
  places: Places,
  params: CheckedParams,
): string[] {
  const warnings: string[] = [];
  const {total} = places;
  // A core distance is 0 from this many copies on. A single point has the core distance 0 at rank 1, but no edge of 0.
  const least = Math.max(2, params.rank);
  const count = params.duplicates === 'once' ? 0 : pointsOnHeavyPlaces(edges, pointOrder, places);
  if (count > SHARE * total) {
    const share = ((100 * count) / total).toFixed(1);
    warnings.push(
      `${count} of ${total} points (${share} %) lie on places with minSamples copies or more (here ${least}): ` +
        "each such place is a cluster of infinite λ. duplicates: 'once' counts each place once",
    );
  }
  if (isRootSelected && !params.hasSelectionEpsilon) {
    warnings.push(
      `one cluster, the root, holds all ${total} points, whatever their distance. ` +
        'clusterSelectionEpsilon bounds the distance of its members',
    );
  }
  return warnings;
}

/**
 * The points with a tree edge of weight 0 to another point of their place: those on places that have as many copies as
 * the rank. Distances that underflow to 0 are no copies.
 */
function pointsOnHeavyPlaces({from, to, squared}: TreeEdges, pointOrder: Int32Array, {points}: Places): number {
  if (squared.length === 0 || squared[0] > 0) return 0;
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
