import type {PointSet} from '@epsball/clustering';
import {caseOf, listedCase, type DbscanCase} from '../case.ts';
import {blobs, integerLattice, listOf, PRECISIONS, repeated, reversed, type Precision} from '../shapes.ts';

export const highDimensionalCases: readonly DbscanCase[] = [
  ...PRECISIONS.flatMap((precision) => [
    ...[5, 6, 8, 16, 33, 64].flatMap((dim) => inDimension(precision, dim)),
    ...[0.1, 1 / 3].map((spacing) => {
      const name = `lattice of spacing ${spacing.toPrecision(3)}, eps the spacing`;
      const values = integerLattice(5, 3).map((x) => x * spacing);
      return listedCase(name, [precision, 5], {eps: spacing, minPts: 7}, () => values);
    }),
  ]),
  ...[5, 16, 64].flatMap(extremes),
];

/** Squares that vanish, though the squared distance in exact arithmetic is far above eps², or that overflow. */
function extremes(dim: number): DbscanCase[] {
  const row = (name: string, eps: number, minPts: number, places: number[], labels: number[]): DbscanCase =>
    listedCase(
      `${name}, eps ${eps}`,
      ['float64', dim],
      {eps, minPts},
      () => [...places, ...places].flatMap((x) => repeated(x, dim)),
      labels,
    );
  const underflowing = [2 ** -500, -(2 ** -500), 0, 2 ** -538, -(2 ** -538)];
  const vanish = 'differences of 2^-538 on every axis vanish when squared';
  return [
    row(vanish, 1e-200, 2, underflowing, [0, 1, 2, 2, 2, 0, 1, 2, 2, 2]),
    ...[1.34e154, 1.35e154].map((eps) => {
      const places = [0, 1e154, 1e155, 1.7e308, -1.7e308];
      return row('places at 0, 1e154, 1e155 and ±1.7e308', eps, 3, places, repeated(eps === 1.35e154 ? 0 : -1, 10));
    }),
  ];
}

function inDimension(precision: Precision, dim: number): DbscanCase[] {
  const suffix = `${dim}-D ${precision}`;
  const sigma = 0.02;
  const clustered = (): PointSet => blobs(precision, dim, 250, {seed: dim, sigma});
  // Two points of one Gaussian cluster are √(2·dim)·sigma apart, more or less.
  const eps = sigma * Math.sqrt(2 * dim);
  const at = [precision, dim] as const;
  return [
    caseOf(`250 points in clusters, ${suffix}`, dim, {eps, minPts: 8}, clustered),
    caseOf(`250 points in clusters, last first, ${suffix}`, dim, {eps, minPts: 4}, () => reversed(clustered())),
    listedCase('40 equal points', at, {eps: 1e-6, minPts: 40}, () => repeated(0.7, 40 * dim), repeated(0, 40)),
    listedCase(
      'unit vectors and the origin, eps 1',
      at,
      {eps: 1, minPts: 3},
      () => listOf((dim + 1) * dim, (k) => (Math.floor(k / dim) === k % dim ? 1 : 0)),
      repeated(0, dim + 1),
    ),
  ];
}
