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
  /** Parts of the clusters, a power of two; of more than one, threads sum one each. */
  readonly parts: number;
  readonly leavePart: (leaving: Leaving) => Promise<void>;
  readonly describeRange: (describing: Describing) => Promise<void>;
}

/** Numbers of a cluster while its sums grow: a level, its λ − λ of the birth, points that leave there; the sums. */
const NUMBERS = 5;
const LEVEL = 0;
const RISE = 1;
const LEAVING = 2;
const STABILITY = 3;
const SIZE = 4;

/** Clusters of a part that follow one another: a line of a cache holds the numbers of two. */
const BLOCK_BITS = 6;

/** What clusters lose, from their last level up: a plain object, which threads share. */
export interface Leaving {
  readonly growing: Pick<GrowingBasins, 'joined' | 'joining' | 'levels'>;
  readonly squared: Float64Array;
  readonly lambdaOfBirth: Float64Array;
  /** `NUMBERS` by cluster. */
  readonly open: Float64Array;
  readonly parts: number;
}

/**
 * Sums that are still empty.
 *
 * @param growing  after `placeRange` of all positions
 * @param squared  of the edges, ascending
 */
export function layLeaving(
  {birth}: JoinedBasins,
  {joined, joining, levels}: GrowingBasins,
  squared: Float64Array,
  {parts, numbers}: Pick<RangeSteps, 'parts' | 'numbers'>,
): Leaving {
  const lambdaOfBirth = numbers(birth.length);
  for (let c = 0; c < birth.length; c++) lambdaOfBirth[c] = lambdaOf(birth[c] === NEVER ? Infinity : squared[birth[c]]);
  const open = numbers(NUMBERS * birth.length).fill(0);
  for (let at = LEVEL; at < open.length; at += NUMBERS) open[at] = NEVER;
  return {growing: {joined, joining, levels}, squared, lambdaOfBirth, open, parts};
}

/** Sums what leaves the clusters of a part. */
export function leavePart(leaving: Leaving, part: number): void {
  const {
    growing: {joined, joining, levels},
    open,
    parts,
  } = leaving;
  for (let k = levels.length - 1; k >= 0; k--) {
    const c = joined[k] - 1;
    if (c < 0 || ((c >>> BLOCK_BITS) & (parts - 1)) !== part) continue;
    if (open[NUMBERS * c + LEVEL] !== levels[k]) openLevel(leaving, c, levels[k]);
    open[NUMBERS * c + LEAVING] += joining[k];
  }
}

function openLevel(leaving: Leaving, c: number, level: number): void {
  const {open, squared, lambdaOfBirth} = leaving;
  leave(leaving, c);
  open[NUMBERS * c + LEVEL] = level;
  open[NUMBERS * c + RISE] = lambdaOf(squared[level]) - lambdaOfBirth[c];
}

function leave({open}: Leaving, c: number): void {
  const at = NUMBERS * c;
  const points = open[at + LEAVING];
  if (points > 0) open[at + STABILITY] += open[at + RISE] * points;
  open[at + SIZE] += points;
  open[at + LEAVING] = 0;
}

/**
 * What `condense` says of the same tree, after `leavePart` of all parts.
 *
 * @complexity  O(clusters)
 */
export function condenseGrown({parent, death, birth}: JoinedBasins, leaving: Leaving): CondensedClusters {
  const {open, squared} = leaving;
  const squaredAt = (level: number): number => (level === NEVER ? Infinity : squared[level]);
  // Points of children leave at the last level. Children come after their parents, so their sizes are known.
  const ofChildren = new Float64Array(parent.length);
  for (let c = parent.length - 1; c >= 0; c--) {
    if (open[NUMBERS * c + LEVEL] !== death[c]) openLevel(leaving, c, death[c]);
    open[NUMBERS * c + LEAVING] += ofChildren[c];
    leave(leaving, c);
    if (c > 0) ofChildren[parent[c]] += open[NUMBERS * c + SIZE];
  }
  const sums = (which: number): Float64Array => Float64Array.from(parent, (_, c) => open[NUMBERS * c + which]);
  return {
    parent,
    birthSquared: Float64Array.from(birth, squaredAt),
    deathSquared: Float64Array.from(death, squaredAt),
    size: sums(SIZE),
    stability: sums(STABILITY),
  };
}

/** By cluster: the smallest point that leaves it last; `NO_POINT` if none does. */
export function smallestOf(placed: Int32Array, count: number): Int32Array {
  const smallest = new Int32Array(count).fill(NO_POINT);
  for (let i = 0; 2 * i < placed.length; i++) if (i < smallest[placed[2 * i]]) smallest[placed[2 * i]] = i;
  return smallest;
}
