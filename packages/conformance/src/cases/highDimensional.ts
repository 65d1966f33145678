import type {PointSet} from '@epsball/clustering';
import type {DbscanCase} from '../case.ts';
import {blobs, integerLattice, PRECISIONS, reversed, toPoints, type Precision} from '../shapes.ts';

/** Cases for the variants that take more than four dimensions. */
export const highDimensionalCases: readonly DbscanCase[] = [
  ...PRECISIONS.flatMap((precision) => [
    ...[5, 6, 8, 16, 33, 64].flatMap((dim) => inDimension(precision, dim)),
    ...[0.1, 1 / 3].map((spacing) => ({
      name: `lattice of spacing ${spacing.toPrecision(3)}, eps the spacing, 5-D ${precision}`,
      dim: 5,
      params: {eps: spacing, minPts: 7},
      points: () =>
        toPoints(
          precision,
          5,
          integerLattice(5, 3).map((x) => x * spacing),
        ),
    })),
  ]),
  ...[5, 16, 64].flatMap(extremes),
];

/** Squares that vanish, though the squared distance in exact arithmetic is far above eps², or that overflow. */
function extremes(dim: number): DbscanCase[] {
  const places = (values: readonly number[]) => (): PointSet =>
    toPoints(
      'float64',
      dim,
      [...values, ...values].flatMap((x) => Array.from<number>({length: dim}).fill(x)),
    );
  const underflowing = [2 ** -500, -(2 ** -500), 0, 2 ** -538, -(2 ** -538)];
  const overflowing = [0, 1e154, 1e155, 1.7e308, -1.7e308];
  return [
    {
      name: `differences of 2^-538 on every axis vanish when squared, eps 1e-200, ${dim}-D float64`,
      dim,
      params: {eps: 1e-200, minPts: 2},
      points: places(underflowing),
      expected: {labels: [0, 1, 2, 2, 2, 0, 1, 2, 2, 2]},
    },
    ...[1.34e154, 1.35e154].map((eps): DbscanCase => ({
      name: `places at 0, 1e154, 1e155 and ±1.7e308, eps ${eps}, ${dim}-D float64`,
      dim,
      params: {eps, minPts: 3},
      points: places(overflowing),
      expected: {labels: Array.from<number>({length: 10}).fill(eps === 1.35e154 ? 0 : -1)},
    })),
  ];
}

function inDimension(precision: Precision, dim: number): DbscanCase[] {
  const suffix = `${dim}-D ${precision}`;
  const sigma = 0.02;
  const clustered = () => blobs(precision, dim, 250, {seed: dim, sigma});
  // Two points of one Gaussian cluster are √(2·dim)·sigma apart, more or less.
  const eps = sigma * Math.sqrt(2 * dim);
  return [
    {name: `250 points in clusters, ${suffix}`, dim, params: {eps, minPts: 8}, points: clustered},
    {
      name: `250 points in clusters, last first, ${suffix}`,
      dim,
      params: {eps, minPts: 4},
      points: () => reversed(clustered()),
    },
    {
      name: `40 equal points, ${suffix}`,
      dim,
      params: {eps: 1e-6, minPts: 40},
      points: () => toPoints(precision, dim, Array.from<number>({length: 40 * dim}).fill(0.7)),
      expected: {labels: Array.from<number>({length: 40}).fill(0)},
    },
    {
      name: `unit vectors and the origin, eps 1, ${suffix}`,
      dim,
      params: {eps: 1, minPts: 3},
      points: () =>
        toPoints(
          precision,
          dim,
          Array.from({length: (dim + 1) * dim}, (_, k) => (Math.floor(k / dim) === k % dim ? 1 : 0)),
        ),
      expected: {labels: Array.from<number>({length: dim + 1}).fill(0)},
    },
  ];
}
