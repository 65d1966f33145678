import {squaredDistance, squaredEps, UnsupportedDimensionError, type PointSet} from '@epsball/clustering';
import {SEED, sizeOfShare} from '@epsball/conformance/share';
import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {buildUniformGrid, cellOnAxis, RANGES_LENGTH, type UniformGrid} from '../src/index.ts';

const LAYOUTS = ['dense', 'sparse'] as const;
const CELLS = ['eps', 'diagonal'] as const;

/** Neighbours of each point through the grid, by original index, ascending. */
function gridNeighborhoods(points: PointSet, eps: number, grid: UniformGrid): number[][] {
  const ranges = new Int32Array(RANGES_LENGTH);
  return Array.from({length: grid.n}, (_, i) => {
    const count = grid.neighborRanges(grid.cellOf[grid.positionOf[i]], ranges);
    const found: number[] = [];
    for (let r = 0; r < count; r++) {
      for (let k = ranges[2 * r]; k < ranges[2 * r + 1]; k++) {
        const j = grid.pointOrder[k];
        if (squaredDistance(points.coords, points.dim, i, j) <= squaredEps(eps)) found.push(j);
      }
    }
    return found.sort((a, b) => a - b);
  });
}

function bruteNeighborhoods({coords, dim}: PointSet, eps: number): number[][] {
  const n = coords.length / dim;
  const all = Array.from({length: n}, (_, i) => i);
  return all.map((i) => all.filter((j) => squaredDistance(coords, dim, i, j) <= squaredEps(eps)));
}

/** Deterministic numbers in [0, 1). */
function randomNumbers(count: number, seed: number): Float64Array {
  let state = seed;
  return Float64Array.from({length: count}, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  });
}

function lattice(side: number, dim: number, spacing: number, offset: number): Float64Array {
  return Float64Array.from(
    {length: side ** dim * dim},
    (_, k) => offset + spacing * (Math.floor(Math.floor(k / dim) / side ** (k % dim)) % side),
  );
}

const anyPoints = fc
  .integer({min: 1, max: 4})
  .chain((dim) =>
    fc.tuple(
      fc.constant(dim),
      fc.array(fc.array(fc.integer({min: -9, max: 9}), {minLength: dim, maxLength: dim}), {maxLength: 40}),
    ),
  );

const CASES: [name: string, points: PointSet, eps: number][] = [
  ['random points on a line', {coords: randomNumbers(300, 1), dim: 1}, 0.01],
  ['random points in a plane', {coords: randomNumbers(600, 2), dim: 2}, 0.07],
  ['random float32 points in space', {coords: Float32Array.from(randomNumbers(900, 3)), dim: 3}, 0.15],
  ['random points in four dimensions', {coords: randomNumbers(1200, 4), dim: 4}, 0.3],
  ['a plane lattice with eps equal to its spacing', {coords: lattice(15, 2, 0.1, 0), dim: 2}, 0.1],
  ['a float32 lattice with eps 0.1', {coords: Float32Array.from(lattice(15, 2, 0.1, 0)), dim: 2}, 0.1],
  ['a space lattice far from the origin', {coords: lattice(6, 3, 1, 1e9), dim: 3}, 1],
  ['a four-dimensional lattice', {coords: lattice(4, 4, 1, -2), dim: 4}, 1],
  [
    'float32 points at an offset of 1e6',
    {coords: Float32Array.from(randomNumbers(400, 5), (x) => 1e6 + x), dim: 2},
    0.1,
  ],
  ['subnormal coordinates and eps', {coords: lattice(12, 2, 5e-324, 0), dim: 2}, 5e-324],
  ['eps whose square underflows', {coords: lattice(12, 1, 1e-163, 0), dim: 1}, 2e-163],
  ['zeros of both signs', {coords: Float64Array.of(0, -0, -0, 0, 1, -0, -1, 0), dim: 2}, 1],
  ['identical points', {coords: new Float64Array(200).fill(3.7), dim: 2}, 0.5],
  ['eps beyond the data', {coords: randomNumbers(200, 6), dim: 2}, 1e9],
  ['eps whose square overflows', {coords: randomNumbers(100, 7).map((x) => x * 1e300), dim: 2}, 1e200],
  [
    'eps whose square overflows, and the square of a shorter side does not',
    {coords: Float64Array.of(0, 0, 1e155, 0, 3e154, 2e155), dim: 2},
    1.35e154,
  ],
  ['an extent that overflows', {coords: Float64Array.of(-1.7e308, 0, 1.7e308, 1, 0, 2), dim: 2}, 1],
];

