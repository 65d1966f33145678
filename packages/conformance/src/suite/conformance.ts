import {kindOfWeights} from '@epsball/clustering';
import {describe, expect, it} from 'vitest';
import {caseOf, type DbscanCase} from '../case.ts';
import {cases} from '../cases.ts';
import {featureCases} from '../cases/features.ts';
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
 * Tests one variant on one backend: the share of the cases and all stored regressions byte for byte against the oracle,
 * larger sets with the predicates, repeated runs, abort, failures and disposal. Call it in a test file. It registers a
 * `describe` with the subject's id.
 */
export function describeDbscan(subject: DbscanSubject): void {
  describe(`${subject.id} keeps the contract`, () => {
    const shared = shareAlgorithm(subject);
    describeCases(shareOfCases(subject.id, casesFor(subject), subject.share), shared);

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

/** The cases for a variant's options. */
export interface SomeCases {
  /** The cases that the options support; all if absent. */
  readonly takes?: (testCase: DbscanCase) => boolean;
  /** Fraction of the share, unless the subject has a share; 1/4 if absent. */
  readonly part?: number;
}

/**
 * Tests a subject on a part of the share of the cases, or on all of them in a run of all tests. For options of a
 * variant whose defaults `describeDbscan` tests. Registers a `describe` with the subject's id.
 */
export function describeDbscanCases(subject: DbscanSubject, {takes = () => true, part = 1 / 4}: SomeCases = {}): void {
  describe(`${subject.id} on some cases`, () => {
    const fitting = casesFor(subject).filter(takes);
    const share = subject.share ?? (SHARE < 1 ? part * SHARE : SHARE);
    const some = shareOf(fitting, {of: subject.id, nameOf: ({name}) => name, share});
    describeCases(some, shareAlgorithm(subject));
  });
}

function casesFor({maxDim, metrics = ['euclidean'], weights, takes = () => true}: DbscanSubject): DbscanCase[] {
  const fitting = [...cases, ...featureCases, ...highDimensionalCases, ...readRegressions()].filter(
    ({dim, params: {metric = 'euclidean', sampleWeight}}) =>
      dim <= maxDim &&
      metrics.includes(metric) &&
      (sampleWeight === undefined || weights === 'any' || weights === kindOfWeights(sampleWeight)),
  );
  return fitting.filter(takes);
}

function describeCases(some: readonly DbscanCase[], shared: SharedAlgorithm): void {
  describe('returns the bytes of the oracle', () => {
    it.for<DbscanCase>(some)('$name', async (testCase, context) => {
      expect(await judgeCase(shared.get(context), testCase)).toBeNull();
    });
  });
}

const largeSets: readonly DbscanCase[] = [
  caseOf('20000 points in clusters, 2-D float32', 2, {eps: 0.005, minPts: 8}, () =>
    blobs('float32', 2, 20_000, {seed: 21, clusters: 30}),
  ),
  caseOf('20000 points in clusters, 3-D float64', 3, {eps: 0.015, minPts: 6}, () =>
    blobs('float64', 3, 20_000, {seed: 22, clusters: 30}),
  ),
];
