import {pointCount} from '@epsball/clustering';
import {cases, expectedResult, highDimensionalCases, type DbscanCase} from '@epsball/conformance';
import {describe, expect, it} from 'vitest';
import {bytesOf, isSameBytes} from '../src/judge.ts';

const all = [...cases, ...highDimensionalCases];

describe('the case list', () => {
  it('has unique names', () => {
    const names = all.map(({name}) => name);
    expect(names.filter((name, k) => names.indexOf(name) !== k)).toEqual([]);
  });

  it('has one to four dimensions, and a separate list for more', () => {
    expect(new Set(cases.map(({dim}) => dim))).toEqual(new Set([1, 2, 3, 4]));
    expect(highDimensionalCases.filter(({dim}) => dim <= 4)).toEqual([]);
  });

  it('builds the same bytes on every call, in new memory', () => {
    const unsteady = all.filter((testCase) => {
      const [first, second] = [testCase.points(), testCase.points()];
      const isSteady = isSameBytes(bytesOf(first), bytesOf(second)) && first.coords.buffer !== second.coords.buffer;
      return !isSteady || first.dim !== testCase.dim;
    });
    expect(unsteady.map(({name}) => name)).toEqual([]);
  });

  it('has few large sets', () => {
    const sizes = all.map((testCase) => pointCount(testCase.points()));
    expect(Math.max(...sizes)).toBe(12_000);
    expect(sizes.filter((n) => n > 600).length).toBeLessThan(30);
  });

  it('has many results with noise, border points and several clusters', () => {
    // The oracle takes n² steps.
    const results = all.filter((testCase) => pointCount(testCase.points()) <= 600).map(expectedResult);
    const withBorders = results.filter(({labels, coreMask}) =>
      labels.some((label, i) => label >= 0 && coreMask[i] === 0),
    );
    expect(withBorders.length).toBeGreaterThan(200);
    expect(results.filter(({labels}) => labels.includes(-1)).length).toBeGreaterThan(400);
    expect(results.filter(({clusterCount}) => clusterCount > 1).length).toBeGreaterThan(300);
  });
});

describe('the oracle returns the results that were derived by hand', () => {
  it.for<DbscanCase>(all.filter(({expected}) => expected !== undefined))('$name', (testCase) => {
    const {labels, clusterCount} = expectedResult(testCase);
    const {expected} = testCase;
    if (expected?.labels !== undefined) expect([...labels]).toEqual(expected.labels);
    if (expected?.clusterCount !== undefined) expect(clusterCount).toBe(expected.clusterCount);
  });
});
