import {
  InvalidParameterError,
  InvalidPointsError,
  RunAbortedError,
  UnsupportedDimensionError,
} from '@epsball/clustering';
import {describe, expect, it} from 'vitest';
import type {MeanShiftParams, ShiftParams} from '../src/algorithm.ts';
import {checkShift, validateMeanShiftParams} from '../src/checkRun.ts';

const POINTS = {coords: Float32Array.of(0, 0, 1, 1), dim: 2};
const BACKEND = {name: 'mean-shift', maxDim: 16};

function checked(params: ShiftParams): unknown {
  return checkShift(POINTS, params, {}, BACKEND).rules;
}

describe('parameters of a shift', () => {
  it('have defaults: the ten iterations of the source, all of them', () => {
    expect(checked({bandwidth: 2})).toMatchObject({bandwidth: 2, radius: Infinity, maxSteps: 10, minStep: 0});
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
    expect(() => checked(params)).toThrow(InvalidParameterError);
    expect(() => checked(params)).toThrow(message);
  });
});

describe('the bandwidth 0', () => {
  it('is for the flat kernel only', () => {
    const rules = (params: MeanShiftParams): {bandwidth: number} => validateMeanShiftParams(params, {}).rules;
    expect(rules({bandwidth: 0, kernel: 'flat'}).bandwidth).toBe(0);
    expect(() => rules({bandwidth: 0})).toThrow(
      'bandwidth = 0; expected a finite number > 0; 0 is for the flat kernel',
    );
    expect(() => rules({bandwidth: -1, kernel: 'flat'})).toThrow('bandwidth = -1; expected a finite number ≥ 0');
  });
});

describe('a shift', () => {
  it('is refused with bad points or seeds', () => {
    const bad = {coords: Float64Array.of(0, 0, 1, Number.NaN), dim: 2};
    expect(() => checkShift(bad, {bandwidth: 1}, {}, BACKEND)).toThrow(InvalidPointsError);
    expect(() => checkShift(POINTS, {bandwidth: 1}, {seeds: bad}, BACKEND)).toThrow(InvalidPointsError);
    const line = {coords: Float64Array.of(0), dim: 1};
    expect(() => checkShift(POINTS, {bandwidth: 1}, {seeds: line}, BACKEND)).toThrow('seeds.dim = 1; expected 2');
  });

  it('is refused in too many dimensions, and with a signal that has fired', () => {
    const wide = {coords: new Float32Array(17), dim: 17};
    expect(() => checkShift(wide, {bandwidth: 1}, {}, BACKEND)).toThrow(UnsupportedDimensionError);
    const signal = AbortSignal.abort();
    expect(() => checkShift(POINTS, {bandwidth: 1}, {signal}, BACKEND)).toThrow(RunAbortedError);
  });
});
