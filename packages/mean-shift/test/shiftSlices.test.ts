import {describe, expect, it} from 'vitest';
import {shiftSlices, type SliceLimits} from '../src/gpu/shift/shiftSlices.ts';

const LARGE: SliceLimits = {pairs: 2 ** 32, tileWidth: 256, span: 1024, groups: 4096, partialWords: 2 ** 24};

describe('slices of an iteration', () => {
  it.for([
    [1, 1, LARGE],
    [257, 5000, LARGE],
    [100_000, 100_000, LARGE],
    [1_000_000, 1_000_000, LARGE],
    [3_000_000, 3_000_000, LARGE],
    [700, 700, {...LARGE, pairs: 1, tileWidth: 16, span: 16}],
    [1000, 700, {...LARGE, pairs: 10_000, tileWidth: 32, span: 128}],
  ] as const)('pair each of %i points with each of %i slots once, within the limits', ([n, m, limits]) => {
    let pairs = 0;
    let lastEnd: number = n;
    for (const {firstSlot, slots, begin, end, parts, pointsPerPart} of shiftSlices(n, m, 4, limits)) {
      // Points continue after the previous dispatch, or begin again with the next slots.
      expect(begin).toBe(lastEnd === n ? 0 : lastEnd);
      lastEnd = end;
      pairs += slots * (end - begin);
      expect(firstSlot + slots).toBeLessThanOrEqual(m);
      expect(parts * pointsPerPart).toBeGreaterThanOrEqual(end - begin);
      expect(pointsPerPart % limits.tileWidth).toBe(0);
      expect(4 * parts * slots).toBeLessThanOrEqual(Math.max(limits.partialWords, 4 * slots));
      // The smallest dispatch is one tile and one workgroup.
      expect(slots * (end - begin)).toBeLessThanOrEqual(Math.max(limits.pairs, limits.span * limits.tileWidth));
    }
    expect(pairs).toBe(n * m);
    expect(lastEnd).toBe(n);
  });

  it('fill a large device with few slots', () => {
    const [slice] = shiftSlices(100_000, 1000, 4, LARGE);
    expect(slice.parts).toBeGreaterThan(300);
  });
});
