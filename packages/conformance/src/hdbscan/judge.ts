import type {PointSet} from '@epsball/clustering';
import {bytesOf, isSameBytes} from '../judge.ts';
import type {HdbscanCase} from './cases.ts';
import type {HdbscanAnswer, HdbscanCaseParams} from './definition.ts';
import {hdbscanOracle} from './oracle.ts';

/** A run of HDBSCAN*. */
export type HdbscanRun = (points: PointSet, params: HdbscanCaseParams) => Promise<HdbscanAnswer>;

const answers = new WeakMap<HdbscanCase, HdbscanAnswer>();

/** The oracle's answer for a case, computed once per process. */
export function expectedAnswer(testCase: HdbscanCase): HdbscanAnswer {
  let answer = answers.get(testCase);
  if (answer === undefined) {
    answer = hdbscanOracle(testCase.points(), testCase.params);
    answers.set(testCase, answer);
  }
  return answer;
}

/**
 * Runs one case and compares every byte of labels, probabilities, outlier scores and cuts, and that the input is
 * unchanged.
 *
 * @returns  the first violation, or null
 */
export async function judgeHdbscanCase(run: HdbscanRun, testCase: HdbscanCase): Promise<string | null> {
  const points = testCase.points();
  const before = bytesOf(points).slice();
  const actual = await run(points, testCase.params);
  if (!isSameBytes(before, bytesOf(points))) return 'the input was modified';
  const expected = expectedAnswer(testCase);
  return (
    difference('labels', actual.labels, testCase.labels ?? expected.labels) ??
    difference('labels', actual.labels, expected.labels) ??
    difference('probabilities', actual.probabilities, expected.probabilities) ??
    difference('outlierScores', actual.outlierScores, expected.outlierScores) ??
    difference('clusterCount', [actual.clusterCount], [expected.clusterCount]) ??
    testCase.cuts
      .map((eps) => difference(`cut at ${eps}`, actual.dbscanClustering(eps), expected.dbscanClustering(eps)))
      .find((found) => found !== null) ??
    null
  );
}

function difference(name: string, actual: ArrayLike<number>, expected: ArrayLike<number>): string | null {
  if (actual.length !== expected.length) return `${name}: length ${actual.length}; expected ${expected.length}`;
  for (let i = 0; i < expected.length; i++) {
    if (!Object.is(actual[i], expected[i])) return `${name}[${i}] = ${actual[i]}; expected ${expected[i]}`;
  }
  return null;
}
