import type {DbscanParams, PointSet} from '@epsball/clustering';
import {dbscanOracle, type DbscanLabels} from '@epsball/clustering/definition';
import {toPoints, type Precision} from './shapes.ts';

/** One input, with what is known about its result. */
export interface DbscanCase {
  readonly name: string;
  readonly dim: number;
  readonly params: DbscanParams;
  /** Builds new points on every call, always the same. */
  readonly points: () => PointSet;
  /** The result, if it was derived by hand. The oracle must agree. */
  readonly expected?: Partial<{readonly labels: readonly number[]; readonly clusterCount: number}>;
  /**
   * Why scikit-learn has no result here, or a different one. If absent, it must return the oracle's bytes.
   */
  readonly sklearn?: {readonly outcome: 'cannot-run' | 'differs'; readonly reason: string};
}

/** A case, with labels if they were derived by hand. */
export function caseOf(
  name: string,
  dim: number,
  params: DbscanParams,
  points: () => PointSet,
  labels?: readonly number[],
): DbscanCase {
  return {name, dim, params, points, ...(labels && {expected: {labels}})};
}

/** A case of listed coordinates. Its name ends with dimension and precision. */
export function listedCase(
  name: string,
  [precision, dim]: readonly [Precision, dim: number],
  params: DbscanParams,
  values: () => readonly number[],
  labels?: readonly number[],
): DbscanCase {
  return caseOf(`${name}, ${dim}-D ${precision}`, dim, params, () => toPoints(precision, dim, values()), labels);
}

const answers = new WeakMap<DbscanCase, DbscanLabels>();

/** The oracle's result for a case, computed once per process. Do not modify it. */
export function expectedResult(testCase: DbscanCase): DbscanLabels {
  let answer = answers.get(testCase);
  if (answer === undefined) {
    answer = dbscanOracle(testCase.points(), testCase.params);
    answers.set(testCase, answer);
  }
  return answer;
}
