import {describe, expect, it} from 'vitest';
import {
  InvalidParameterError,
  InvalidPointsError,
  pointCount,
  validateDbscanParams,
  validatePoints,
  type DbscanParams,
  type PointSet,
} from '@epsball/clustering';

describe('validatePoints', () => {
  it('accepts an empty set', () => {
    expect(() => validatePoints({coords: new Float32Array(0), dim: 2})).not.toThrow();
  });

  it('names the first bad point and axis', () => {
    const coords = new Float64Array(20_000);
    coords[10_001] = Number.NaN;
    coords[15_000] = Number.POSITIVE_INFINITY;
    expect(() => validatePoints({coords, dim: 2})).toThrow('point 5000, axis 1 = NaN; expected a finite coordinate');
    try {
      validatePoints({coords, dim: 2});
    } catch (error) {
      expect(error).toBeInstanceOf(InvalidPointsError);
      expect((error as InvalidPointsError).index).toBe(5000);
    }
  });

  it('accepts the largest finite values although their sum overflows', () => {
    const coords = new Float64Array(8).fill(Number.MAX_VALUE);
    expect(() => validatePoints({coords, dim: 2})).not.toThrow();
  });

  it('rejects a length that is not a multiple of dim, a bad dim and a plain array', () => {
    expect(() => validatePoints({coords: new Float32Array(5), dim: 2})).toThrow(InvalidPointsError);
    expect(() => validatePoints({coords: new Float32Array(4), dim: 0})).toThrow('dim = 0; expected an integer ≥ 1');
    expect(() => validatePoints({coords: [1, 2] as unknown as Float32Array, dim: 2})).toThrow(InvalidParameterError);
  });

  it.each([null, undefined, 1, 'points'])('rejects %o in place of a point set', (points) => {
    const refused = (): void => validatePoints(points as unknown as PointSet);
    expect(refused).toThrow(InvalidParameterError);
    expect(refused).toThrow('expected an object with coords and dim');
  });

  it('rejects an array whose buffer was transferred', () => {
    for (const coords of [new Float32Array([0, 1]), new Float64Array([0, 1])]) {
      structuredClone(coords, {transfer: [coords.buffer]});
      expect(() => validatePoints({coords, dim: 2})).toThrow(InvalidPointsError);
      expect(() => validatePoints({coords, dim: 2})).toThrow('coords is detached');
    }
  });

  it('accepts an empty array on shared memory', () => {
    expect(() => validatePoints({coords: new Float32Array(new SharedArrayBuffer(0)), dim: 2})).not.toThrow();
  });

  it('counts points', () => {
    expect(pointCount({coords: new Float32Array(12), dim: 3})).toBe(4);
  });
});

describe('validateDbscanParams', () => {
  it.each([
    [{eps: 0, minPts: 1}, 'eps = 0; expected a finite number > 0'],
    [{eps: Number.NaN, minPts: 1}, 'eps = NaN; expected a finite number > 0'],
    [{eps: 1, minPts: 0}, 'minPts = 0; expected an integer ≥ 1'],
    [{eps: 1, minPts: 2.5}, 'minPts = 2.5; expected an integer ≥ 1'],
  ])('rejects %o', (params, message) => {
    expect(() => validateDbscanParams(params)).toThrow(message);
  });

  it('rejects parameters that are missing', () => {
    const refused = (): void => validateDbscanParams(undefined as unknown as DbscanParams);
    expect(refused).toThrow('params = undefined; expected an object with eps and minPts');
  });
});
