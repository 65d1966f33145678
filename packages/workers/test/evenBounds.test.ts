import {expect, it} from 'vitest';
import {chunksFor, evenBounds, taperedBounds} from '../src/index.ts';

it('covers [0, n) with chunks of even length', () => {
  for (let n = 0; n < 300; n++) {
    for (let count = 1; count < 40; count++) {
      const bounds = evenBounds(n, count);
      expect([bounds[0], bounds.at(-1)], `${n} in ${count}`).toEqual([0, n]);
      expect(bounds.length - 1).toBe(Math.max(1, Math.min(n, count)));
      const lengths = bounds.slice(1).map((end, k) => end - bounds[k]);
      expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThanOrEqual(1);
    }
  }
  expect(evenBounds(3_704_351, 16).at(-1)).toBe(3_704_351);
});

it('gives each thread several chunks, at least 64 in all, and no small chunk', () => {
  expect(chunksFor(0, 4)).toBe(1);
  expect(chunksFor(3000, 200)).toBe(1);
  expect(chunksFor(20_000, 4)).toBe(10);
  expect(chunksFor(1_000_000, 1)).toBe(64);
  expect(chunksFor(1_000_000, 16)).toBe(128);
  expect(chunksFor(120, 7, 1)).toBe(64);
});

it('cuts the last chunks finer, but not below the minimum', () => {
  for (let n = 0; n < 300; n++) {
    for (let count = 1; count < 40; count++) {
      const bounds = taperedBounds(n, count, 3);
      const even = evenBounds(n, count);
      expect([bounds[0], bounds.at(-1)], `${n} in ${count}`).toEqual([0, n]);
      // Fifteen of sixteen chunks stay whole, and no part is smaller than the minimum.
      const whole = Math.floor(((even.length - 1) * 15) / 16);
      expect(bounds.slice(0, whole + 1)).toEqual(even.slice(0, whole + 1));
      const lengths = bounds.slice(1).map((end, k) => end - bounds[k]);
      const shortest = Math.min(...even.slice(1).map((end, k) => end - even[k]));
      expect(Math.min(...lengths)).toBeGreaterThanOrEqual(Math.min(3, shortest));
    }
  }
  const lengths = taperedBounds(640_000, 64).map((bound, k, all) => (k === 0 ? 0 : bound - all[k - 1]));
  expect(lengths.slice(1)).toEqual([...Array<number>(60).fill(10_000), ...Array<number>(16).fill(2500)]);
});
