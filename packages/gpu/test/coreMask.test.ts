import {describe, expect, it} from 'vitest';
import {expandBits} from '../src/run/coreMask.ts';

describe('a core mask of bits', () => {
  it('becomes one byte a point', () => {
    for (const n of [1, 7, 8, 9, 31, 32, 33, 1000]) {
      const mask = Uint8Array.from({length: n}, (_, i) => Number(((i * 2_654_435_761) >>> 7) % 3 === 0));
      const bits = new Uint8Array(Math.ceil(n / 32) * 4);
      mask.forEach((flag, i) => (bits[i >> 3] |= flag << (i & 7)));
      expect(expandBits(bits, new Uint8Array(n))).toEqual(mask);
      expect(expandBits(bits, new Uint8Array(n + 3).subarray(3))).toEqual(mask);
    }
  });
});
