import {squaredDistance, squaredEps} from '@epsball/clustering';
import {uniform} from '@epsball/conformance';
import {buildUniformGrid} from '@epsball/spatial-grid';
import {DisjointSets, findRoot} from '@epsball/union-find';
import {expect, it} from 'vitest';
import {CellBins} from '../src/cellBins.ts';

const EPS = 1;

/** Points in a box of side eps, which is one cell, many of them in a corner. */
function crowdedCell(dim: number, n: number, seed: number) {
  const points = uniform('float64', dim, n, seed);
  return buildUniformGrid({dim, coords: points.coords.map((x, k) => (k % 3 === 0 ? x : x * x) * EPS)}, EPS);
}

it.for([1, 2, 3])('counts at most the real neighbours, and a good share of them, on %i axes', (dim) => {
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

it.for([1, 2, 3])('unites only connected points, and all core points of a bin, on %i axes', (dim) => {
  const n = 300;
  const grid = crowdedCell(dim, n, dim);
  const areNeighbors = (a: number, b: number): boolean =>
    squaredDistance(grid.sortedCoords, dim, a, b) <= squaredEps(EPS);
  const isCore = Uint8Array.from({length: n}, (_, i) => (i % 5 === 0 ? 0 : 1));
  const parent = Int32Array.from({length: n}, (_, i) => i);
  const connected = new DisjointSets(n);
  for (let a = 0; a < n; a++) {
    for (let b = 0; b < a; b++) if (isCore[a] + isCore[b] === 2 && areNeighbors(a, b)) connected.unite(a, b);
  }
  const bins = new CellBins(grid, EPS);
  expect(bins.fill(0, n)).toBe(true);
  const firsts = bins.uniteNear({isCore, parent});
  const roots = new Set([...firsts].filter((first) => first >= 0).map((first) => findRoot(parent, first)));
  for (let i = 0; i < n; i++) {
    const root = findRoot(parent, i);
    expect(connected.areUnited(i, root)).toBe(true);
    expect(isCore[i] === 1 ? roots.has(root) : root === i).toBe(true);
  }
});

it('refuses four axes, few points, wide cells, and squares out of range', () => {
  expect(new CellBins(crowdedCell(4, 3000, 1), EPS).fill(0, 3000)).toBe(false);
  expect(new CellBins(crowdedCell(2, 20, 1), EPS).fill(0, 20)).toBe(false);
  expect(new CellBins(crowdedCell(2, 300, 1), EPS / 2).fill(0, 300)).toBe(false);
  const tiny = buildUniformGrid({dim: 2, coords: new Float64Array(600)}, 2 ** -600);
  expect(new CellBins(tiny, 2 ** -600).fill(0, 300)).toBe(false);
});
