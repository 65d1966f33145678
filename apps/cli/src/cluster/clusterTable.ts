import {orderOnSphere, type NamedPoints, type PointSet} from '@epsball/clustering';
import type {DbscanRequest} from '@epsball/dbscan';
import type {Groups} from '@epsball/shapes';

const ROWS = 10;

export interface ClusterRow {
  cluster: number;
  size: number;
  /** The mean of its points. */
  center: number[];
  /** The lengths of its box along the axes. */
  extent: number[];
}

/** The axis of longitudes, and a whole turn in their unit. */
interface Longitudes {
  readonly axis: number;
  readonly turn: number;
}

/** Where a metric on the globe finds longitudes; undefined for other metrics. */
export function longitudesOf(
  {columns}: NamedPoints,
  {metric, angles}: Pick<DbscanRequest, 'metric' | 'angles'>,
): Longitudes | undefined {
  if (metric !== 'haversine') return undefined;
  return {axis: orderOnSphere(columns) === 'lon-lat' ? 0 : 1, turn: angles === 'radians' ? 2 * Math.PI : 360};
}

/** The largest clusters, by falling size. Across the date line, longitudes differ by less than half a turn. */
export function largestClusters(
  {coords, dim}: PointSet,
  {count, start, members}: Pick<Groups, 'count' | 'start' | 'members'>,
  longitudes?: Longitudes,
): ClusterRow[] {
  const rows = Array.from({length: count}, (_, cluster) => ({cluster, size: start[cluster + 1] - start[cluster]}))
    .toSorted((a, b) => b.size - a.size || a.cluster - b.cluster)
    .slice(0, ROWS);
  return rows.map(({cluster, size}) => {
    const own = members.subarray(start[cluster], start[cluster + 1]);
    const axes = Array.from({length: dim}, (_, d) =>
      spreadOf(coords, own, dim, d, d === longitudes?.axis ? longitudes.turn : undefined),
    );
    return {cluster, size, center: axes.map(({center}) => center), extent: axes.map(({extent}) => extent)};
  });
}

/**
 * Mean and extent of points on an axis, by half their differences from the first: far from 0 no digits are lost, and a
 * whole difference of two coordinates may overflow.
 */
function spreadOf(
  coords: PointSet['coords'],
  members: Int32Array,
  dim: number,
  axis: number,
  turn: number | undefined,
): {center: number; extent: number} {
  const origin = coords[members[0] * dim + axis];
  const share = 1 / members.length;
  let [half, least, most] = [0, 0, 0];
  for (let k = 0; k < members.length; k++) {
    const x = coords[members[k] * dim + axis];
    const away = turn === undefined ? 0.5 * x - 0.5 * origin : 0.5 * wrap(x - origin, turn);
    half += away * share;
    if (away < least) least = away;
    if (away > most) most = away;
  }
  const center = origin + half + half;
  return {
    center: turn === undefined ? center : wrap(center, turn),
    extent: Math.min(Number.MAX_VALUE, 2 * (most - least)),
  };
}

/** The same angle in [−turn / 2, turn / 2]. */
function wrap(angle: number, turn: number): number {
  return angle - turn * Math.round(angle / turn);
}
