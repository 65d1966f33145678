import type {PointSet} from '@epsball/clustering';
import {caseOf, listedCase, type DbscanCase} from '../case.ts';
import {integerLattice, PRECISIONS, reversed, shuffled, toPoints, transformed, type Precision} from '../shapes.ts';

/** Points along an axis, by dimension: some 300 points in all. */
const SIDE: readonly number[] = [0, 300, 17, 7, 4];
const SPACINGS = {1: 1, 0.1: 0.1, '1/3': 1 / 3, 0.007: 0.007};

/**
 * Lattices with eps equal to the spacing: every neighbour pair is a borderline pair. Where the spacing is no
 * binary fraction, rounding makes some pairs neighbours and some not, and float64 decides which.
 */
export const latticeCases: readonly DbscanCase[] = [1, 2, 3, 4].flatMap((dim) =>
  PRECISIONS.flatMap((precision) => [
    ...atSpacing(precision, dim),
    ...(dim > 1 ? atDiagonal(precision, dim) : []),
    ...placed(precision, dim),
    ...atOffset(precision, dim),
  ]),
);

function lattice(dim: number, spacing: number): number[] {
  return integerLattice(dim, SIDE[dim]).map((x) => x * spacing);
}

function atSpacing(precision: Precision, dim: number): DbscanCase[] {
  return Object.entries(SPACINGS).flatMap(([name, spacing]) =>
    // 2·dim + 1: interior points are core exactly when all their borderline pairs count.
    [2, 2 * dim + 1].flatMap((minPts) => {
      const row = (rounding: string, eps: number): DbscanCase =>
        listedCase(
          `lattice of spacing ${name}, eps the spacing${rounding}, minPts ${minPts}`,
          [precision, dim],
          {eps, minPts},
          () => lattice(dim, spacing),
        );
      const isRounded = precision === 'float32' && spacing !== 1;
      return [row('', spacing), ...(isRounded ? [row(' as float32', Math.fround(spacing))] : [])];
    }),
  );
}

function atDiagonal(precision: Precision, dim: number): DbscanCase[] {
  // Corners have dim + 1 + C(dim, 2) neighbours; one more makes them border points.
  const minPts = dim + 2 + (dim * (dim - 1)) / 2;
  return [1, 0.1].map((spacing) =>
    listedCase(
      `lattice of spacing ${spacing}, eps the diagonal`,
      [precision, dim],
      {eps: Math.SQRT2 * spacing, minPts},
      () => lattice(dim, spacing),
    ),
  );
}

/** Around the origin (cells below zero) and in other orders. */
function placed(precision: Precision, dim: number): DbscanCase[] {
  const centred = (): PointSet =>
    transformed(toPoints(precision, dim, lattice(dim, 0.25)), 1, -0.25 * Math.floor(SIDE[dim] / 2));
  const row = (name: string, eps: number, minPts: number, points: () => PointSet): DbscanCase =>
    caseOf(`lattice ${name}, ${dim}-D ${precision}`, dim, {eps, minPts}, points);
  const all = 2 * dim + 1;
  return [
    row('around the origin', 0.25, all, centred),
    row('around the origin, last first', 0.25, all, () => reversed(centred())),
    row('around the origin, shuffled', 0.25, all, () => shuffled(centred(), dim)),
    row('of half eps, so that every point is on a cell face', 0.5, [0, 5, 13, 33, 40][dim], centred),
  ];
}

/** Far from the origin; float32 holds multiples of 1/16 at 1e6 and of 64 at 1e9. */
function atOffset(precision: Precision, dim: number): DbscanCase[] {
  const at = [
    [1e6, 1 / 16],
    [-1e6, 0.1],
    [1e9, 64],
    [-1e9, 100],
  ] as const;
  return at.map(([offset, spacing]) =>
    listedCase(`lattice of spacing ${spacing} at ${offset}`, [precision, dim], {eps: spacing, minPts: dim + 2}, () =>
      lattice(dim, spacing).map((x) => x + offset),
    ),
  );
}
