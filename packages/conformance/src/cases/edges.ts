import type {PointSet} from '@epsball/clustering';
import {caseOf, listedCase, type DbscanCase} from '../case.ts';
import {
  blobs,
  insideLargerBuffer,
  listOf,
  onSharedMemory,
  PRECISIONS,
  repeated,
  toPoints,
  uniform,
  type Precision,
} from '../shapes.ts';

/** No points, few points, equal points, and parameters at the ends of their range. */
export const edgeCases: readonly DbscanCase[] = [
  ...[1, 2, 3, 4].flatMap((dim) => PRECISIONS.flatMap((precision) => tiny(precision, dim))),
  ...[1, 2, 3, 4].flatMap((dim) => PRECISIONS.flatMap((precision) => uniformAnswers(precision, dim))),
  ...hugeMinPts(),
  ...PRECISIONS.flatMap((precision) => [...negativeZero(precision), ...minPtsAroundSizes(precision)]),
  ...sizesAroundWorkgroups(),
  ...memoryLayouts(),
];

function tiny(precision: Precision, dim: number): DbscanCase[] {
  const row = (name: string, xs: number[], minPts: number, labels: number[]): DbscanCase =>
    listedCase(
      `${name}, minPts ${minPts}`,
      [precision, dim],
      {eps: 0.5, minPts},
      () => xs.flatMap((x) => [x, ...repeated(3, dim - 1)]),
      labels,
    );
  return [
    {...row('no points', [], 1, []), sklearn: {outcome: 'cannot-run', reason: 'rejects an empty array'}},
    row('one point', [7], 1, [0]),
    row('one point', [7], 2, [-1]),
    row('two points at eps', [1, 1.5], 2, [0, 0]),
    row('two points at eps', [1.5, 1], 3, [-1, -1]),
    row('two points beyond eps', [1, 1.75], 2, [-1, -1]),
    row('two points beyond eps', [1.75, 1], 1, [0, 1]),
    row('two equal points', [1, 1], 2, [0, 0]),
  ];
}

function uniformAnswers(precision: Precision, dim: number): DbscanCase[] {
  const everywhere = (): PointSet => uniform(precision, dim, 120, 11 + dim);
  const equal = (minPts: number, label: number): DbscanCase =>
    listedCase(
      `300 equal points, minPts ${minPts}`,
      [precision, dim],
      {eps: 0.1, minPts},
      () => repeated(0.3, 300 * dim),
      repeated(label, 300),
    );
  const spread = (name: string, eps: number, minPts: number, labels?: number[]): DbscanCase =>
    caseOf(`${name}, ${dim}-D ${precision}`, dim, {eps, minPts}, everywhere, labels);
  const each = listOf(120, (i) => i);
  return [
    equal(300, 0),
    equal(301, -1),
    spread('all noise', 1e-9, 2, repeated(-1, 120)),
    spread('minPts 1 with tiny eps: every point its own cluster', 1e-9, 1, each),
    spread('eps larger than the data', 1000, 120, repeated(0, 120)),
    spread('minPts above n', 1000, 121, repeated(-1, 120)),
    spread('minPts 1', 0.05 * dim, 1),
  ];
}

/** Values that do not fit into 31 or 32 bits must not wrap to small ones. */
function hugeMinPts(): DbscanCase[] {
  return [2 ** 31, 2 ** 32, 2 ** 32 + 1, 2 ** 32 + 3, Number.MAX_SAFE_INTEGER].map((minPts) => {
    const points = (): PointSet => uniform('float32', 2, 40, 5);
    return caseOf(`minPts ${minPts} leaves only noise`, 2, {eps: 1, minPts}, points, repeated(-1, 40));
  });
}

function negativeZero(precision: Precision): DbscanCase[] {
  return [1, 2, 3].map((dim) =>
    listedCase(
      '0 and −0 are the same place',
      [precision, dim],
      {eps: 1e-30, minPts: 4},
      () => listOf(8 * dim, (k) => (k % 3 === 0 ? -0 : 0)),
      repeated(0, 8),
    ),
  );
}

function sizesAroundWorkgroups(): DbscanCase[] {
  const sizes = [3, 4, 5, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 512, 513, 1023, 1024, 1025, 2049];
  return sizes.map((n) =>
    caseOf(`${n} points`, 2, {eps: 0.04, minPts: 4}, () => blobs('float32', 2, n, {seed: n, clusters: 3})),
  );
}

function minPtsAroundSizes(precision: Precision): DbscanCase[] {
  return [7, 8, 9].map((n) => {
    const values = listOf(n, (i) => [i / 16, 0.25]).flat();
    const points = (): PointSet => toPoints(precision, 2, values);
    const labels = repeated(n < 8 ? -1 : 0, n);
    return caseOf(`a clump of ${n} with minPts 8, ${precision}`, 2, {eps: 1, minPts: 8}, points, labels);
  });
}

function memoryLayouts(): DbscanCase[] {
  const layouts = {'on a SharedArrayBuffer': onSharedMemory, 'a view inside a larger buffer': insideLargerBuffer};
  return Object.entries(layouts).flatMap(([layout, place]) =>
    PRECISIONS.flatMap((precision) =>
      [2, 3].map((dim) =>
        caseOf(`points ${layout}, ${dim}-D ${precision}`, dim, {eps: 0.05, minPts: 5}, () =>
          place(blobs(precision, dim, 300, {seed: 77})),
        ),
      ),
    ),
  );
}
