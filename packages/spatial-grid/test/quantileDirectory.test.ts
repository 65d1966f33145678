import {InvalidParameterError, pointCount, type PointSet} from '@epsball/clustering';
import {cases, highDimensionalCases, sweepNeighbors, type DbscanCase} from '@epsball/conformance';
import {SEED, sizeOfShare} from '@epsball/conformance/share';
import {gaussians} from '@epsball/datasets';
import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {
  buildQuantileDirectory,
  CandidateQuery,
  type QuantileDirectory,
  type QuantileDirectoryOptions,
} from '../src/quantile/index.ts';
import {principalAxes} from '../src/quantile/pca.ts';

/** Neighbours that are not among the candidates. */
function missedNeighbors(points: PointSet, eps: number, directory: QuantileDirectory): string[] {
  const query = new CandidateQuery(directory, eps);
  const ranges = new Int32Array(query.rangesLength);
  const neighbors = sweepNeighbors(points, eps);
  const missed: string[] = [];
  for (let i = 0; i < directory.n; i++) {
    const count = query.candidates(directory.positionOf[i], ranges);
    const isCandidate = (position: number): boolean => {
      for (let r = 0; r < count; r++) {
        if (ranges[2 * r] <= position && position < ranges[2 * r + 1]) return true;
      }
      return false;
    };
    for (const j of neighbors(i)) if (!isCandidate(directory.positionOf[j])) missed.push(`${i}: ${j}`);
  }
  return missed;
}

/** Fraction of all pairs that a search tests. */
function candidateShare(directory: QuantileDirectory, eps: number): number {
  const query = new CandidateQuery(directory, eps);
  const ranges = new Int32Array(query.rangesLength);
  let candidates = 0;
  for (let k = 0; k < directory.n; k++) {
    const count = query.candidates(k, ranges);
    for (let r = 0; r < count; r++) candidates += ranges[2 * r + 1] - ranges[2 * r];
  }
  return candidates / directory.n ** 2;
}

/** Errors in the arrays of a directory; empty if there are none. */
function flaws(points: PointSet, directory: QuantileDirectory): string[] {
  const {n, dim, leafStart, leaves, pointOrder, positionOf, sortedCoords} = directory;
  const found: string[] = [];
  if (leafStart[0] !== 0 || leafStart[leaves] !== n) found.push('the leaves do not hold all points');
  for (let c = 0; c < leaves; c++) if (leafStart[c] > leafStart[c + 1]) found.push(`leaf ${c} ends before it begins`);
  for (let k = 0; k < n; k++) {
    if (positionOf[pointOrder[k]] !== k) found.push(`position ${k} is not that of its point`);
    for (let d = 0; d < dim; d++) {
      if (!Object.is(sortedCoords[k * dim + d], points.coords[pointOrder[k] * dim + d]))
        found.push(`coordinate of ${k}`);
    }
  }
  return found;
}

const SHAPES: readonly QuantileDirectoryOptions[] = [{}, {levels: 1, fanout: 2}, {levels: 4, fanout: 3}];

/**
 * All point sets of the conformance suite: borders, lattices, duplicates, far offsets, −0, subnormals, many dimensions.
 */
const pointSets: readonly DbscanCase[] = [...cases, ...highDimensionalCases];

