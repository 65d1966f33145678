import {describe, expect, it} from 'vitest';
import {distanceBounds, type DistanceBounds} from '@epsball/spatial-grid/gpu';
import {roundingDisplacement} from '../src/gpu/distanceBounds.ts';

const fround = Math.fround;
/** Smallest normal float32. */
const MIN_NORMAL = 2 ** -126;

/** An adapter's treatment of subnormal values. */
type Rounding = (value: number) => number;
const flush: Rounding = (value) => (Math.abs(fround(value)) < MIN_NORMAL ? 0 : fround(value));

/** fl(x · y + z) in one rounding: the product of two float32 is exact in float64. */
const fused = (round: Rounding, x: number, y: number, z: number): number => round(x * y + z);

/** Every float32 value that an adapter may compute for the sum of squares of these differences. */
function possibleSums(a: readonly number[], b: readonly number[]): number[] {
  return [fround, flush].flatMap((round) => {
    const deltas = a.map((x, d) => round(round(x) - round(b[d])));
    return permutations(deltas).flatMap((order) => [...plainSums(round, order), ...fusedSums(round, order)]);
  });
}

/** Left to right, and as a tree of two pairs. */
function plainSums(round: Rounding, deltas: readonly number[]): number[] {
  const squares = deltas.map((delta) => round(delta * delta));
  const inOrder = squares.reduce((sum, square) => round(sum + square));
  if (squares.length < 4) return [inOrder];
  return [inOrder, round(round(squares[0] + squares[1]) + round(squares[2] + squares[3]))];
}

/** The same with fused multiply-add for every product that can be fused. */
function fusedSums(round: Rounding, deltas: readonly number[]): number[] {
  const [first, ...rest] = deltas;
  const inOrder = rest.reduce((sum, delta) => fused(round, delta, delta, sum), round(first * first));
  const fromZero = deltas.reduce((sum, delta) => fused(round, delta, delta, sum), 0);
  if (deltas.length < 4) return [inOrder, fromZero];
  const [x, y, z, w] = deltas;
  const pairs = [fused(round, x, x, round(y * y)), fused(round, z, z, round(w * w))];
  return [inOrder, fromZero, round(pairs[0] + pairs[1])];
}

function permutations(values: readonly number[]): number[][] {
  if (values.length < 2) return [[...values]];
  return values.flatMap((value, k) =>
    permutations([...values.slice(0, k), ...values.slice(k + 1)]).map((rest) => [value, ...rest]),
  );
}

/** The contract's test. */
function areNeighbors(a: readonly number[], b: readonly number[], eps: number): boolean {
  let d2 = 0;
  for (let d = 0; d < a.length; d++) d2 += (a[d] - b[d]) ** 2;
  return d2 <= eps * eps;
}

function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
}

/** A point at about `distance` from `a` in a random direction. */
function pointAround(a: readonly number[], distance: number, random: () => number): number[] {
  const direction = a.map(() => random() - 0.5);
  const norm = Math.hypot(...direction);
  return a.map((x, d) => x + (distance * direction[d]) / norm);
}

interface Verdicts {
  wrong: unknown[];
  decided: number;
  all: number;
}

/**
 * Compares every possible sum of a pair with the bounds, as kernels do. `seen` are the coordinates that kernels see.
 */
function judge(
  verdicts: Verdicts,
  pair: {a: readonly number[]; b: readonly number[]; seenA: readonly number[]; seenB: readonly number[]},
  eps: number,
  bounds: DistanceBounds,
): void {
  const truth = areNeighbors(pair.a, pair.b, eps);
  for (const d2 of possibleSums(pair.seenA, pair.seenB)) {
    const canDecide = bounds.isExactOnly === 0;
    const isNear = canDecide && d2 < fround(bounds.sureBelow);
    const isFar = canDecide && d2 > fround(bounds.sureAbove);
    verdicts.all++;
    verdicts.decided += Number(isNear || isFar);
    if ((isNear && !truth) || (isFar && truth)) verdicts.wrong.push({...pair, eps, d2, ...bounds});
  }
}

const DIMS = [1, 2, 3, 4];
/** Relative distances from eps of the tested pairs. */
const NEARNESS = [0, 1e-8, 1e-7, 3e-7, 1e-6, 3e-6, 1e-5, 1e-3];

