import type {PointSet} from '@epsball/clustering';
import {seededRandom, type Random} from './random.ts';
import type {TimeRequest} from './timeOracle.ts';

/** Points with times, and how to cluster them. */
export interface TimeSet {
  readonly points: PointSet;
  readonly request: TimeRequest;
}

type Pick1 = <Item>(items: readonly Item[]) => Item;

/**
 * A random set of points with times, determined by the seed: lattices with distances at exactly eps and epsTime,
 * duplicates, equal times, crowds, uniform points; 1-D to 4-D, float32 and float64, rows in random order.
 */
export function randomTimeSet(seed: number): TimeSet {
  const random = seededRandom(seed);
  const pick: Pick1 = (items) => items[Math.floor(random() * items.length)];
  const dim = 1 + Math.floor(random() * 4);
  const isCrowd = random() < 0.05;
  const n = Math.floor(random() * (isCrowd ? 600 : 70));
  const coords = random() < 0.5 ? new Float32Array(n * dim) : new Float64Array(n * dim);
  const axis = axisOf(pick([1, 0.1, 1e-3, 64]), pick([0, 0, 1e6]), isCrowd ? 2 : pick([2, 4, 8]), pick, random);
  for (let k = 0; k < coords.length; k++) coords[k] = axis.next();
  const clock = axisOf(pick([1, 60, 0.1]), pick([0, 1_700_000_000]), isCrowd ? 3 : pick([1, 3, 8, 20]), pick, random);
  const time = Float64Array.from({length: n}, clock.next);
  if (random() < 0.3) repeatRows(coords, time, dim, random);
  const metric = pick(['euclidean', 'euclidean', 'manhattan', 'chebyshev'] as const);
  const weigh = random() < 0.3;
  return {
    points: {coords, dim},
    request: {
      eps: axis.step * pick([1, 1, 2, Math.SQRT2, 0.7]),
      minPts: 1 + Math.floor(random() * (isCrowd ? 40 : 6)),
      epsTime: clock.step * pick([1, 1, 2, 0.8, 0.5, 0, 1e9]),
      time,
      metric,
      ...(weigh ? {sampleWeight: Float64Array.from({length: n}, () => Math.floor(random() * 9) / 4 - 0.5)} : {}),
    },
  };
}

/** Values of an axis: multiples of a step, with rounding as `origin + k * step` has it, or any between. */
function axisOf(step: number, origin: number, count: number, pick: Pick1, random: Random) {
  const isLattice = pick([true, true, false]);
  const next = (): number => origin + (isLattice ? Math.floor(random() * count) : random() * count) * step;
  return {step, next};
}

/** Copies rows over others: places with other times, and points that are equal in both. */
function repeatRows(coords: Float32Array | Float64Array, time: Float64Array, dim: number, random: Random): void {
  const n = time.length;
  for (let k = 0; k < n / 3; k++) {
    const [from, to] = [Math.floor(random() * n), Math.floor(random() * n)];
    coords.copyWithin(to * dim, from * dim, (from + 1) * dim);
    if (random() < 0.5) time[to] = time[from];
  }
}
