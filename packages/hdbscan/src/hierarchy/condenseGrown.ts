import type {CondensedClusters} from './condense.ts';
import type {Describing} from './describePoints.ts';
import type {GrowingBasins, Placing} from './growBasins.ts';
import {NEVER, type JoinedBasins} from './joinBasins.ts';
import {lambdaOf, NO_POINT} from './steps.ts';

/** The steps of a selection over all positions or points, on threads. */
export interface RangeSteps {
  /** Makes arrays that the threads share, with any values. */
  readonly integers: (length: number) => Int32Array;
  readonly numbers: (length: number) => Float64Array;
  readonly growRange: (growing: GrowingBasins) => Promise<void>;
  readonly placeRange: (placing: Placing) => Promise<void>;
  readonly describeRange: (describing: Describing) => Promise<void>;
}

/** Numbers of a cluster while its stability is summed: a level, its λ − λ of the birth, points that leave there. */
const NUMBERS = 4;
const LEVEL = 0;
const RISE = 1;
const LEAVING = 2;
const STABILITY = 3;

/**
 * What `condense` says of the same tree, after `placeRange` of all positions.
 *
 * @param squared  of the edges, ascending
 * @complexity     O(n)
 */
export function condenseGrown(
  {parent, death, birth}: JoinedBasins,
  {joined, joining, levels}: GrowingBasins,
  squared: Float64Array,
): CondensedClusters {
  const count = parent.length;
  const squaredAt = (level: number): number => (level === NEVER ? Infinity : squared[level]);
  const birthSquared = Float64Array.from(birth, squaredAt);
  const deathSquared = Float64Array.from(death, squaredAt);
  const lambdaOfBirth = birthSquared.map(lambdaOf);
  const size = new Float64Array(count);
  const ofChildren = new Float64Array(count);
  const open = new Float64Array(NUMBERS * count);
  const leave = (c: number): void => {
    const at = NUMBERS * c;
    const points = open[at + LEAVING];
    if (points > 0) open[at + STABILITY] += open[at + RISE] * points;
    size[c] += points;
    open[at + LEAVING] = 0;
  };
  const openLevel = (c: number, level: number): void => {
    leave(c);
    open[NUMBERS * c + LEVEL] = level;
    open[NUMBERS * c + RISE] = lambdaOf(squared[level]) - lambdaOfBirth[c];
  };
  for (let c = 0; c < count; c++) open[NUMBERS * c + LEVEL] = NEVER;
  for (let k = levels.length - 1; k >= 0; k--) {
    const c = joined[k] - 1;
    if (c < 0) continue;
    if (open[NUMBERS * c + LEVEL] !== levels[k]) openLevel(c, levels[k]);
    open[NUMBERS * c + LEAVING] += joining[k];
  }
  // Points of children leave at the last level. Children come after their parents, so their sizes are known.
  for (let c = count - 1; c >= 0; c--) {
    if (open[NUMBERS * c + LEVEL] !== death[c]) openLevel(c, death[c]);
    open[NUMBERS * c + LEAVING] += ofChildren[c];
    leave(c);
    if (c > 0) ofChildren[parent[c]] += size[c];
  }
  const stability = Float64Array.from(parent, (_, c) => open[NUMBERS * c + STABILITY]);
  return {parent, birthSquared, deathSquared, size, stability};
}

/** By cluster: the smallest point that leaves it last; `NO_POINT` if none does. */
export function smallestOf(placed: Int32Array, count: number): Int32Array {
  const smallest = new Int32Array(count).fill(NO_POINT);
  for (let i = 0; 2 * i < placed.length; i++) if (i < smallest[placed[2 * i]]) smallest[placed[2 * i]] = i;
  return smallest;
}
