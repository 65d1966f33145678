import {pointCount, type PointSet, type Radius} from '@epsball/clustering';

/** Maximum number of pairs. 10,000 pairs take 0.07 to 0.14 ms, 1 to 4 % of the run. */
const MAX_PAIRS = 2 ** 16;

/** Pairs of a one-shot run on few points: V8 interprets that loop, so 5,000 pairs take 6 ms. */
const COLD_PAIRS = 1024;

/** Points up to which `COLD_PAIRS` suffice: the standard deviation of an estimate m is at most √(16m). */
const COLD_POINTS = 2 ** 14;

/** Half the side of the 3^dim grid cells around a point, in eps. */
const REACH = 1.5;

/** Multiplier and increment of a linear congruential generator modulo 2^32 (Numerical Recipes). */
const MULTIPLIER = 1_664_525;
const INCREMENT = 1_013_904_223;

/**
 * Estimates the mean number of points in the 3^dim grid cells around a point, which are the cost of a point, from
 * random pairs that depend on n only. For n points and n / 2 pairs, the standard deviation of an estimate m is √(2m).
 * Coordinates that are NaN count as far.
 *
 * @param isOneShot  whether the process has not run the loop before. Then few points have fewer pairs
 * @complexity O(min(n / 2, 65,536) · dim)
 */
export function estimateCandidates(
  points: PointSet,
  {eps, epsTime = eps}: Pick<Radius, 'eps' | 'epsTime'>,
  isOneShot = false,
): number {
  const {coords, dim} = points;
  const n = pointCount(points);
  if (n < 2) return 0;
  const pairs = Math.min(Math.ceil(n / 2), isOneShot && n <= COLD_POINTS ? COLD_PAIRS : MAX_PAIRS);
  const reach = REACH * eps;
  // Without times the last axis is like the others.
  const lastReach = REACH * epsTime;
  const scale = n / 2 ** 32;
  let found = 0;
  let state = n;
  for (let k = 0; k < pairs; k++) {
    state = (Math.imul(state, MULTIPLIER) + INCREMENT) >>> 0;
    const a = Math.floor(state * scale) * dim;
    state = (Math.imul(state, MULTIPLIER) + INCREMENT) >>> 0;
    const b = Math.floor(state * scale) * dim;
    let d = 0;
    while (d < dim && Math.abs(coords[a + d] - coords[b + d]) <= (d === dim - 1 ? lastReach : reach)) d++;
    if (d === dim) found++;
  }
  return (found / pairs) * n;
}
