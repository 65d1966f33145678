import {expect, it} from 'vitest';
import {UnsupportedDimensionError} from '../src/errors.ts';
import type {PointSet} from '../src/points.ts';
import {validateRun} from '../src/validateRun.ts';

const POINTS: PointSet = {coords: new Float32Array([0, 0, 0, 1, 1, 1]), dim: 3};
const PARAMS = {eps: 1, minPts: 2};

it('accepts valid points and parameters', () => {
  expect(() => validateRun(POINTS, PARAMS, {variant: 'grid', maxDim: 3})).not.toThrow();
});

it('names the variant that does not take the dimensions', () => {
  const refused = (): void => validateRun(POINTS, PARAMS, {variant: 'flat', maxDim: 2});
  expect(refused).toThrow(UnsupportedDimensionError);
  expect(refused).toThrow(/^dim = 3; expected 1 to 2 for flat$/);
});

it('checks the parameters first, then the points, the dimensions and the signal', () => {
  const bounds = {variant: 'flat', maxDim: 2, options: {signal: AbortSignal.abort()}};
  const bad: PointSet = {coords: new Float32Array([0, NaN, 0]), dim: 3};
  expect(() => validateRun(bad, {eps: 0, minPts: 2}, bounds)).toThrow('eps = 0');
  expect(() => validateRun(bad, PARAMS, bounds)).toThrow('point 0, axis 1 = NaN');
  expect(() => validateRun(POINTS, PARAMS, bounds)).toThrow('dim = 3');
  expect(() => validateRun(POINTS, PARAMS, {...bounds, maxDim: 3})).toThrow('run aborted in start');
});

it('leaves coordinates that are not finite to a variant that rejects them itself', () => {
  const bounds = {variant: 'deep', maxDim: 3, looksForNonFinite: true};
  const bad: PointSet = {coords: new Float32Array([0, NaN, 0]), dim: 3};
  expect(() => validateRun(bad, PARAMS, bounds)).not.toThrow();
  expect(() => validateRun({...bad, dim: 2}, PARAMS, bounds)).toThrow('expected a multiple of dim = 2');
});

it('names the variants that take more dimensions, if it knows them', () => {
  const error = new UnsupportedDimensionError('flat', 3, 2, ['deep', 'wide']);
  expect(error.message).toBe('dim = 3; expected 1 to 2 for flat (deep, wide can)');
  expect(error.alternatives).toEqual(['deep', 'wide']);
});

it('rejects a signal that is not an AbortSignal', () => {
  const signal = {} as AbortSignal;
  const refused = (): void => validateRun(POINTS, PARAMS, {variant: 'grid', maxDim: 3, options: {signal}});
  expect(refused).toThrow('signal = Object; expected an AbortSignal');
});

it('rejects unknown names, and says where the name of another argument belongs', () => {
  const limits = {variant: 'grid', maxDim: 3};
  const run = (params: object, options: object): (() => void) =>
    validateRun.bind(undefined, POINTS, params as never, {...limits, options});
  expect(run({...PARAMS, foo: 1}, {})).toThrow('option = "foo"; expected one of eps, minPts');
  expect(run(PARAMS, {foo: 1})).toThrow('option = "foo"; expected one of signal, onProgress');
  expect(run({...PARAMS, signal: 1}, {})).toThrow(
    'option = "signal"; expected it among the options, the third argument: run(points, params, {signal})',
  );
  expect(run(PARAMS, {eps: 1})).toThrow(
    'option = "eps"; expected it among the parameters, the second argument: run(points, {eps})',
  );
});
