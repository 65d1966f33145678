import {
  collapseDuplicates,
  indicesBelow,
  pointCount,
  reportParts,
  RunPacer,
  type PointSet,
  type RunOptions,
} from '@epsball/clustering';
import {buildKdTree, KdNearest} from '@epsball/kd-tree';

/** Distances of sampled points, Euclidean and ascending. */
export interface KDistances {
  /** To the k-th nearest point; infinite where squares overflow. */
  readonly distances: Float64Array;
  /** Where the k-th nearest point is at the same place: to the nearest other place. Infinite if there is none. */
  readonly placeDistances: Float64Array;
}

/**
 * Distances of `queries` points, drawn by the seed, to the k-th nearest of all points, the point itself being the
 * first: a point is core for every eps from this distance on, with minPts = k. Where it is 0, the next place is what
 * eps can reach.
 */
export async function kDistances(
  points: PointSet,
  k: number,
  {queries, seed}: {readonly queries: number; readonly seed: number},
  options: RunOptions<'index' | 'distances'>,
): Promise<KDistances> {
  const n = pointCount(points);
  const tree = buildKdTree(points, {onProgress: reportParts('index', n, options.onProgress)});
  const nearest = new KdNearest(tree, k);
  const positions = sample(n, Math.min(n, queries), seed);
  const distances = new Float64Array(positions.length);
  const pacer = new RunPacer(positions.length, options);
  for (const [sampled, position] of positions.entries()) {
    distances[sampled] = Math.sqrt(nearest.query(tree.coords, position * points.dim));
    await pacer.pause('distances', sampled + 1);
  }
  const zeros = positions.filter((_, sampled) => distances[sampled] === 0);
  return {distances: distances.sort(), placeDistances: otherPlaces(points, tree.coords, zeros)};
}

function otherPlaces(points: PointSet, coords: Float64Array, positions: Int32Array): Float64Array {
  if (positions.length === 0) return new Float64Array(0);
  const nearest = new KdNearest(buildKdTree(collapseDuplicates(points).points), 2);
  return Float64Array.from(positions, (position) => Math.sqrt(nearest.query(coords, position * points.dim))).sort();
}

/** Distinct numbers below n, by the first steps of a seeded shuffle. */
function sample(n: number, count: number, seed: number): Int32Array {
  const all = indicesBelow(n);
  let state = seed >>> 0;
  if (count === n) return all;
  for (let i = 0; i < count; i++) {
    // A linear congruential generator (Numerical Recipes).
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const j = i + Math.floor((state / 2 ** 32) * (n - i));
    [all[i], all[j]] = [all[j], all[i]];
  }
  return all.subarray(0, count);
}

/**
 * The knee of an ascending curve: where it is farthest below its chord, both axes scaled to 1.
 * Undefined for a flat curve.
 *
 * @source  Satopää et al. 2011, Kneedle
 */
export function kneeOf(distances: Float64Array): {readonly at: number; readonly height: number} | undefined {
  const last = distances.length - 1;
  const range = distances[last] - distances[0];
  if (last < 2 || !(range > 0) || range === Infinity) return undefined;
  let height = 0;
  let at = distances[0];
  for (let i = 0; i <= last; i++) {
    const below = i / last - (distances[i] - distances[0]) / range;
    if (below <= height) continue;
    height = below;
    at = distances[i];
  }
  return height > 0 ? {at, height} : undefined;
}

/**
 * The cut between the two modes of log distance: the largest variance between the two sides.
 *
 * @source  Otsu 1979
 */
export function cutOf(distances: Float64Array): number | undefined {
  const logs = Array.from(distances)
    .filter((distance) => distance > 0 && distance < Infinity)
    .map(Math.log);
  const total = logs.reduce((sum, x) => sum + x, 0);
  let best = 0;
  let cut: number | undefined;
  let sum = 0;
  for (let i = 0; i + 1 < logs.length; i++) {
    sum += logs[i];
    const below = i + 1;
    const above = logs.length - below;
    const gap = sum / below - (total - sum) / above;
    const variance = below * above * gap * gap;
    if (variance <= best) continue;
    best = variance;
    cut = Math.exp((logs[i] + logs[i + 1]) / 2);
  }
  return cut;
}
