import type {DbscanCase} from '../case.ts';
import {blobs, integerLattice, PRECISIONS, reversed, toPoints, type Precision} from '../shapes.ts';

/** Cases for the variants that take more than four dimensions. */
export const highDimensionalCases: readonly DbscanCase[] = PRECISIONS.flatMap((precision) => [
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
]);

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
