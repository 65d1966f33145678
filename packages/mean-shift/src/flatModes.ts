import {CenterGrid} from './centerGrid.ts';
import {DistinctPlaces} from './distinctPlaces.ts';
import {STAGE, type Stages} from './stages.ts';

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
 * @complexity  O(m · dim) expected, and a sort of the climbs that are near no centre of more points
 * @source      scikit-learn 1.2, `MeanShift.fit`: “remove near duplicate points”
 */
export function* flatCenters({ends, counts}: FlatClimbs, dim: number, bandwidth: number): Stages<Float64Array> {
  const climbs = distinctEnds(ends, counts, dim);
  const centers = new CenterGrid(dim, bandwidth);
  let looked = 0;
  for (const equals of byFallingCount(climbs, counts)) {
    // Which of equals comes first matters among those alone that no earlier centre has taken.
    const free: number[] = [];
    for (const i of equals) {
      if (looked++ % STAGE === 0) yield looked;
      if (!centers.hasWithin(ends, i * dim)) free.push(i);
    }
    free.sort((a, b) => compareEnds(ends, dim, b, a));
    for (const i of free) if (!centers.hasWithin(ends, i * dim)) centers.add(ends, i * dim);
  }
  return centers.coords;
}

/** Climbs in groups of one number of points around, the largest number first. */
function byFallingCount(climbs: Int32Array, counts: ArrayLike<number>): Int32Array[] {
  const most = climbs.reduce((largest, i) => Math.max(largest, counts[i]), 0);
  const groupEnds = new Int32Array(most + 2);
  for (const i of climbs) groupEnds[most - counts[i] + 1]++;
  for (let g = 0; g <= most; g++) groupEnds[g + 1] += groupEnds[g];
  const next = groupEnds.slice();
  const sorted = new Int32Array(climbs.length);
  for (const i of climbs) sorted[next[most - counts[i]]++] = i;
  const groups: Int32Array[] = [];
  for (let g = 0; g <= most; g++) {
    if (groupEnds[g + 1] > groupEnds[g]) groups.push(sorted.subarray(groupEnds[g], groupEnds[g + 1]));
  }
  return groups;
}

/** Of climbs that met points, the last one of each end, in the order of the first ones. */
function distinctEnds(ends: Float64Array, counts: ArrayLike<number>, dim: number): Int32Array {
  const m = ends.length / dim;
  const places = new DistinctPlaces(ends, dim);
  const last = new Int32Array(m);
  for (let i = 0; i < m; i++) if (counts[i] > 0) last[places.add(i)] = i;
  return last.subarray(0, places.count);
}

/** Order of two ends: by the first coordinate that differs. */
export function compareEnds(ends: ArrayLike<number>, dim: number, a: number, b: number): number {
  for (let d = 0; d < dim; d++) {
    const order = ends[a * dim + d] - ends[b * dim + d];
    if (order !== 0) return order;
  }
  return 0;
}