describe('a directory by quantiles', () => {
  it('misses no neighbour of any conformance case, in any shape, with principal axes and without', () => {
    for (const [number, {name, points: makePoints, params}] of pointSets.entries()) {
      const points = makePoints();
      const count = Math.min(3, points.dim);
      const axes = principalAxes(points, count);
      const options = [...SHAPES, {axes}][number % (SHAPES.length + 1)];
      const directory = buildQuantileDirectory(points, options);
      expect(flaws(points, directory), name).toEqual([]);
      expect(missedNeighbors(points, params.eps, directory), name).toEqual([]);
    }
  });

  it('misses no neighbour of random points at the border of the ball', () => {
    fc.assert(
      fc.property(
        fc.integer({min: 1, max: 6}),
        fc.boolean(),
        fc.constantFrom(0, 1e6, -3e7, 1e9),
        fc.array(fc.integer({min: -20, max: 20}), {minLength: 1, maxLength: 240}),
        fc.record({levels: fc.integer({min: 1, max: 4}), fanout: fc.integer({min: 2, max: 7})}),
        fc.boolean(),
        (dim, isFloat32, offset, steps, shape, isPrincipal) => {
          const length = steps.length - (steps.length % dim);
          const values = steps.slice(0, length).map((step) => offset + 0.1 * step);
          const points = {coords: isFloat32 ? Float32Array.from(values) : Float64Array.from(values), dim};
          const axes = isPrincipal ? principalAxes(points, dim) : undefined;
          const directory = buildQuantileDirectory(points, {...shape, axes});
          expect(missedNeighbors(points, 0.1, directory)).toEqual([]);
        },
      ),
      {numRuns: sizeOfShare(200), seed: SEED},
    );
  });

  it('finds axes of points whose spread is tiny on some of them', () => {
    for (const tiny of [2 ** -1074, 2 ** -1040, 2 ** -1000, 2 ** -537, 2 ** -300]) {
      for (const dim of [2, 3, 5]) {
        const coords = Float64Array.from({length: 40 * dim}, (_, k) => ((k * 7919) % 13) * (k % dim === 0 ? 1 : tiny));
        const points = {coords, dim};
        const axes = principalAxes(points, dim);
        expect(axes.components.every(Number.isFinite)).toBe(true);
        expect(missedNeighbors(points, 2, buildQuantileDirectory(points, {levels: 2, axes}))).toEqual([]);
      }
    }
  });

  it('misses no neighbour in projections where the squares of many differences vanish', () => {
    const dim = 64;
    const places = [2 ** -500, -(2 ** -500), 0, 2 ** -538, -(2 ** -538)];
    const coords = Float64Array.from(places.flatMap((x) => Array.from<number>({length: 8 * dim}).fill(x)));
    const points = {coords, dim};
    const directory = buildQuantileDirectory(points, {levels: 2, fanout: 9, axes: principalAxes(points, dim)});
    expect(missedNeighbors(points, 1e-200, directory)).toEqual([]);
  });

  it('divides each level into quantiles of its dimension', () => {
    const points = gaussians({n: 5000, dim: 3, seed: 4});
    const {leafStart, nodeBounds, sortedCoords, levels, fanout} = buildQuantileDirectory(points);
    expect([levels, fanout, leafStart.length]).toEqual([3, 16, 4097]);
    const sizes = Array.from({length: 16}, (_, c) => leafStart[256 * (c + 1)] - leafStart[256 * c]);
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
    for (let c = 0; c < 16; c++) {
      // Its points lie between its bounds, which lie between those of its neighbours.
      const xs = Array.from(
        sortedCoords.subarray(3 * leafStart[256 * c], 3 * leafStart[256 * (c + 1)]).filter((_, k) => k % 3 === 0),
      );
      expect([Math.min(...xs), Math.max(...xs)]).toEqual([nodeBounds[2 * c], nodeBounds[2 * c + 1]]);
      if (c > 0) expect(nodeBounds[2 * c]).toBeGreaterThanOrEqual(nodeBounds[2 * c - 1]);
    }
  });

  it('sorts by value, equal values in the order of the input', () => {
    const values = [3, -0, 0, -5, 2 ** -149, -(2 ** -149), 3, 0, -0, 1e30, -1e30];
    for (const coords of [Float32Array.from(values), Float64Array.from(values)]) {
      const {pointOrder} = buildQuantileDirectory({coords, dim: 1}, {fanout: 2});
      expect([...pointOrder]).toEqual([10, 3, 5, 1, 8, 2, 7, 4, 0, 6, 9]);
    }
  });

  it('returns the order of a plain sort for runs long enough for the radix sort', () => {
    const points = gaussians({n: 3000, dim: 2, seed: 8, precision: 'float64'});
    const {pointOrder} = buildQuantileDirectory(points, {levels: 1});
    const x = (i: number): number => points.coords[2 * i];
    expect([...pointOrder]).toEqual(Array.from({length: 3000}, (_, i) => i).sort((a, b) => x(a) - x(b) || a - b));
  });

  it('accepts no points, fewer points than partitions, identical points, and one dimension', () => {
    const empty = buildQuantileDirectory({coords: new Float32Array(0), dim: 2});
    expect([empty.n, empty.leafStart.at(-1)]).toEqual([0, 0]);
    const three = {coords: Float32Array.of(5, 1, 3), dim: 1};
    expect([...buildQuantileDirectory(three).pointOrder]).toEqual([1, 2, 0]);
    const same = {coords: new Float64Array(3 * 1000).fill(-0.7), dim: 3};
    const directory = buildQuantileDirectory(same);
    expect([...directory.pointOrder]).toEqual(Array.from({length: 1000}, (_, i) => i));
    const query = new CandidateQuery(directory, 1e-9);
    const ranges = new Int32Array(query.rangesLength);
    expect([query.candidates(500, ranges), ranges[0], ranges[1]]).toEqual([1, 0, 1000]);
  });

  it('skips most points where clusters are apart', () => {
    const points = gaussians({n: 4000, dim: 8, seed: 1});
    const share = candidateShare(buildQuantileDirectory(points), 0.05);
    // Twenty clusters: one in twenty points is in the cluster of the query.
    expect(share).toBeLessThan(0.12);
  });

  it('skips more points with principal axes if the first coordinates do not separate them', () => {
    const clustered = gaussians({n: 2000, dim: 3, seed: 2});
    const coords = new Float32Array(2000 * 6);
    for (let i = 0; i < 2000; i++) coords.set(clustered.coords.subarray(3 * i, 3 * i + 3), 6 * i + 3);
    const points = {coords, dim: 6};
    const plain = candidateShare(buildQuantileDirectory(points), 0.05);
    const principal = candidateShare(buildQuantileDirectory(points, {axes: principalAxes(points, 3)}), 0.05);
    expect(plain).toBe(1);
    expect(principal).toBeLessThan(0.12);
  });

  it('rejects shapes and axes out of range', () => {
    const points = {coords: Float32Array.of(1, 2, 3, 4), dim: 2};
    for (const levels of [0, 5, 1.5]) {
      expect(() => buildQuantileDirectory(points, {levels})).toThrow(InvalidParameterError);
    }
    expect(() => buildQuantileDirectory(points, {fanout: 1})).toThrow('fanout = 1; expected an integer, 2 … 1024');
    expect(() => buildQuantileDirectory(points, {fanout: 2000})).toThrow(InvalidParameterError);
    expect(() => principalAxes(points, 3)).toThrow('count = 3; expected an integer, 1 … 2');
    expect(() => buildQuantileDirectory(points, {axes: principalAxes(points, 1)})).toThrow(InvalidParameterError);
    const elsewhere = principalAxes({coords: new Float32Array(9), dim: 3}, 3);
    expect(() => buildQuantileDirectory(points, {axes: elsewhere})).toThrow('axes.dim = 3; expected 2');
  });

  it('does not modify the points', () => {
    const points = gaussians({n: 700, dim: 5, seed: 3});
    const before = points.coords.slice();
    const directory = buildQuantileDirectory(points, {axes: principalAxes(points, 3)});
    expect(points.coords).toEqual(before);
    expect(pointCount(points)).toBe(directory.n);
  });
});