describe.for(DIMS)('distance bounds in %i dimensions', (dim) => {
  it.for([2 ** -50, 1e-9, 0.03, 1, 12_345.678, 2 ** 50])(
    'are certain for float32 points with eps %d, in any order of summation, fused or not',
    (eps) => {
      const random = randomNumbers(dim);
      const verdicts: Verdicts = {wrong: [], decided: 0, all: 0};
      for (let k = 0; k < 2000; k++) {
        const scale = eps * 10 ** (4 * random() - 1);
        const a = Array.from({length: dim}, () => fround(scale * (random() - 0.5)));
        const distance = eps * (1 + NEARNESS[k % NEARNESS.length] * (2 * random() - 1));
        const b = pointAround(a, distance, random).map(fround);
        judge(verdicts, {a, b, seenA: a, seenB: b}, eps, distanceBounds(dim, eps, 0, 2 * scale));
      }
      expect(verdicts.wrong.slice(0, 3)).toEqual([]);
      expect(verdicts.decided).toBeGreaterThan(0);
    },
  );

  it('are certain for coordinates that are subnormal compared to the smallest eps', () => {
    const random = randomNumbers(dim + 10);
    const eps = 2 ** -50;
    const bounds = distanceBounds(dim, eps, 0, 1);
    const verdicts: Verdicts = {wrong: [], decided: 0, all: 0};
    for (let k = 0; k < 2000; k++) {
      const a = Array.from({length: dim}, () => fround(2 ** -127 * random()));
      const b = pointAround(a, eps * (1 + 1e-6 * (2 * random() - 1)), random).map(fround);
      // All axes but one differ by an amount that an adapter may flush.
      const c = b.map((x, d) => (d === 0 ? x : fround(a[d] + 2 ** -128)));
      judge(verdicts, {a, b, seenA: a, seenB: b}, eps, bounds);
      judge(verdicts, {a, b: c, seenA: a, seenB: c}, eps, bounds);
    }
    expect(verdicts.wrong.slice(0, 3)).toEqual([]);
  });

  it.for([0, 1e6, 1e9, -1e12])('are certain for float64 points at an offset of %d, rounded to float32', (offset) => {
    const random = randomNumbers(dim + 20);
    const verdicts: Verdicts = {wrong: [], decided: 0, all: 0};
    for (const extent of [1, 300]) {
      const eps = 0.05;
      const magnitude = Math.abs(offset) + extent;
      const bounds = distanceBounds(dim, eps, roundingDisplacement(extent, magnitude), extent);
      const see = (point: readonly number[]): number[] => point.map((x) => fround(x - offset));
      for (let k = 0; k < 1500; k++) {
        const a = Array.from({length: dim}, () => offset + (0.1 + 0.8 * random()) * extent);
        const nearness = NEARNESS[k % NEARNESS.length] * extent;
        const b = pointAround(a, eps * (1 + nearness * (2 * random() - 1)), random);
        judge(verdicts, {a, b, seenA: see(a), seenB: see(b)}, eps, bounds);
      }
    }
    expect(verdicts.wrong.slice(0, 3)).toEqual([]);
    expect(verdicts.decided).toBeGreaterThan(0);
  });

  it('leave undecided only pairs within a few millionths of eps', () => {
    const {sureBelow, sureAbove, isExactOnly} = distanceBounds(dim, 0.03, 0, 1);
    expect(isExactOnly).toBe(0);
    expect(Math.sqrt(sureBelow)).toBeGreaterThan(0.03 * (1 - 2e-6));
    expect(Math.sqrt(sureAbove)).toBeLessThan(0.03 * (1 + 2e-6));
  });

  it('decide nothing if float32 cannot hold the squares', () => {
    for (const [eps, displacement, magnitude] of [
      [2 ** -51, 0, 1],
      [1e-200, 0, 1],
      [2 ** 51, 0, 1],
      [Number.MAX_VALUE, 0, 1],
      [1, 0, 2 ** 61],
      [1, 0, Number.POSITIVE_INFINITY],
      [1, Number.POSITIVE_INFINITY, 1],
      [1, 2 ** 60, 1],
    ]) {
      expect(distanceBounds(dim, eps, displacement, magnitude).isExactOnly).toBe(1);
    }
  });

  it('classify no pair as near if the displacement exceeds eps', () => {
    const {sureBelow, sureAbove} = distanceBounds(dim, 0.001, 1, 1);
    expect(sureBelow).toBe(0);
    expect(sureAbove).toBeGreaterThan(4 * dim);
  });
});
