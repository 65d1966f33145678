import {squaredDistance, squaredEps} from '@epsball/clustering';
import {SEED, sizeOfShare} from '@epsball/conformance/share';
import {buildUniformGrid, type CellIndex} from '@epsball/spatial-grid';
import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {CorePairSearch} from '../src/corePair.ts';

/** Deterministic numbers in [0, 1). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Points whose positions are their indices: the cell is as large as the box. */
function inOneCell(coords: Float64Array, dim: number): CellIndex {
  const index = buildUniformGrid({coords, dim}, 1e9);
  expect(index.cellCount).toBe(1);
  return index;
}

/** Expects the answer of the search for the points [0, half) and [half, n) to be that of all pairs. */
function expectRight(coords: Float64Array, dim: number, eps: number, isCore?: Uint8Array): boolean {
  const n = coords.length / dim;
  const half = n >>> 1;
  const core = isCore ?? new Uint8Array(n).fill(1);
  const areNeighbors = (a: number, b: number): boolean => squaredDistance(coords, dim, a, b) <= squaredEps(eps);
  let exists = false;
  for (let a = 0; a < half; a++) {
    for (let b = half; b < n; b++) exists ||= core[a] + core[b] === 2 && areNeighbors(a, b);
  }
  const pair = new CorePairSearch(inOneCell(coords, dim), core, {eps}).find(0, half, half, n);
  expect(pair !== undefined).toBe(exists);
  if (pair !== undefined) {
    expect(areNeighbors(pair.a, pair.b)).toBe(true);
    expect(core[pair.a] + core[pair.b]).toBe(2);
    expect(pair.a).toBeLessThan(half);
    expect(pair.b).toBeGreaterThanOrEqual(half);
  }
  return exists;
}

/** Points on an arc of radius `radius` around one point of the other side, which lie close together. */
function arc(n: number, radius: number, seed: number): Float64Array {
  const next = numbers(seed);
  const coords = new Float64Array(2 * n);
  for (let i = 0; i < n; i++) {
    const angle = 0.3 + next();
    const isOnArc = i >= n >>> 1;
    coords[2 * i] = 1e6 + (isOnArc ? radius * Math.cos(angle) : -1e-4 * next());
    coords[2 * i + 1] = isOnArc ? radius * Math.sin(angle) : -1e-4 * next();
  }
  return coords;
}

describe('a search for a pair of core points', () => {
  it('is right beside an arc just within and just beyond eps', () => {
    const found = [0.99995, 0.99999, 1, 1.00001, 1.0001, 1.001].map((radius) => expectRight(arc(900, radius, 3), 2, 1));
    expect(found).toContain(true);
    expect(found).toContain(false);
  });

  it.for([1, 2, 3, 4])('is right for boxes side by side, on %i axes', (dim) => {
    const found = new Set<boolean>();
    for (let seed = 1; seed <= 20; seed++) {
      const next = numbers(seed);
      const gap = 0.7 + 0.03 * seed;
      const coords = Float64Array.from({length: 160 * dim}, (_, k) => {
        const isSecond = k >= 80 * dim;
        return next() * 0.3 + (isSecond && k % dim === 0 ? gap : 0);
      });
      found.add(
        expectRight(
          coords,
          dim,
          1,
          Uint8Array.from({length: 160}, (_, i) => (i % 7 === seed % 7 ? 0 : 1)),
        ),
      );
    }
    expect(found.size).toBe(2);
  });

  it('is right on a lattice, where distances are exactly eps or just above', () => {
    for (const shift of [19, 19.999999, 20, 20.000001, 21]) {
      const coords = Float64Array.from({length: 2 * 200}, (_, k) => {
        const i = (k >> 1) % 100;
        return k % 2 === 0 ? (i % 10) + (k >= 200 ? shift : 0) : Math.floor(i / 10);
      });
      expectRight(coords, 2, 11);
    }
  });

  it('is right for any points', () => {
    fc.assert(
      fc.property(
        fc.integer({min: 1, max: 4}),
        fc.integer(),
        fc.constantFrom(40, 150, 400),
        fc.constantFrom(0.2, 1, 3),
        fc.double({min: 0, max: 4, noNaN: true}),
        (dim, seed, n, scale, shift) => {
          const next = numbers(seed);
          const coords = Float64Array.from(
            {length: n * dim},
            (_, k) => Math.round(next() * 50 * scale) / 50 + (k >= (n >>> 1) * dim ? shift : 0),
          );
          expectRight(coords, dim, 1);
        },
      ),
      {numRuns: sizeOfShare(200), seed: SEED},
    );
  });
});
