import {seededRandom} from '@epsball/conformance';
import {describe, expect, it} from 'vitest';
import {estimateCandidates} from '../src/estimateCandidates.ts';

function uniform(n: number, dim: number): {coords: Float32Array; dim: number} {
  const random = seededRandom(5);
  return {coords: Float32Array.from({length: n * dim}, () => random()), dim};
}

describe('estimateCandidates', () => {
  it.each([1, 2, 3, 4])('is near n times the volume of 3^dim cells for uniform points: %i', (dim) => {
    const n = 20_000;
    const eps = (100 / n) ** (1 / dim) / 3;
    const estimate = estimateCandidates(uniform(n, dim), {eps});
    // Six standard deviations of √200; points at the border have fewer candidates.
    expect(estimate).toBeGreaterThan(15);
    expect(estimate).toBeLessThan(185);
  });

  it('reads few pairs of few points in a one-shot run, and estimates about the same', () => {
    const n = 10_000;
    const reads = {count: 0};
    const {coords, dim} = uniform(n, 1);
    const watched = new Proxy(coords, {
      get(target, key) {
        if (typeof key === 'string' && /^\d+$/.test(key)) reads.count++;
        return Reflect.get(target, key, target);
      },
    });
    const estimate = estimateCandidates({coords: watched, dim}, {eps: 100 / n / 3}, true);
    expect(reads.count).toBe(2 * 1024);
    // Six standard deviations of √1000.
    expect(Math.abs(estimate - 100)).toBeLessThan(190);
    const many = uniform(20_000, 1);
    expect(estimateCandidates(many, {eps: 0.01}, true)).toBe(estimateCandidates(many, {eps: 0.01}));
  });

  it('counts all points if eps spans the data', () => {
    expect(estimateCandidates(uniform(1000, 2), {eps: 1})).toBe(1000);
  });

  it('is not misled by points in order of their clusters', () => {
    const coords = Float32Array.from({length: 10_000}, (_, i) => Math.trunc(i / 1000));
    expect(estimateCandidates({coords, dim: 1}, {eps: 0.1})).toBeGreaterThan(800);
    const alternating = Float32Array.from({length: 10_000}, (_, i) => (i % 2 === 0 ? i : 0));
    expect(estimateCandidates({coords: alternating, dim: 1}, {eps: 0.1})).toBeGreaterThan(2000);
  });

  it.each([
    ['no points', new Float32Array(0)],
    ['one point', new Float32Array(2)],
    ['NaN', new Float32Array(20).fill(Number.NaN)],
  ])('is 0 for %s', (_, coords) => {
    expect(estimateCandidates({coords, dim: 2}, {eps: 1})).toBe(0);
  });
});
