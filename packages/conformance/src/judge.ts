import type {DbscanAlgorithm, DbscanRunOptions, PointSet} from '@epsball/clustering';
import {expectedResult, type DbscanCase} from './case.ts';
import type {DbscanLabels} from '@epsball/clustering/definition';
import {arraysHaveTypeAndLength} from './predicates.ts';

/**
 * Runs one case and checks types and lengths, every byte of labels and core mask, the cluster count, and that the input
 * is unchanged.
 *
 * @returns  the first violation, or null
 */
export async function judgeCase(
  algorithm: DbscanAlgorithm,
  testCase: DbscanCase,
  options?: DbscanRunOptions,
): Promise<string | null> {
  const points = testCase.points();
  const before = bytesOf(points).slice();
  const result = await algorithm.run(points, testCase.params, options);
  if (!isSameBytes(before, bytesOf(points))) return 'the input was modified';
  return (
    arraysHaveTypeAndLength({points, params: testCase.params, result, neighbors: () => []}) ??
    findDifference(result, expectedResult(testCase))
  );
}

function findDifference(actual: DbscanLabels, expected: DbscanLabels): string | null {
  const n = expected.labels.length;
  for (let i = 0; i < n; i++) {
    if (actual.coreMask[i] !== expected.coreMask[i]) {
      return `coreMask[${i}] = ${actual.coreMask[i]}; expected ${expected.coreMask[i]} (n = ${n})`;
    }
    if (actual.labels[i] !== expected.labels[i]) {
      return `labels[${i}] = ${actual.labels[i]}; expected ${expected.labels[i]} (n = ${n}, core ${expected.coreMask[i]})`;
    }
  }
  if (actual.labels.length !== n || actual.coreMask.length !== n)
    return `${actual.labels.length} labels; expected ${n}`;
  return actual.clusterCount === expected.clusterCount
    ? null
    : `clusterCount = ${actual.clusterCount}; expected ${expected.clusterCount}`;
}

/** The bytes of the coordinates, in which −0 and 0 differ. */
export function bytesOf({coords}: PointSet): Uint8Array {
  return new Uint8Array(coords.buffer, coords.byteOffset, coords.byteLength);
}

export function isSameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, k) => byte === b[k]);
}
