import type {PointSet} from '@epsball/clustering';
import {describe, expect, it} from 'vitest';
import {binSeeds} from '../src/binSeeds.ts';
import {flatCenters} from '../src/modes/flatModes.ts';
import {predictLabels} from '../src/modes/predict.ts';
import {finish} from '../src/resumable.ts';
import {cloud} from './clusteredPoints.ts';

function squaredDistance(a: ArrayLike<number>, i: number, b: ArrayLike<number>, j: number, dim: number): number {
  let d2 = 0;
  for (let d = 0; d < dim; d++) d2 += (a[i * dim + d] - b[j * dim + d]) ** 2;
  return d2;
}

/** The first of the nearest centres, by comparing all. */
function nearestByDefinition({coords, dim}: PointSet, centers: Float64Array): number[] {
  return Array.from({length: coords.length / dim}, (_, i) => {
    let nearest = 0;
    for (let c = 1; c < centers.length / dim; c++) {
      if (squaredDistance(coords, i, centers, c, dim) < squaredDistance(coords, i, centers, nearest, dim)) nearest = c;
    }
    return nearest;
  });
}

describe('labels', () => {
  it.each([1, 2, 3, 5])('finds the nearest of many centres, however far, in %i dimensions', (dim) => {
    const points = cloud(150, dim, Float32Array, 2);
    // On a lattice, so that many centres are equally near.
    const centers = Float64Array.from(cloud(400, dim, Float64Array, 7).coords, (x) => Math.round(x * 4) / 4);
    const far = {coords: points.coords.map((x, k) => (k % (3 * dim) === 0 ? x + 1000 : x)), dim};
    for (const bandwidth of [0, 1e-9, 0.02, 0.3, 10]) {
      for (const set of [points, far, {coords: centers, dim}]) {
        expect([...predictLabels(set, centers, {bandwidth})]).toEqual(nearestByDefinition(set, centers));
      }
    }
  });

  it('labels at bandwidth 0 only points on a centre if clusterAll is false', () => {
    const centers = Float64Array.of(3, 1, 0, 2, 3, 1, 4, 4);
    const points = {coords: Float32Array.of(-0, 2, 3, 1, 3, 1.5, 4, 4, 0, 2), dim: 2};
    expect([...predictLabels(points, centers, {bandwidth: 0, clusterAll: false})]).toEqual([1, 0, -1, 3, 1]);
    expect([...predictLabels(points, centers, {bandwidth: 0})]).toEqual([1, 0, 0, 3, 1]);
    expect(() => predictLabels(points, centers, {bandwidth: -1})).toThrow(
      'bandwidth = -1; expected a finite number ≥ 0',
    );
  });

  it('orders centres of the flat kernel as scikit-learn does', () => {
    const dim = 2;
    const bandwidth = 0.5;
    const ends = Float64Array.from(cloud(500, dim, Float64Array, 4).coords, (x) => Math.round(x * 8) / 8);
    const counts = Float64Array.from({length: 500}, (_, i) => (i * 7919) % 6);
    ends.set([-0, 0, 0, -0], 20);
    counts[10] = 1;
    counts[11] = 9;
    // By the definition: of equal ends the last one's count; by falling count, then falling coordinates; none near an
    // earlier one.
    const last = new Map<string, number>();
    for (let i = 0; i < 500; i++) if (counts[i] > 0) last.set(`${ends[2 * i] + 0} ${ends[2 * i + 1] + 0}`, i);
    const order = [...last.values()].toSorted(
      (a, b) => counts[b] - counts[a] || ends[2 * b] - ends[2 * a] || ends[2 * b + 1] - ends[2 * a + 1],
    );
    const kept: number[] = [];
    for (const i of order) {
      if (kept.every((c) => squaredDistance(ends, i, ends, c, dim) > bandwidth ** 2)) kept.push(i);
    }
    expect(kept.length).toBeGreaterThan(20);
    expect([...finish(flatCenters({ends, weights: counts}, dim, bandwidth))]).toEqual(
      kept.flatMap((i) => [ends[2 * i], ends[2 * i + 1]]),
    );
  });

  it('has the same bins in a table as by keys', () => {
    const {coords} = cloud(4000, 3, Float32Array, 6);
    const binSize = 0.5;
    const near = binSeeds({coords, dim: 3}, binSize, 2);
    // One point so far away that no table holds all bins of the box. Its bin has too few points for a seed.
    const far = binSeeds({coords: Float32Array.of(...coords, 1e6, 1e6, 1e6), dim: 3}, binSize, 2);
    expect(near.coords.length).toBeGreaterThan(300);
    expect(far.coords).toEqual(near.coords);
    // Halves go to the even bin: 0, 2, 2, 0.
    expect(binSeeds({coords: Float32Array.of(0.5, 1.5, 2.5, 0.25), dim: 1}, 1).coords).toEqual(Float32Array.of(0, 2));
  });
});
