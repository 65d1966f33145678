import type {DbscanCase} from '../case.ts';
import {integerLattice, PRECISIONS, reversed, shuffled, toPoints, transformed, type Precision} from '../shapes.ts';
import type {PointSet} from '@epsball/clustering';

/** Points along an axis, by dimension: some 300 points in all. */
const SIDE: readonly number[] = [0, 300, 17, 7, 4];
const DIMS: readonly number[] = [1, 2, 3, 4];
const SPACINGS: readonly (readonly [name: string, value: number])[] = [
  ['1', 1],
  ['0.1', 0.1],
  ['1/3', 1 / 3],
  ['0.007', 0.007],
];

/**
 * Lattices with eps equal to the spacing: every neighbour pair is a borderline pair. Where the spacing is no
 * binary fraction, rounding makes some pairs neighbours and some not, and float64 decides which.
 */
export const latticeCases: readonly DbscanCase[] = DIMS.flatMap((dim) =>
  PRECISIONS.flatMap((precision) => [
    ...atSpacing(precision, dim),
    ...atDiagonal(precision, dim),
    ...placed(precision, dim),
    ...atOffset(precision, dim),
  ]),
);

function lattice(precision: Precision, dim: number, spacing: number): PointSet {
  return toPoints(
    precision,
    dim,
    integerLattice(dim, SIDE[dim]).map((x) => x * spacing),
  );
}

function atSpacing(precision: Precision, dim: number): DbscanCase[] {
  return SPACINGS.flatMap(([name, spacing]) =>
    // 2·dim + 1: interior points are core exactly when all their borderline pairs count.
    [2, 2 * dim + 1].flatMap((minPts) => {
      const points = (): PointSet => lattice(precision, dim, spacing);
      const full = {
        name: `lattice of spacing ${name}, eps the spacing, minPts ${minPts}, ${dim}-D ${precision}`,
        dim,
        points,
      };
      const exact = {...full, params: {eps: spacing, minPts}};
      if (precision === 'float64' || spacing === 1) return [exact];
      const rounded = {
        name: `lattice of spacing ${name}, eps the spacing as float32, minPts ${minPts}, ${dim}-D float32`,
        dim,
        points,
        params: {eps: Math.fround(spacing), minPts},
      };
      return [exact, rounded];
    }),
  );
}

function atDiagonal(precision: Precision, dim: number): DbscanCase[] {
  if (dim === 1) return [];
  return [1, 0.1].map((spacing) => ({
    name: `lattice of spacing ${spacing}, eps the diagonal, ${dim}-D ${precision}`,
    dim,
    // Corners have dim + 1 + C(dim, 2) neighbours; one more makes them border points.
    params: {eps: Math.SQRT2 * spacing, minPts: dim + 2 + (dim * (dim - 1)) / 2},
    points: () => lattice(precision, dim, spacing),
  }));
}

/** Around the origin (cells below zero) and in other orders. */
function placed(precision: Precision, dim: number): DbscanCase[] {
  const centred = (): PointSet => transformed(lattice(precision, dim, 0.25), 1, -0.25 * Math.floor(SIDE[dim] / 2));
  const params = {eps: 0.25, minPts: 2 * dim + 1};
  return [
    {name: `lattice around the origin, ${dim}-D ${precision}`, dim, params, points: centred},
    {
      name: `lattice around the origin, last first, ${dim}-D ${precision}`,
      dim,
      params,
      points: () => reversed(centred()),
    },
    {
      name: `lattice around the origin, shuffled, ${dim}-D ${precision}`,
      dim,
      params,
      points: () => shuffled(centred(), dim),
    },
    {
      name: `lattice of half eps, so that every point is on a cell face, ${dim}-D ${precision}`,
      dim,
      params: {eps: 0.5, minPts: [0, 5, 13, 33, 40][dim]},
      points: centred,
    },
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
  return at
    .map(([offset, spacing]) => ({
      name: `lattice of spacing ${spacing} at ${offset}, ${dim}-D ${precision}`,
      dim,
      params: {eps: spacing, minPts: dim + 2},
      points: () => transformed(lattice('float64', dim, spacing), 1, offset),
    }))
    .map((row) =>
      precision === 'float64' ? row : {...row, points: () => toPoints('float32', dim, [...row.points().coords])},
    );
}
