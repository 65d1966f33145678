import type {PointSet} from '@epsball/clustering';
import type {DbscanCase} from '../case.ts';
import {blobs, insideLargerBuffer, onSharedMemory, PRECISIONS, toPoints, uniform, type Precision} from '../shapes.ts';

/** No points, few points, equal points, and parameters at the ends of their range. */
export const edgeCases: readonly DbscanCase[] = [
  ...[1, 2, 3, 4].flatMap((dim) => PRECISIONS.flatMap((precision) => tiny(precision, dim))),
  ...[1, 2, 3, 4].flatMap((dim) => PRECISIONS.flatMap((precision) => uniformAnswers(precision, dim))),
  ...hugeMinPts(),
  ...negativeZero(),
  ...sizesAroundWorkgroups(),
  ...minPtsAroundSizes(),
  ...memoryLayouts(),
];

/** A point `x` on the first axis, `rest` on the others. */
function onFirstAxis(precision: Precision, dim: number, xs: readonly number[], rest = 0): PointSet {
  return toPoints(
    precision,
    dim,
    xs.flatMap((x) => [x, ...Array.from({length: dim - 1}, () => rest)]),
  );
}

function tiny(precision: Precision, dim: number): DbscanCase[] {
  const suffix = `${dim}-D ${precision}`;
  const row = (name: string, xs: number[], minPts: number, labels: number[]): DbscanCase => ({
    name: `${name}, minPts ${minPts}, ${suffix}`,
    dim,
    params: {eps: 0.5, minPts},
    points: () => onFirstAxis(precision, dim, xs, 3),
    expected: {labels},
  });
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
  const suffix = `${dim}-D ${precision}`;
  const everywhere = (): PointSet => uniform(precision, dim, 120, 11 + dim);
  const equal = (n: number) => (): PointSet =>
    onFirstAxis(precision, dim, Array.from<number>({length: n}).fill(0.3), 0.3);
  const labels = (n: number, label: number): number[] => Array.from<number>({length: n}).fill(label);
  const row = (name: string, points: () => PointSet, eps: number, minPts: number, all: number[]): DbscanCase => ({
    name: `${name}, ${suffix}`,
    dim,
    params: {eps, minPts},
    points,
    expected: {labels: all},
  });
  return [
    row('300 equal points, minPts 300', equal(300), 0.1, 300, labels(300, 0)),
    row('300 equal points, minPts 301', equal(300), 0.1, 301, labels(300, -1)),
    row('all noise', everywhere, 1e-9, 2, labels(120, -1)),
    row(
      'minPts 1 with tiny eps: every point its own cluster',
      everywhere,
      1e-9,
      1,
      labels(120, 0).map((_, i) => i),
    ),
    row('eps larger than the data', everywhere, 1000, 120, labels(120, 0)),
    row('minPts above n', everywhere, 1000, 121, labels(120, -1)),
    {name: `minPts 1, ${suffix}`, dim, params: {eps: 0.05 * dim, minPts: 1}, points: everywhere},
  ];
}

/** Values that do not fit into 31 or 32 bits must not wrap to small ones. */
function hugeMinPts(): DbscanCase[] {
  return [2 ** 31, 2 ** 32, 2 ** 32 + 1, 2 ** 32 + 3, Number.MAX_SAFE_INTEGER].map((minPts) => ({
    name: `minPts ${minPts} leaves only noise`,
    dim: 2,
    params: {eps: 1, minPts},
    points: () => uniform('float32', 2, 40, 5),
    expected: {labels: Array.from<number>({length: 40}).fill(-1)},
  }));
}

function negativeZero(): DbscanCase[] {
  return PRECISIONS.flatMap((precision) =>
    [1, 2, 3].map((dim) => ({
      name: `0 and −0 are the same place, ${dim}-D ${precision}`,
      dim,
      params: {eps: 1e-30, minPts: 4},
      points: () =>
        toPoints(
          precision,
          dim,
          Array.from({length: 8 * dim}, (_, k) => (k % 3 === 0 ? -0 : 0)),
        ),
      expected: {labels: [0, 0, 0, 0, 0, 0, 0, 0]},
    })),
  );
}

function sizesAroundWorkgroups(): DbscanCase[] {
  const sizes = [3, 4, 5, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 512, 513, 1023, 1024, 1025, 2049];
  return sizes.map((n) => ({
    name: `${n} points`,
    dim: 2,
    params: {eps: 0.04, minPts: 4},
    points: () => blobs('float32', 2, n, {seed: n, clusters: 3}),
  }));
}

function minPtsAroundSizes(): DbscanCase[] {
  return [7, 8, 9].flatMap((n) =>
    PRECISIONS.map((precision) => ({
      name: `a clump of ${n} with minPts 8, ${precision}`,
      dim: 2,
      params: {eps: 1, minPts: 8},
      points: () => toPoints(precision, 2, Array.from({length: n}, (_, i) => [i / 16, 0.25]).flat()),
      expected: {labels: Array.from<number>({length: n}).fill(n < 8 ? -1 : 0)},
    })),
  );
}

function memoryLayouts(): DbscanCase[] {
  const layouts = {'on a SharedArrayBuffer': onSharedMemory, 'a view inside a larger buffer': insideLargerBuffer};
  return Object.entries(layouts).flatMap(([layout, place]) =>
    PRECISIONS.flatMap((precision) =>
      [2, 3].map((dim) => ({
        name: `points ${layout}, ${dim}-D ${precision}`,
        dim,
        params: {eps: 0.05, minPts: 5},
        points: () => place(blobs(precision, dim, 300, {seed: 77})),
      })),
    ),
  );
}
