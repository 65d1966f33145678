import {
  InvalidParameterError,
  InvalidPointsError,
  RunAbortedError,
  UnsupportedDimensionError,
} from '@epsball/clustering';
import {describe, expect, it} from 'vitest';
import {validateShift, validateShiftParams} from '../src/shift/validateShift.ts';

describe('parameters of a shift', () => {
  it('have defaults: the ten iterations of the source, all of them', () => {
    expect(validateShiftParams({bandwidth: 2})).toEqual({bandwidth: 2, maxIterations: 10, tolerance: 0});
  });

  it.for([
    [{bandwidth: 0}, 'bandwidth = 0; expected a finite number > 0'],
    [{bandwidth: Number.NaN}, 'bandwidth = NaN'],
    [{bandwidth: Infinity}, 'bandwidth = Infinity'],
    [{bandwidth: 1, maxIterations: 0}, 'maxIterations = 0; expected an integer ≥ 1'],
    [{bandwidth: 1, maxIterations: 1.5}, 'maxIterations = 1.5'],
    [{bandwidth: 1, tolerance: -1}, 'tolerance = -1; expected a finite number ≥ 0'],
    [{bandwidth: 1, tolerance: Infinity}, 'tolerance = Infinity'],
  ] as const)('are refused: %o', ([params, message]) => {
    expect(() => validateShiftParams(params)).toThrow(InvalidParameterError);
    expect(() => validateShiftParams(params)).toThrow(message);
  });
});

describe('the bandwidth 0', () => {
  it('is for the flat kernel only', () => {
    expect(validateShiftParams({bandwidth: 0}, 'flat').bandwidth).toBe(0);
    expect(() => validateShiftParams({bandwidth: 0}, 'gaussian')).toThrow(
      'bandwidth = 0; expected a finite number > 0; 0 is for the flat kernel',
    );
    expect(() => validateShiftParams({bandwidth: -1}, 'flat')).toThrow('bandwidth = -1; expected a finite number ≥ 0');
  });
});

describe('a shift', () => {
  const points = {coords: Float32Array.of(0, 0, 1, 1), dim: 2};
  const backend = {name: 'mean-shift', maxDim: 16};

  it('is refused with bad points or seeds', () => {
    const bad = {coords: Float64Array.of(0, 0, 1, Number.NaN), dim: 2};
    expect(() => validateShift(bad, {bandwidth: 1}, {}, backend)).toThrow(InvalidPointsError);
    expect(() => validateShift(points, {bandwidth: 1}, {seeds: bad}, backend)).toThrow(InvalidPointsError);
    const line = {coords: Float64Array.of(0), dim: 1};
    expect(() => validateShift(points, {bandwidth: 1}, {seeds: line}, backend)).toThrow('seeds.dim = 1; expected 2');
  });

  it('is refused in too many dimensions, and with a signal that has fired', () => {
    const wide = {coords: new Float32Array(17), dim: 17};
    expect(() => validateShift(wide, {bandwidth: 1}, {}, backend)).toThrow(UnsupportedDimensionError);
    const signal = AbortSignal.abort();
    expect(() => validateShift(points, {bandwidth: 1}, {signal}, backend)).toThrow(RunAbortedError);
  });
});
