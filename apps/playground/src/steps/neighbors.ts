import {squaredDistance, squaredEps, type DbscanParams, type PointSet} from '@epsball/clustering';
import {NOISE_PAINT} from './frame.ts';

/** The eps-balls of all points: neighbours without the point itself, ascending. */
export type Balls = readonly (readonly number[])[];

/** Finds all neighbours by comparing all pairs: a recording has a few hundred points. */
export function findBalls({coords, dim}: PointSet, eps: number): Balls {
  const eps2 = squaredEps(eps);
  const all = [...Array(coords.length / dim).keys()];
  return all.map((i) => all.filter((j) => j !== i && squaredDistance(coords, dim, i, j) <= eps2));
}

/** A core point and a point that is not core, as examples of the core test. */
export function testExamples(balls: Balls, {minPts}: DbscanParams): readonly number[] {
  const core = balls.findIndex((ball) => ball.length + 1 >= minPts);
  const other = balls.findIndex((ball) => ball.length > 0 && ball.length + 1 < minPts);
  return [core, other].filter((i) => i >= 0);
}

/** `Point 7 has 9 points within ε, itself included, and minPts is 5: core.` */
export function describeTest(i: number, balls: Balls, {minPts}: DbscanParams): string {
  const found = balls[i].length + 1;
  const verdict = found >= minPts ? 'it is core' : 'it is not core';
  return `Point ${i} has ${found} points within ε, itself included. minPts is ${minPts}, so ${verdict}.`;
}

/**
 * Labels of all points from the sets of core points: clusters by smallest core point; a border point takes its lowest
 * adjacent cluster.
 *
 * @param rootOf  set of a core point; any number that its members share
 */
export function labelsOf(balls: Balls, core: Uint8Array, rootOf: (i: number) => number): Int32Array {
  const numbers = new Map<number, number>();
  const labels = Int32Array.from(balls, (_, i) => {
    if (core[i] === 0) return NOISE_PAINT;
    const root = rootOf(i);
    if (!numbers.has(root)) numbers.set(root, numbers.size);
    return numbers.get(root) ?? NOISE_PAINT;
  });
  return labels.map((label, i) => {
    const adjacent = core[i] === 1 ? [] : balls[i].filter((j) => core[j] === 1).map((j) => labels[j]);
    return adjacent.length > 0 ? Math.min(...adjacent) : label;
  });
}
