import {describe, expect, it} from 'vitest';
import type {DbscanCase} from '../case.ts';
import {cases} from '../cases.ts';
import {highDimensionalCases} from '../cases/highDimensional.ts';
import {judgeCase} from '../judge.ts';
import {findIllegality} from '../predicates.ts';
import {readRegressions} from '../regressions.ts';
import {blobs} from '../shapes.ts';
import {describeFailures} from './failures.ts';
import {describeRuns} from './runs.ts';
import {shareAlgorithm, type DbscanSubject} from './subject.ts';

/**
 * Holds one variant on one backend to the contract: every case and every kept regression byte for byte
 * against the oracle, sizes beyond the oracle by the predicates, repeated runs, abort, failures, disposal.
 * Call it inside a test file; it registers a `describe` named after the subject.
 */
export function describeDbscan(subject: DbscanSubject): void {
  describe(`${subject.id} keeps the contract`, () => {
    const shared = shareAlgorithm(subject);
    const fitting = [...cases, ...highDimensionalCases, ...readRegressions()].filter(({dim}) => dim <= subject.maxDim);

    describe('returns the bytes of the oracle', () => {
      it.for<DbscanCase>(fitting)('$name', async (testCase, context) => {
        expect(await judgeCase(shared.get(context), testCase)).toBeNull();
      });
    });

    describe('returns a legal result beyond the sizes of the oracle', () => {
      it.for(largeSets.filter(({dim}) => dim <= subject.maxDim))('$name', async ({points, params}, context) => {
        const result = await shared.get(context).run(points(), params);
        expect(findIllegality(points(), params, result)).toBeNull();
      });
    });

    describeRuns(subject, shared);
    describeFailures(subject, shared);
  });
}

const largeSets: readonly DbscanCase[] = [
  {
    name: '20000 points in clusters, 2-D float32',
    dim: 2,
    params: {eps: 0.005, minPts: 8},
    points: () => blobs('float32', 2, 20_000, {seed: 21, clusters: 30}),
  },
  {
    name: '20000 points in clusters, 3-D float64',
    dim: 3,
    params: {eps: 0.015, minPts: 6},
    points: () => blobs('float64', 3, 20_000, {seed: 22, clusters: 30}),
  },
];
