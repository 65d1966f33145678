import type {CondensedTree} from '@epsball/hdbscan';
import type {Axis} from '../plot/page.ts';
import {logTicks} from '../plot/ticks.ts';

/** A logarithmic scale of distances, from the top of a plot down. */
export interface DistanceScale {
  /** Pixels from the top, for a squared distance. Distances below the scale are at its lower end. */
  readonly place: (squared: number) => number;
  readonly ticks: Axis['marks'];
}

/** A scale of equal distances spans this factor. */
const LEAST_SPAN = 4;

export interface Distances {
  /** Name of the axis, with its unit. */
  readonly name: string;
  /** The distance of the metric for a squared distance of the tree. Rises. */
  readonly of: (squared: number) => number;
}

export const EUCLIDEAN: Distances = {name: 'distance', of: Math.sqrt};

export function distanceScale(
  {leavesSquared, deathSquared}: CondensedTree,
  height: number,
  {of}: Distances,
): DistanceScale {
  let [least, most] = [Infinity, 0];
  for (const squared of [leavesSquared, deathSquared]) {
    for (const value of squared) {
      if (!(value > 0 && value < Infinity)) continue;
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
  }
  // No finite distance: all points are equal, or too far apart.
  if (most === 0) [least, most] = [1, 1];
  const span = Math.log10(of(most)) - Math.log10(of(least));
  const margin = span * 0.04 + Math.max(0, Math.log10(LEAST_SPAN) - span) / 2;
  const low = Math.log10(of(least)) - margin;
  const high = Math.log10(of(most)) + margin;
  const placeOf = (distance: number): number =>
    Math.min(1, Math.max(0, (high - Math.log10(distance)) / (high - low))) * height;
  return {
    place: (squared) => (squared === Infinity ? 0 : placeOf(of(squared))),
    ticks: logTicks(low, high).map((distance) => ({at: placeOf(distance), label: labelOf(distance)})),
  };
}

function labelOf(value: number): string {
  return value >= 1e-4 && value < 1e6
    ? Number(value.toPrecision(6)).toLocaleString('en-US', {maximumFractionDigits: 8})
    : value.toExponential(0).replace('-', '−');
}
