import {CenterGrid} from './centerGrid.ts';
import {DistinctPositions} from './distinctPositions.ts';
import {ITEMS_PER_PAUSE, type Resumable} from '../resumable.ts';

/** Trajectories with the flat kernel: their ends, and the number of points around each at its last step. */
export interface FlatTrajectories {
  /** m · dim. */
  readonly ends: Float64Array;
  /** m; 0 if a trajectory has met no point. */
  readonly counts: ArrayLike<number>;
}

/**
 * The cluster centres of scikit-learn's MeanShift: ends of trajectories by falling number of points around them, equal
 * ones by falling coordinates, without those within a bandwidth of an earlier one.
 *
 * Of trajectories with equal ends, bit for bit, the last one's number of points counts, as in scikit-learn.
 *
 * @returns     k · dim, point-major; empty if no trajectory has met a point
 * @complexity  O(m · dim) expected, and a sort of the trajectories that are near no centre of more points
 * @source      scikit-learn 1.2, `MeanShift.fit`: “remove near duplicate points”
 */
export function* flatCenters(
  {ends, counts}: FlatTrajectories,
  dim: number,
  bandwidth: number,
): Resumable<Float64Array> {
  const trajectories = distinctEnds(ends, counts, dim);
  const centers = new CenterGrid(dim, bandwidth);
  let looked = 0;
  for (const equals of byFallingCount(trajectories, counts)) {
    // The order of equals matters only for those without an earlier centre nearby.
    const free: number[] = [];
    for (const i of equals) {
      if (looked++ % ITEMS_PER_PAUSE === 0) yield looked;
      if (centers.nearestWithin(ends, i * dim) < 0) free.push(i);
    }
    free.sort((a, b) => compareEnds(ends, dim, b, a));
    for (const i of free) if (centers.nearestWithin(ends, i * dim) < 0) centers.add(ends, i * dim);
  }
  return centers.coords;
}

/** Trajectories in groups of equal number of points, the largest number first. */
function byFallingCount(trajectories: Int32Array, counts: ArrayLike<number>): Int32Array[] {
  const most = trajectories.reduce((largest, i) => Math.max(largest, counts[i]), 0);
  const groupEnds = new Int32Array(most + 2);
  for (const i of trajectories) groupEnds[most - counts[i] + 1]++;
  for (let g = 0; g <= most; g++) groupEnds[g + 1] += groupEnds[g];
  const next = groupEnds.slice();
  const sorted = new Int32Array(trajectories.length);
  for (const i of trajectories) sorted[next[most - counts[i]]++] = i;
  const groups: Int32Array[] = [];
  for (let g = 0; g <= most; g++) {
    if (groupEnds[g + 1] > groupEnds[g]) groups.push(sorted.subarray(groupEnds[g], groupEnds[g + 1]));
  }
  return groups;
}

/** The last trajectory of each end, among those that met points, in the order of the first ones. */
function distinctEnds(ends: Float64Array, counts: ArrayLike<number>, dim: number): Int32Array {
  const m = ends.length / dim;
  const positions = new DistinctPositions(ends, dim);
  const last = new Int32Array(m);
  for (let i = 0; i < m; i++) if (counts[i] > 0) last[positions.add(i)] = i;
  return last.subarray(0, positions.count);
}

/** Compares two ends by the first coordinate that differs. */
export function compareEnds(ends: ArrayLike<number>, dim: number, a: number, b: number): number {
  for (let d = 0; d < dim; d++) {
    const order = ends[a * dim + d] - ends[b * dim + d];
    if (order !== 0) return order;
  }
  return 0;
}
