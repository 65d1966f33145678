import {describe, expect, it} from 'vitest';
import type {DbscanCase} from '../case.ts';
import {cases} from '../cases.ts';
import {highDimensionalCases} from '../cases/highDimensional.ts';
import {judgeCase} from '../judge.ts';
import {findIllegality} from '../predicates.ts';
import {shareOfCases} from '../caseShare.ts';
import {readRegressions} from '../regressions.ts';
import {SHARE, shareOf} from '../share.ts';
import {blobs} from '../shapes.ts';
import {describeFailures} from './failures.ts';
import {describeRuns} from './runs.ts';
import {shareAlgorithm, type DbscanSubject, type SharedAlgorithm} from './subject.ts';

/**
 * Holds one variant on one backend to the contract: the share of the cases and every kept regression byte for byte
 * against the oracle, sizes beyond the oracle by the predicates, repeated runs, abort, failures, disposal.
 * Call it inside a test file; it registers a `describe` named after the subject.
 */
export function describeDbscan(subject: DbscanSubject): void {
  describe(`${subject.id} keeps the contract`, () => {
    const shared = shareAlgorithm(subject);
    describeCases(shareOfCases(subject.id, casesFor(subject)), shared);

    describe('returns a legal result beyond the sizes of the oracle', () => {
      const fitting = largeSets.filter(({dim}) => dim <= subject.maxDim);
      it.for(shareOf(fitting, {of: subject.id}))('$name', async ({points, params}, context) => {
        const result = await shared.get(context).run(points(), params);
        expect(findIllegality(points(), params, result)).toBeNull();
      });
    });

    describeRuns(subject, shared);
    describeFailures(subject, shared);
  });
}

/** Which cases a variant's options are held to. */
export interface SomeCases {
  /** The cases that the options can hold; all where absent. */
  readonly takes?: (testCase: DbscanCase) => boolean;
  /** The part of the share that they take; 1/4 where absent. */
  readonly part?: number;
}

/**
 * Holds a subject to a part of the share of the cases, and to every case where all run: for options of a variant that
 * passes `describeDbscan` with its defaults. Registers a `describe` named after the subject.
 */
export function describeDbscanCases(subject: DbscanSubject, {takes = () => true, part = 1 / 4}: SomeCases = {}): void {
  describe(`${subject.id} on some cases`, () => {
    const fitting = casesFor(subject).filter(takes);
    const some =
      SHARE < 1 ? shareOf(fitting, {of: subject.id, nameOf: ({name}) => name, share: part * SHARE}) : fitting;
    describeCases(some, shareAlgorithm(subject));
  });
}

function casesFor({maxDim}: DbscanSubject): DbscanCase[] {
  return [...cases, ...highDimensionalCases, ...readRegressions()].filter(({dim}) => dim <= maxDim);
}

function describeCases(some: readonly DbscanCase[], shared: SharedAlgorithm): void {
  describe('returns the bytes of the oracle', () => {
    it.for<DbscanCase>(some)('$name', async (testCase, context) => {
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