describe.for(LAYOUTS)('a %s grid', (layout) => {
  describe.for(CELLS)('of cells by %s', (cells) => {
    it.for(CASES)('holds every neighbour of %s', ([, points, eps]) => {
      const grid = buildUniformGrid(points, eps, {layout, cells});
      expect(grid.layout).toBe(layout);
      expect(gridNeighborhoods(points, eps, grid)).toEqual(bruteNeighborhoods(points, eps));
    });

    it('holds every neighbour exactly once, for any points', () => {
      fc.assert(
        fc.property(anyPoints, fc.constantFrom(0.5, 1, 2, 3.7), ([dim, rows], eps) => {
          const points = {coords: Float64Array.from(rows.flat()), dim};
          const grid = buildUniformGrid(points, eps, {layout, cells});
          expect(gridNeighborhoods(points, eps, grid)).toEqual(bruteNeighborhoods(points, eps));
        }),
        {numRuns: sizeOfShare(150), seed: SEED},
      );
    });
  });

  it('holds only neighbours in a cell by diagonal', () => {
    for (const [, points, eps] of CASES) {
      const grid = buildUniformGrid(points, eps, {layout, cells: 'diagonal'});
      const {cellStart, sortedCoords, geometry} = grid;
      if (geometry.reach === 1) continue;
      for (let cell = 0; cell < grid.cellCount; cell++) {
        for (let a = cellStart[cell]; a < cellStart[cell + 1]; a++) {
          expect(squaredDistance(sortedCoords, points.dim, a, cellStart[cell])).toBeLessThanOrEqual(squaredEps(eps));
        }
      }
    }
  });

  it('orders points by cell, axis 0 fastest, and by original index inside a cell', () => {
    // Three columns, two rows; the cell side is slightly larger than 1.
    const coords = Float32Array.of(2.9, 0, 0, 2, 0.1, 2, 0, 0, 1.5, 0, 2.8, 0);
    const grid = buildUniformGrid({coords, dim: 2}, 1, {layout});
    expect([...grid.pointOrder]).toEqual([3, 4, 0, 5, 1, 2]);
    expect([...grid.positionOf]).toEqual([2, 4, 5, 0, 1, 3]);
    expect(grid.sortedCoords).toEqual(Float32Array.of(0, 0, 1.5, 0, 2.9, 0, 2.8, 0, 0, 2, 0.1, 2));
  });

  it('bounds each cell by cellStart', () => {
    const points = {coords: randomNumbers(1000, 8), dim: 2};
    const grid = buildUniformGrid(points, 0.05, {layout});
    expect(grid.cellStart).toHaveLength(grid.cellCount + 1);
    for (let cell = 0; cell < grid.cellCount; cell++) {
      for (let k = grid.cellStart[cell]; k < grid.cellStart[cell + 1]; k++) expect(grid.cellOf[k]).toBe(cell);
    }
    expect(grid.cellStart[grid.cellCount]).toBe(grid.n);
  });

  it('takes an empty set and one point', () => {
    const none = buildUniformGrid({coords: new Float32Array(0), dim: 3}, 1, {layout});
    expect(none.n).toBe(0);
    expect(none.cellStart.at(-1)).toBe(0);
    const one = buildUniformGrid({coords: Float32Array.of(1, 2, 3), dim: 3}, 1, {layout});
    const ranges = new Int32Array(RANGES_LENGTH);
    expect(one.neighborRanges(one.cellOf[0], ranges)).toBe(1);
    expect([ranges[0], ranges[1]]).toEqual([0, 1]);
  });

  it('does not modify the input', () => {
    const coords = randomNumbers(100, 9);
    const before = coords.slice();
    buildUniformGrid({coords, dim: 2}, 0.1, {layout});
    expect(coords).toEqual(before);
  });
});

