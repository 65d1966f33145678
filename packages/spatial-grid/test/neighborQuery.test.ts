import {squaredDistance, squaredEps} from '@epsball/clustering';
import {describe, expect, it} from 'vitest';
import {buildUniformGrid, NeighborQuery, rangeCount, rangeSearch} from '../src/index.ts';

/** Points on a lattice with spacing 1, in a scattered order. */
function latticePoints(side: number, dim: number): Float32Array {
  const n = side ** dim;
  return Float32Array.from({length: n * dim}, (_, k) => {
    const i = (Math.floor(k / dim) * 7919) % n;
    return Math.floor(i / side ** (k % dim)) % side;
  });
}

describe('NeighborQuery', () => {
  it.for([
    [1, 11, 3],
    [2, 7, 5],
    [3, 5, 7],
    [4, 4, 9],
  ])('finds the closed eps-ball in %i dimensions', ([dim, side, expectedInside]) => {
    const coords = latticePoints(side, dim);
    const grid = buildUniformGrid({coords, dim}, 1);
    const query = new NeighborQuery(grid, {eps: 1});
    const found = new Int32Array(grid.n);
    let most = 0;
    for (let i = 0; i < grid.n; i++) {
      const count = query.neighbors(grid.positionOf[i], found);
      const indices = [...found.subarray(0, count)].map((position) => grid.pointOrder[position]);
      const expected = Array.from({length: grid.n}, (_, j) => j).filter(
        (j) => squaredDistance(coords, dim, i, j) <= squaredEps(1),
      );
      expect(indices.sort((a, b) => a - b)).toEqual(expected);
      most = Math.max(most, count);
    }
    expect(most).toBe(expectedInside);
    expect(query.neighborTests).toBeGreaterThanOrEqual(grid.n);
  });

  it('stops after enough neighbours, and not before', () => {
    const grid = buildUniformGrid({coords: latticePoints(9, 2), dim: 2}, 2);
    const query = new NeighborQuery(grid, {eps: 2});
    const found = new Int32Array(grid.n);
    for (let position = 0; position < grid.n; position++) {
      const all = query.neighbors(position, found);
      for (const enough of [1, 5, 12, 14]) {
        expect(query.neighbors(position, found, enough)).toBeGreaterThanOrEqual(Math.min(enough, all));
      }
    }
  });

  it('takes an eps smaller than that of the grid', () => {
    const grid = buildUniformGrid({coords: latticePoints(9, 2), dim: 2}, 3);
    const found = new Int32Array(grid.n);
    const query = new NeighborQuery(grid, {eps: 0.5});
    for (let position = 0; position < grid.n; position++) {
      expect(query.neighbors(position, found)).toBe(1);
      expect(found[0]).toBe(position);
    }
  });
});

describe('rangeSearch', () => {
  it.for([1, 2, 3, 4, 5, 9])('appends the neighbours in one range, in %i dimensions', (dim) => {
    // Point k is (k, k, …): eps = 2 · √dim reaches two points on each side, the second exactly.
    const coords = Float64Array.from({length: 12 * dim}, (_, at) => Math.floor(at / dim));
    const found = Int32Array.from({length: 12}, () => -1);
    const count = rangeSearch(dim)(coords, 5, 2, 10, dim * 4, found, 1);
    expect(count).toBe(6);
    expect([...found.subarray(0, count)]).toEqual([-1, 3, 4, 5, 6, 7]);
  });
});

describe('rangeCount', () => {
  it.for([1, 2, 3, 4, 5, 9])('counts what rangeSearch collects, in %i dimensions', (dim) => {
    const coords = latticePoints(2, dim).map((x, k) => x + (k % 3) / 4);
    const n = coords.length / dim;
    const found = new Int32Array(n + 1);
    for (let position = 0; position < n; position++) {
      for (const eps2 of [0, 0.0625, 1, 1.0625, dim * 4]) {
        for (const [start, end] of [
          [0, n],
          [position, n],
          [0, position],
        ] as const) {
          const expected = rangeSearch(dim)(coords, position, start, end, eps2, found, 0);
          expect(rangeCount(dim)(coords, position, start, end, eps2)).toBe(expected);
        }
      }
    }
  });
});
