import type {CondensedTree} from '@epsball/hdbscan';

/** A logarithmic scale of distances, from the top of a plot down. */
export interface DistanceScale {
  /** Pixels from the top, for a squared distance. Distances below the scale are at its lower end. */
  readonly place: (squared: number) => number;
  readonly ticks: readonly {readonly y: number; readonly label: string}[];
}

/** Marks of an axis, about. */
const TICKS = 9;
/** A scale of equal distances spans this factor. */
const LEAST_SPAN = 4;

/** The distances of a metric. */
export interface Distances {
  /** Name of the axis, with its unit. */
  readonly name: string;
  /** The distance of the metric for a squared distance of the tree. Rises. */
  readonly of: (squared: number) => number;
}

export const EUCLIDEAN: Distances = {name: 'distance', of: Math.sqrt};

/** The scale of the distances at which points leave clusters. */
export function distanceScale(
  {leavesSquared, deathSquared}: CondensedTree,
  height: number,
  {of}: Distances,
): DistanceScale {
  let least = Infinity;
  let most = 0;
  for (const squared of [leavesSquared, deathSquared].flatMap((all) => [...rangeOf(all)])) {
    least = Math.min(least, squared);
    most = Math.max(most, squared);
  }
  // No finite distance: all points are equal, or too far apart.
  if (!(least <= most)) [least, most] = [1, 1];
  let low = Math.log10(of(least));
  let high = Math.log10(of(most));
  const missing = Math.max(0, Math.log10(LEAST_SPAN) - (high - low)) / 2;
  const margin = (high - low) * 0.04 + missing;
  low -= margin;
  high += margin;
  const placeLog = (log: number): number => Math.min(1, Math.max(0, (high - log) / (high - low))) * height;
  return {
    place: (squared) => (squared === Infinity ? 0 : placeLog(Math.log10(of(squared)))),
    ticks: tickLogs(low, high).map((value) => ({y: placeLog(Math.log10(value)), label: labelOf(value)})),
  };
}

/** The least and the largest finite value above 0. */
function rangeOf(values: Float64Array): readonly number[] {
  let least = Infinity;
  let most = 0;
  for (const value of values) {
    if (!(value > 0 && value < Infinity)) continue;
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return most === 0 ? [] : [least, most];
}

/** Round distances: powers of ten, or 1, 2 and 5 times these. */
function tickLogs(low: number, high: number): number[] {
  const decades = high - low;
  const factors = decades * 3 <= TICKS ? [1, 2, 5] : [1];
  const step = Math.max(1, Math.ceil(decades / TICKS));
  const ticks: number[] = [];
  for (let power = Math.floor(low / step) * step; power <= high; power += step) {
    for (const factor of factors) {
      const log = power + Math.log10(factor);
      if (log >= low && log <= high) ticks.push(factor * 10 ** power);
    }
  }
  return ticks;
}

function labelOf(value: number): string {
  return value >= 1e-4 && value < 1e6
    ? Number(value.toPrecision(6)).toLocaleString('en-US', {maximumFractionDigits: 8})
    : value.toExponential(0).replace('-', '−');
}
