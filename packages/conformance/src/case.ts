import type {DbscanParams, PointSet} from '@epsball/clustering';
import {dbscanOracle, type DbscanLabels} from './oracle.ts';

/** One input and what is known about its answer. */
export interface DbscanCase {
  readonly name: string;
  readonly dim: number;
  readonly params: DbscanParams;
  /** Builds the points anew on every call, always the same. */
  readonly points: () => PointSet;
  /** The answer by hand, where a person can see it. The oracle must agree. */
  readonly expected?: Partial<{readonly labels: readonly number[]; readonly clusterCount: number}>;
  /**
   * Why scikit-learn has no answer here, or another one than the contract. Absent: it has the oracle's, to
   * the byte.
   */
  readonly sklearn?: {readonly outcome: 'cannot-run' | 'differs'; readonly reason: string};
}

const answers = new WeakMap<DbscanCase, DbscanLabels>();

/** The oracle's answer to a case, computed once a process. Not to be modified. */
export function expectedResult(testCase: DbscanCase): DbscanLabels {
  let answer = answers.get(testCase);
  if (answer === undefined) {
    answer = dbscanOracle(testCase.points(), testCase.params);
    answers.set(testCase, answer);
  }
  return answer;
}
