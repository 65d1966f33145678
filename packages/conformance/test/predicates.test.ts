import {pointCount, squaredDistance, squaredEps} from '@epsball/clustering';
import {
  cases,
  dbscanOracle,
  expectedResult,
  sweepNeighbors,
  type DbscanCase,
  type DbscanLabels,
} from '@epsball/conformance';
import {SHARE} from '@epsball/conformance/share';
import {describe, expect, it} from 'vitest';
import {
  adjacentCoresShareALabel,
  arraysHaveTypeAndLength,
  borderTakesLowestLabel,
  coreMaskIsRight,
  findIllegality,
  labelIsOneComponent,
  labelsFollowSmallestCore,
  noiseIsMinusOne,
  type LegalityPredicate,
} from '../src/predicates.ts';
import {blobs} from '../src/shapes.ts';

const small = cases.filter((testCase) => pointCount(testCase.points()) <= (SHARE >= 1 ? 2000 : 400));

describe('the predicates', () => {
  it('hold for the oracle in every case', () => {
    const illegal = small.map((testCase) => ({
      name: testCase.name,
      violation: findIllegality(testCase.points(), testCase.params, expectedResult(testCase)),
    }));
    expect(illegal.filter(({violation}) => violation !== null)).toEqual([]);
  });

  // Two clusters of four in a row, a border point between them (index 4) and a noise point (index 9).
  const coords = Float32Array.of(-0.375, -0.25, -0.125, 0, 1, 2, 2.125, 2.25, 2.375, 9);
  const points = {coords, dim: 1};
  const params = {eps: 1, minPts: 4};
  const judge = (predicate: LegalityPredicate, wrong: Partial<DbscanLabels>): string | null =>
    predicate({
      points,
      params,
      result: {...dbscanOracle(points, params), ...wrong},
      neighbors: sweepNeighbors(points, 1),
    });

  it.for<[LegalityPredicate, string, Partial<DbscanLabels>]>([
    [arraysHaveTypeAndLength, 'labels.length = 9', {labels: new Int32Array(9)}],
    [arraysHaveTypeAndLength, 'coreMask[0] = 2', {coreMask: new Uint8Array(10).fill(2)}],
    [coreMaskIsRight, 'coreMask[4] = 1', {coreMask: Uint8Array.of(1, 1, 1, 1, 1, 1, 1, 1, 1, 0)}],
    [adjacentCoresShareALabel, 'core points 0 and 3', {labels: Int32Array.of(0, 0, 0, 1, 0, 1, 1, 1, 1, -1)}],
    [adjacentCoresShareALabel, 'core point 5 has label -1', {labels: Int32Array.of(0, 0, 0, 0, 0, -1, -1, -1, -1, -1)}],
    [noiseIsMinusOne, 'point 9 has no core point', {labels: Int32Array.of(0, 0, 0, 0, 0, 1, 1, 1, 1, 1)}],
    [borderTakesLowestLabel, 'border point 4 has label 1', {labels: Int32Array.of(0, 0, 0, 0, 1, 1, 1, 1, 1, -1)}],
    [borderTakesLowestLabel, 'border point 4 has label -1', {labels: Int32Array.of(0, 0, 0, 0, -1, 1, 1, 1, 1, -1)}],
    [
      labelsFollowSmallestCore,
      'core point 0 has the new label 1',
      {labels: Int32Array.of(1, 1, 1, 1, 0, 0, 0, 0, 0, -1)},
    ],
    [labelsFollowSmallestCore, 'clusterCount = 3', {clusterCount: 3}],
    [labelIsOneComponent, 'label 0 belongs to', {labels: Int32Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, -1)}],
  ])('%o finds that %s', ([predicate, finding, wrong]) => {
    expect(judge(predicate, {})).toBeNull();
    expect(judge(predicate, wrong)).toContain(finding);
  });

  it('judge 100000 points without a grid', () => {
    const many = blobs('float32', 2, 100_000, {seed: 3, clusters: 40});
    const allNoise = {labels: new Int32Array(100_000).fill(-1), coreMask: new Uint8Array(100_000), clusterCount: 0};
    expect(findIllegality(many, {eps: 1e-4, minPts: 100_000}, allNoise)).toBeNull();
    expect(findIllegality(many, {eps: 1e-4, minPts: 1}, allNoise)).toMatch(/^coreMaskIsRight: coreMask\[0\] = 0/);
  });
});

describe('sweepNeighbors', () => {
  it.for<DbscanCase>(small.filter((_, k) => k % 9 === 0))('finds what brute force finds: $name', (testCase) => {
    const points = testCase.points();
    const {eps} = testCase.params;
    const n = pointCount(points);
    const neighbors = sweepNeighbors(points, eps);
    for (let i = 0; i < n; i += 7) {
      const expected = Array.from({length: n}, (_, j) => j).filter(
        (j) => squaredDistance(points.coords, points.dim, i, j) <= squaredEps(eps),
      );
      expect([...neighbors(i)].sort((a, b) => a - b)).toEqual(expected);
    }
  });
});
