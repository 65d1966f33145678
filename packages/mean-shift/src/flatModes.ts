import {CenterGrid} from './centerGrid.ts';

/** Climbs with the flat kernel: where each ended, and how many points were around at its last step. */
export interface FlatClimbs {
  /** m · dim. */
  readonly ends: Float64Array;
  /** m; 0 where a climb has met no point. */
  readonly counts: ArrayLike<number>;
}

/**
 * The cluster centres of scikit-learn's MeanShift: ends of climbs by falling number of points around, equal ones by falling
 * coordinates, without those that are within a bandwidth of an earlier one.
 *
 * Of climbs that end at the same place, bit for bit, the last one's number of points counts, as there.
 *
 * @returns     k · dim, point-major; empty where no climb has met a point
 * @complexity  O(m · log m · dim)
 * @source      scikit-learn 1.2, `MeanShift.fit`: “remove near duplicate points”
 */
export function flatCenters({ends, counts}: FlatClimbs, dim: number, bandwidth: number): Float64Array {
  const climbs = distinctEnds(ends, counts, dim);
  climbs.sort((a, b) => counts[b] - counts[a] || compareEnds(ends, dim, b, a));
  const centers = new CenterGrid(dim, bandwidth);
  for (const i of climbs) if (centers.nearestWithin(ends, i * dim) < 0) centers.add(ends, i * dim);
  return centers.coords;
}

/** Of climbs that met points, the last one of each end. */
function distinctEnds(ends: Float64Array, counts: ArrayLike<number>, dim: number): Int32Array {
  const m = ends.length / dim;
  const met = Int32Array.from({length: m}, (_, i) => i).filter((i) => counts[i] > 0);
  met.sort((a, b) => compareEnds(ends, dim, a, b) || b - a);
  return met.filter((i, k) => k === 0 || compareEnds(ends, dim, met[k - 1], i) !== 0);
}

/** Order of two ends: by the first coordinate that differs. */
function compareEnds(ends: Float64Array, dim: number, a: number, b: number): number {
  for (let d = 0; d < dim; d++) {
    const order = ends[a * dim + d] - ends[b * dim + d];
    if (order !== 0) return order;
  }
  return 0;
}
