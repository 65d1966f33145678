import {describe, expect, it} from 'vitest';
import {DISPATCH_LIMIT, foldDispatch} from '@epsball/gpu';

describe('foldDispatch', () => {
  const limit = 5;
  const counts = [0, 1, 4, 5, 6, 7, 24, 25, 26, 27, 49, 50, 51, 124, 125];

  it.for(counts)('covers %i workgroups with a small limit, each axis within it', (count) => {
    const [x, y, z] = foldDispatch(count, limit);
    expect(x * y * z).toBeGreaterThanOrEqual(count);
    for (const axis of [x, y, z]) {
      expect(axis).toBeLessThanOrEqual(limit);
      expect(Number.isInteger(axis)).toBe(true);
    }
  });

  it('covers every count up to the cube of a limit', () => {
    for (const small of [1, 2, 3, 7]) {
      for (let count = 0; count <= small ** 3; count++) {
        const folded = foldDispatch(count, small);
        expect(Math.max(...folded), `${count} with limit ${small}`).toBeLessThanOrEqual(Math.max(1, small));
        expect(folded[0] * folded[1] * folded[2], `${count} with limit ${small}`).toBeGreaterThanOrEqual(count);
      }
    }
  });

  it('wastes less than a row in two dimensions and less than a layer in three', () => {
    const [x, y] = foldDispatch(DISPATCH_LIMIT + 1);
    expect([x, y]).toEqual([32_768, 2]);
    for (const count of [DISPATCH_LIMIT ** 2, DISPATCH_LIMIT ** 2 + 1, 2 ** 32 - 1]) {
      const [a, b, c] = foldDispatch(count);
      expect(a * b * c - count, String(count)).toBeLessThan(c === 1 ? b : a * c);
      expect(a * b * c, String(count)).toBeGreaterThanOrEqual(count);
    }
  });

  it('does not fold counts within the limit, including 0', () => {
    expect(foldDispatch(0)).toEqual([0, 1, 1]);
    expect(foldDispatch(1)).toEqual([1, 1, 1]);
    expect(foldDispatch(DISPATCH_LIMIT)).toEqual([DISPATCH_LIMIT, 1, 1]);
  });
});
