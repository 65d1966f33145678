import {expect, it} from 'vitest';
import {evenBounds} from '../src/index.ts';

it('covers everything with chunks of even length, whatever the numbers', () => {
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
