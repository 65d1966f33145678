import {describe, expect, it} from 'vitest';
import {limitOf, metricPoints, metricRadius, squaredDistance} from '@epsball/clustering';

const COSINE = {metric: 'cosine'} as const;

/** Whether two vectors are within a cosine distance. */
function areNear(a: readonly number[], b: readonly number[], eps: number): boolean {
  const {coords, dim} = metricPoints({coords: Float64Array.of(...a, ...b), dim: a.length}, COSINE);
  return squaredDistance(coords, dim, 0, 1) <= limitOf(metricRadius(eps, COSINE));
}

describe('cosine', () => {
  it('compares directions, of any length', () => {
    expect(areNear([1, 0], [0, 1], 1)).toBe(true);
    expect(areNear([1, 0], [0, 1], 0.999_999)).toBe(false);
    expect(areNear([3, 4], [6e150, 8e150], 1e-15)).toBe(true);
    expect(areNear([3e300, 4e300], [6e-300, 8e-300], 1e-15)).toBe(true);
    expect(areNear([5e-324, 0], [1, 1e-200], 1e-15)).toBe(true);
    expect(areNear([1, 2, 3], [-1, -2, -3], 1.999_999)).toBe(false);
    expect(areNear([1, 2, 3], [-1, -2, -3], 2)).toBe(true);
    expect(areNear([0.1, 0.7, -0.3], [-0.1, -0.7, 0.3], 5)).toBe(true);
  });

  it('has the bound 2 · eps, also where it is no square', () => {
    for (let k = 1; k < 2000; k++) {
      const eps = k / 1000;
      if (eps >= 2) continue;
      const radius = metricRadius(eps, COSINE);
      expect(limitOf(radius)).toBe(2 * eps);
      expect(radius.eps * radius.eps).toBeGreaterThanOrEqual(2 * eps);
      expect(radius.eps).toBeLessThanOrEqual(Math.sqrt(2 * eps) * (1 + 2 ** -51));
    }
  });

  it('names a zero vector', () => {
    const coords = Float32Array.of(1, 0, 0, 0);
    expect(() => metricPoints({coords, dim: 2}, COSINE)).toThrow('point 1 is a zero vector; expected a direction');
  });
});
