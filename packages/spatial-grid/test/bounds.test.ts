import {describe, expect, it} from 'vitest';
import {checkedBounds, pointBounds} from '../src/bounds.ts';

describe.for([1, 2, 3, 4])('checkedBounds in %i dimensions', (dim) => {
  const coords = Float64Array.from({length: 60 * dim}, (_, k) => ((k * 37) % 101) - 50);

  it('returns the box of the points', () => {
    expect(checkedBounds({coords, dim})).toEqual({...pointBounds({coords, dim}), areFinite: true});
    const narrow = Float32Array.from(coords);
    expect(checkedBounds({coords: narrow, dim})).toEqual({...pointBounds({coords: narrow, dim}), areFinite: true});
  });

  it('returns 0 for an empty set', () => {
    const none = new Float64Array(0);
    expect(checkedBounds({coords: none, dim})).toEqual({...pointBounds({coords: none, dim}), areFinite: true});
  });

  it('keeps the first of two zeros, whatever their signs', () => {
    for (const zeros of [
      [0, -0],
      [-0, 0],
    ]) {
      const points = {coords: Float64Array.from({length: 2 * dim}, (_, k) => zeros[k < dim ? 0 : 1]), dim};
      expect(checkedBounds(points)).toEqual({...pointBounds(points), areFinite: true});
    }
  });

  it('detects every non-finite coordinate', () => {
    for (const bad of [NaN, Infinity, -Infinity]) {
      for (const at of [0, dim - 1, 7 * dim, coords.length - 1]) {
        const spoilt = coords.slice();
        spoilt[at] = bad;
        expect(checkedBounds({coords: spoilt, dim}).areFinite, `${bad} at ${at}`).toBe(false);
      }
    }
  });
});
