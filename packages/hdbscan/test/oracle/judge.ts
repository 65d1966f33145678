import {NOISE, type PointSet} from '@epsball/clustering';
import {bytesOf, isSameBytes, readPermuted} from '@epsball/conformance';
import type {HdbscanAnswer, HdbscanCase, HdbscanCaseParams} from './definition.ts';
import {hdbscanOracle} from './oracle.ts';

/** A run of HDBSCAN*. */
export type HdbscanRun = (points: PointSet, params: HdbscanCaseParams) => Promise<HdbscanAnswer>;

const answers = new WeakMap<HdbscanCase, HdbscanAnswer>();

/** The oracle's answer for a case, computed once per process. */
function expectedAnswer(testCase: HdbscanCase): HdbscanAnswer {
  let answer = answers.get(testCase);
  if (answer === undefined) {
    answer = hdbscanOracle(testCase.points(), testCase.params);
    answers.set(testCase, answer);
  }
  return answer;
}

/**
 * Runs one case and compares every byte of labels, probabilities, outlier scores, cuts, and sizes and stabilities of
 * the condensed tree, and that the input is unchanged.
 *
 * @param seed  of a random order of the rows. Default: the order of the case
 * @returns     the first violation, or null
 */
export async function judgeHdbscanCase(
  run: HdbscanRun,
  testCase: HdbscanCase,
  {seed}: {readonly seed?: number} = {},
): Promise<string | null> {
  const expected = expectedAnswer(testCase);
  const wrong = testCase.labels && difference('labels', expected.labels, testCase.labels);
  if (typeof wrong === 'string') return `the oracle: ${wrong}`;
  const given = testCase.points();
  if (seed === undefined) return judge(run, testCase, given, expected);
  const {order, moved} = readPermuted(given, seed);
  const params = paramsInOrder(testCase.params, order);
  const found = await judge(run, {...testCase, params}, moved, inOrder(expected, order));
  return found === null ? null : `rows in the order of seed ${seed}: ${found}`;
}

async function judge(
  run: HdbscanRun,
  {params, cuts}: HdbscanCase,
  points: PointSet,
  expected: HdbscanAnswer,
): Promise<string | null> {
  const before = bytesOf(points).slice();
  const actual = await run(points, params);
  if (!isSameBytes(before, bytesOf(points))) return 'the input was modified';
  return (
    difference('labels', actual.labels, expected.labels) ??
    difference('probabilities', actual.probabilities, expected.probabilities) ??
    difference('outlierScores', actual.outlierScores, expected.outlierScores) ??
    difference('clusterCount', [actual.clusterCount], [expected.clusterCount]) ??
    difference('sorted sizes', actual.condensedTree.size.toSorted(), expected.condensedTree.size.toSorted()) ??
    difference(
      'sorted stabilities',
      actual.condensedTree.stability.toSorted(),
      expected.condensedTree.stability.toSorted(),
    ) ??
    cuts
      .map((eps) => difference(`cut at ${eps}`, actual.hierarchy.cut(eps), expected.hierarchy.cut(eps)))
      .find((found) => found !== null) ??
    null
  );
}

/** The parameters for points in another order. */
export function paramsInOrder(params: HdbscanCaseParams, order: readonly number[]): HdbscanCaseParams {
  const {sampleWeight} = params;
  return sampleWeight === undefined ? params : {...params, sampleWeight: order.map((from) => sampleWeight[from])};
}

/** The answer for points in another order: the same sets, numbered by their smallest member. */
function inOrder(answer: HdbscanAnswer, order: readonly number[]): HdbscanAnswer {
  return {
    labels: labelsInOrder(answer.labels, order),
    probabilities: Float64Array.from(order, (from) => answer.probabilities[from]),
    outlierScores: Float64Array.from(order, (from) => answer.outlierScores[from]),
    clusterCount: answer.clusterCount,
    condensedTree: answer.condensedTree,
    hierarchy: {cut: (eps) => labelsInOrder(answer.hierarchy.cut(eps), order)},
  };
}

function labelsInOrder(labels: Int32Array, order: readonly number[]): Int32Array {
  const numbers = new Map<number, number>([[NOISE, NOISE]]);
  return Int32Array.from(order, (from) => {
    const number = numbers.get(labels[from]) ?? numbers.size - 1;
    numbers.set(labels[from], number);
    return number;
  });
}

function difference(name: string, actual: ArrayLike<number>, expected: ArrayLike<number>): string | null {
  if (actual.length !== expected.length) return `${name}: length ${actual.length}; expected ${expected.length}`;
  for (let i = 0; i < expected.length; i++) {
    if (!Object.is(actual[i], expected[i])) return `${name}[${i}] = ${actual[i]}; expected ${expected[i]}`;
  }
  return null;
}
