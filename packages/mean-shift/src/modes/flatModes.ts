import {DistinctPositions} from '@epsball/clustering';
import type {Trajectories} from '../climb/climber.ts';
import {CenterGrid} from './centerGrid.ts';
import {ITEMS_PER_PAUSE, type Resumable} from '../resumable.ts';

/**
 * The cluster centres of scikit-learn's MeanShift: ends of trajectories by falling number of points around them, equal
 * ones by falling coordinates, without those within a bandwidth of an earlier one. Of trajectories with equal ends the
 * last one counts.
 *
 * @source  scikit-learn 1.2, `MeanShift.fit`: “remove near duplicate points”
 */
export function* flatCenters(
  {ends, weights: counts}: Pick<Trajectories, 'ends' | 'weights'>,
  dim: number,
  bandwidth: number,
): Resumable<Float64Array> {
  const order = distinctEnds(ends, counts, dim).sort((a, b) => counts[b] - counts[a]);
  const centers = new CenterGrid(dim, bandwidth);
  let looked = 0;
  for (let k = 0; k < order.length;) {
    const most = counts[order[k]];
    // The order of equals matters only for those without an earlier centre nearby.
    const free: number[] = [];
    for (; k < order.length && counts[order[k]] === most; k++) {
      if (looked++ % ITEMS_PER_PAUSE === 0) yield 0;
      if (centers.nearestWithin(ends, order[k] * dim) < 0) free.push(order[k]);
    }
    free.sort((a, b) => compareEnds(ends, dim, b, a));
    for (const i of free) if (centers.nearestWithin(ends, i * dim) < 0) centers.add(ends, i * dim);
  }
  return centers.coords;
}

/** The last trajectory of each end, among those that met points, in the order of the first ones. */
function distinctEnds(ends: Float64Array, counts: ArrayLike<number>, dim: number): Int32Array {
  const m = ends.length / dim;
  const positions = new DistinctPositions(ends, dim);
  const last = new Int32Array(m);
  for (let i = 0; i < m; i++) if (counts[i] > 0) last[positions.add(i)] = i;
  return last.subarray(0, positions.count);
}

export function compareEnds(ends: ArrayLike<number>, dim: number, a: number, b: number): number {
  for (let d = 0; d < dim; d++) {
    const order = ends[a * dim + d] - ends[b * dim + d];
    if (order !== 0) return order;
  }
  return 0;
}
