import {describe, expect, it} from 'vitest';
import {canonicalizeLabels} from '@epsball/clustering';

describe('canonicalizeLabels', () => {
  it('orders clusters by their smallest core point, not by their smallest member', () => {
    // Point 0 is a border point of cluster 4; cluster 2 owns the smallest core point.
    const labels = Int32Array.of(4, 2, 2, 4, -1);
    const coreMask = Uint8Array.of(0, 1, 0, 1, 0);
    expect(canonicalizeLabels(labels, coreMask)).toBe(2);
    expect([...labels]).toEqual([1, 0, 0, 1, -1]);
  });
});