describe('buildUniformGrid', () => {
  it.for([2, 3, 4])('holds every neighbour in a box of 1e9 eps per axis, in %i dimensions', (dim) => {
    const corners = randomNumbers(40 * dim, 10).map((x) => Math.round(x * 3) * 1e9);
    const coords = new Float64Array(5 * corners.length);
    for (let k = 0; k < coords.length; k++)
      coords[k] = corners[k % corners.length] + Math.floor(k / corners.length) / 4;
    const points = {coords, dim};
    const grid = buildUniformGrid(points, 1);
    expect(grid.layout).toBe('sparse');
    expect(grid.cellCount).toBeLessThanOrEqual(grid.n);
    expect(gridNeighborhoods(points, 1, grid)).toEqual(bruteNeighborhoods(points, 1));
  });

  it('holds every neighbour if the box has more than 2^31 cells per axis', () => {
    const points = {coords: Float64Array.of(0, 0.5, 1, 1e12, 1e12 + 0.5, 1e12 + 2), dim: 1};
    expect(gridNeighborhoods(points, 1, buildUniformGrid(points, 1))).toEqual(bruteNeighborhoods(points, 1));
  });

  it('stores the cell of each point by its axes', () => {
    const points = {coords: randomNumbers(900, 12), dim: 3};
    const sparse = buildUniformGrid(points, 0.01);
    const dense = buildUniformGrid(points, 0.2);
    if (sparse.layout !== 'sparse' || dense.layout !== 'dense') throw new Error('expected a sparse and a dense grid');
    for (let i = 0; i < sparse.n; i++) {
      let linear = 0;
      for (const d of [2, 1, 0]) {
        const x = points.coords[3 * i + d];
        expect(sparse.cellCoords[3 * sparse.cellOf[sparse.positionOf[i]] + d]).toBe(cellOnAxis(sparse.geometry, d, x));
        linear = linear * dense.geometry.cellCounts[d] + cellOnAxis(dense.geometry, d, x);
      }
      expect(dense.cellOf[dense.positionOf[i]]).toBe(linear);
    }
  });

  it('chooses dense cells for dense points and sparse cells for a large box', () => {
    const coords = randomNumbers(20_000, 11);
    expect(buildUniformGrid({coords, dim: 2}, 0.02).layout).toBe('dense');
    expect(buildUniformGrid({coords, dim: 2}, 0.001).layout).toBe('sparse');
  });

  it.for(LAYOUTS)('reports the part of a build that is done, %s', (layout) => {
    const parts: number[] = [];
    const points = {coords: randomNumbers(200_000, 5), dim: 2};
    buildUniformGrid(points, 0.01, {layout, onProgress: (part) => parts.push(part)});
    expect(parts).toEqual(parts.toSorted((x, y) => x - y));
    expect(parts.length).toBeGreaterThan(10);
    expect([parts[0], parts.at(-1)]).toEqual([0, 1]);
    parts.length = 0;
    buildUniformGrid({coords: new Float64Array(0), dim: 2}, 1, {layout, onProgress: (part) => parts.push(part)});
    expect(parts.every((part) => part >= 0 && part <= 1)).toBe(true);
  });

  it('refuses five dimensions and dense cells beyond 2^31', () => {
    expect(() => buildUniformGrid({coords: new Float64Array(5), dim: 5}, 1)).toThrow(UnsupportedDimensionError);
    const coords = Float64Array.of(0, 0, 1e6, 1e6);
    expect(() => buildUniformGrid({coords, dim: 2}, 1, {layout: 'dense'})).toThrow(
      /layout = "dense"; expected 'sparse'/,
    );
  });
});
