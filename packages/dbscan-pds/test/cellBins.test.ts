import {squaredDistance, squaredEps} from '@epsball/clustering';
import {uniform} from '@epsball/conformance';
import {buildUniformGrid} from '@epsball/spatial-grid';
import {expect, it} from 'vitest';
import {CellBins} from '../src/cellBins.ts';

const EPS = 1;

/** All in one cell: a box of side eps at most, in the corner of which many lie. */
function crowdedCell(dim: number, n: number, seed: number) {
  const points = uniform('float64', dim, n, seed);
  return buildUniformGrid({dim, coords: points.coords.map((x, k) => (k % 3 === 0 ? x : x * x) * EPS)}, EPS);
}

it.for([1, 2, 3])('never counts more neighbours than there are, and often enough of them, on %i axes', (dim) => {
  for (let seed = 1; seed <= 10; seed++) {
    const n = 300;
    const grid = crowdedCell(dim, n, seed);
    const bins = new CellBins(grid, EPS);
    expect(bins.fill(0, n)).toBe(true);
    let sure = 0;
    for (let i = 0; i < n; i++) {
      let count = 0;
      for (let j = 0; j < n; j++) if (squaredDistance(grid.sortedCoords, dim, i, j) <= squaredEps(EPS)) count++;
      expect(bins.sureNeighbors(i)).toBeGreaterThan(0);
      expect(bins.sureNeighbors(i)).toBeLessThanOrEqual(count);
      sure += bins.sureNeighbors(i);
    }
    expect(sure / n).toBeGreaterThan(n / 8);
  }
});

it.for([1, 2, 3])('unites neighbours only, and each core point with the first of its bin, on %i axes', (dim) => {
  const n = 300;
  const grid = crowdedCell(dim, n, dim);
  const isCore = Uint8Array.from({length: n}, (_, i) => (i % 5 === 0 ? 0 : 1));
  const pairs: [number, number][] = [];
  const firsts = new CellBins(grid, EPS).uniteNear(0, n, isCore, (a, b) => pairs.push([a, b]));
  for (const [a, b] of pairs) {
    expect(squaredDistance(grid.sortedCoords, dim, a, b)).toBeLessThanOrEqual(squaredEps(EPS));
    expect([isCore[a], isCore[b]]).toEqual([1, 1]);
  }
  const met = new Set([...pairs.flat(), ...(firsts ?? [])]);
  expect(isCore.findIndex((flag, i) => flag === 1 && !met.has(i))).toBe(-1);
});

it('is not for four axes, few points, wide cells, or squares out of range', () => {
  expect(new CellBins(crowdedCell(4, 3000, 1), EPS).fill(0, 3000)).toBe(false);
  expect(new CellBins(crowdedCell(2, 20, 1), EPS).fill(0, 20)).toBe(false);
  expect(new CellBins(crowdedCell(2, 300, 1), EPS / 2).fill(0, 300)).toBe(false);
  const tiny = buildUniformGrid({dim: 2, coords: new Float64Array(600)}, 2 ** -600);
  expect(new CellBins(tiny, 2 ** -600).fill(0, 300)).toBe(false);
});
