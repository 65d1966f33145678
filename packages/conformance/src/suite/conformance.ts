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
import {shareAlgorithm, type DbscanSubject, type SharedAlgorithm} from './subject.ts';

/** One case in so many runs: 1, all, unless the environment says otherwise, as for a second, slow adapter. */
const CASES_EVERY = Number(process.env.EPSBALL_CASES_EVERY ?? 1);

/**
 * Holds one variant on one backend to the contract: every case and every kept regression byte for byte
 * against the oracle, sizes beyond the oracle by the predicates, repeated runs, abort, failures, disposal.
 * Call it inside a test file; it registers a `describe` named after the subject.
 */
export function describeDbscan(subject: DbscanSubject): void {
  describe(`${subject.id} keeps the contract`, () => {
    const shared = shareAlgorithm(subject);
    describeCases(casesFor(subject), shared);

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

/**
 * Holds a subject to a part of the cases: for options of a variant that passes `describeDbscan` with its defaults. Registers
 * a `describe` named after the subject.
 *
 * @param wanted  called with each case that fits the subject's dimensions, and its number among them
 */
export function describeDbscanCases(
  subject: DbscanSubject,
  wanted: (testCase: DbscanCase, number: number) => boolean,
): void {
  describe(`${subject.id} on some cases`, () => {
    describeCases(casesFor(subject).filter(wanted), shareAlgorithm(subject));
  });
}

function casesFor({maxDim}: DbscanSubject): DbscanCase[] {
  return [...cases, ...highDimensionalCases, ...readRegressions()].filter(({dim}) => dim <= maxDim);
}

function describeCases(some: readonly DbscanCase[], shared: SharedAlgorithm): void {
  const taken = some.filter((_, number) => number % CASES_EVERY === 0);
  describe(`returns the bytes of the oracle${CASES_EVERY > 1 ? `, one case in ${CASES_EVERY}` : ''}`, () => {
    it.for<DbscanCase>(taken)('$name', async (testCase, context) => {
      expect(await judgeCase(shared.get(context), testCase)).toBeNull();
    });
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
