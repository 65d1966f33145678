import {describe, expect, it} from 'vitest';
import {buildCandidateIndex} from '../src/climb/candidates.ts';
import {CandidateSearch} from '../src/climb/candidateSearch.ts';
import {cloud} from './clusteredPoints.ts';

describe('candidates', () => {
  it.each([
    [1, 2],
    [2, 2],
    [3, 2],
    [4, 1],
    [5, 2],
  ])('hold all points within the radius, each once, in %i dimensions with %i cells a radius', (dim, reach) => {
    const points = cloud(3000, dim, Float32Array, 4);
    const radius = [0.01, 0.6, 1.2, 1.2, 1.2][dim - 1];
    const index = buildCandidateIndex(points, radius);
    expect(index.cells?.reach).toBe(reach);
    const search = new CandidateSearch(index);
    const wrong: number[] = [];
    const at = new Float64Array(dim);
    for (let trial = 0; trial < 200; trial++) {
      // Points, positions between points, and positions far away.
      const i = (trial * 17) % 3000;
      const off = [0, 0.3, 9][trial % 3];
      for (let d = 0; d < dim; d++) at[d] = points.coords[dim * i + d] + off;
      const found = new Uint8Array(3000);
      const count = search.find(at);
      for (let r = 0; r < count; r++) {
        for (let k = search.ranges[2 * r]; k < search.ranges[2 * r + 1]; k++) found[index.pointOrder?.[k] ?? k]++;
      }
      for (let j = 0; j < 3000; j++) {
        let d2 = 0;
        for (let d = 0; d < dim; d++) d2 += (points.coords[dim * j + d] - at[d]) ** 2;
        if (d2 <= radius * radius ? found[j] !== 1 : found[j] > 1) wrong.push(j);
      }
    }
    expect(wrong).toEqual([]);
  });
});
