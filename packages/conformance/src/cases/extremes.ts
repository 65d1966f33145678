import type {PointSet} from '@epsball/clustering';
import {caseOf, listedCase, type DbscanCase} from '../case.ts';
import {seededRandom} from '../random.ts';
import {
  blobs,
  listOf,
  PRECISIONS,
  repeated,
  shuffled,
  toPoints,
  transformed,
  uniform,
  type Precision,
} from '../shapes.ts';

/** Magnitudes at the ends of the formats: huge boxes, tiny eps, huge coordinates, squares that under- or overflow. */
export const extremeCases: readonly DbscanCase[] = [1, 2, 3, 4].flatMap((dim) => [
  ...PRECISIONS.flatMap((precision) => [
    ...hugeBoxes(precision, dim),
    ...scales(precision, dim),
    ...(dim < 4 ? subnormals(precision, dim) : []),
  ]),
  ...hugeCoordinates(dim),
  ...underflow(dim),
  subnormalSquares(dim),
  ...overflow(dim),
  ...overflowEdge(dim),
  ...crowdedCells(dim),
]);

/** A clump of `count` points within ±spread around `at` on every axis. */
function clump(dim: number, at: number, spread: number, count: number, seed: number): number[] {
  const random = seededRandom(seed);
  return listOf(count * dim, () => at + spread * (2 * random() - 1));
}

function hugeBoxes(precision: Precision, dim: number): DbscanCase[] {
  const row = (name: string, eps: number, minPts: number, points: () => PointSet): DbscanCase =>
    caseOf(`${name}, ${dim}-D ${precision}`, dim, {eps, minPts}, points);
  const ends = (extent: number) => (): PointSet => {
    const sparse = uniform('float64', dim, 30, 4).coords.map((x) => x * extent);
    const clumps = [0, extent, -extent].flatMap((at, k) => clump(dim, at, 0.4, 40, k + 1));
    return shuffled(toPoints(precision, dim, [...clumps, ...sparse]), dim);
  };
  return [
    row('clusters at the ends of a box of 2e9 eps', 1, 5, ends(1e9)),
    row('clusters at the ends of a box of 2e12 eps', 1, 3, ends(1e12)),
    row('more than 2^32 cells: eps 1e-10 in the unit cube', 1e-10, 3, () => {
      const base = uniform(precision, dim, 60, 8).coords;
      return shuffled(toPoints(precision, dim, [...base, ...base, ...base.slice(0, 30 * dim)]), 5);
    }),
    row('more than 2^32 cells: eps 1e-5 of a clustered box', 1e-5, 4, () => {
      const centers = uniform('float64', dim, 30, 9).coords;
      const random = seededRandom(10);
      const values = listOf(300 * dim, (k) => centers[k % (30 * dim)] + 8e-6 * (random() - 0.5));
      return toPoints(precision, dim, values);
    }),
  ];
}

/** The same clusters at scales whose squares leave float32, and for float64 leave float64. */
function scales(precision: Precision, dim: number): DbscanCase[] {
  const all = precision === 'float32' ? [1e-30, 1e-22, 1e18, 1e30] : [1e-150, 1e-30, 1e30, 1e150];
  return all.map((scale) =>
    listedCase(
      `clusters at scale ${scale}`,
      [precision, dim],
      {eps: [0, 0.004, 0.03, 0.05, 0.06][dim] * scale, minPts: 4},
      () => [...transformed(blobs('float64', dim, 200, {seed: 40 + dim}), scale, 0).coords],
    ),
  );
}

function subnormals(precision: Precision, dim: number): DbscanCase[] {
  const smallest = precision === 'float32' ? 2 ** -149 : 5e-324;
  return [1, 2.5].map((steps) => {
    const eps = steps === 1 ? smallest : 2.5 * 2 ** -149;
    return listedCase(`subnormal coordinates, eps ${steps} steps`, [precision, dim], {eps, minPts: 3}, () => {
      const random = seededRandom(50 + dim);
      return listOf(60 * dim, () => Math.round((random() - 0.5) * 120) * smallest);
    });
  });
}

function hugeCoordinates(dim: number): DbscanCase[] {
  const corners = (precision: Precision, largest: number, eps: number, text: string): DbscanCase =>
    listedCase(`corners of the ${precision} range, eps ${text}`, [precision, dim], {eps, minPts: 2}, () =>
      listOf(24 * dim, (k) => ((Math.floor(k / dim) >> (k % dim)) % 2 === 0 ? -1 : 1) * largest),
    );
  return [
    corners('float32', 3.4e38, 1, '1'),
    corners('float32', 3.4e38, 6.81e38, 'reaching along one axis'),
    corners('float64', 1.6e308, 1e150, '1e150'),
    listedCase('clusters at coordinates of 1e38', ['float32', dim], {eps: 2e36, minPts: 4}, () => [
      ...transformed(blobs('float64', dim, 120, {seed: 60}), 1e38, -5e37).coords,
    ]),
  ];
}

/** Squared differences that round to zero: such points are neighbours, whatever eps. */
function underflow(dim: number): DbscanCase[] {
  return [1e-200, 1e-170, 5e-324].map((eps) =>
    listedCase(`differences of 1e-165 vanish when squared, eps ${eps}`, ['float64', dim], {eps, minPts: 3}, () => [
      ...clump(dim, 0, 1e-165, 30, 70),
      ...clump(dim, 0, 1e-150, 10, 71),
      ...clump(dim, 1, 1e-17, 20, 72),
      ...clump(dim, 0, 1, 20, 73),
    ]),
  );
}

/**
 * d² = eps² = 2⁻¹⁰⁷⁴, the least subnormal: both squares, 2.6e-324, round up to it. Its root is 2.2e-162, farther than
 * eps. The two places lie in tree nodes of their own, which scikit-learn compares with eps by that root.
 */
function subnormalSquares(dim: number): DbscanCase {
  const eps = 1.6e-162;
  return {
    ...listedCase(
      'two places at a distance of eps 1.6e-162, whose square is subnormal',
      ['float64', dim],
      {eps, minPts: 2},
      () => listOf(120 * dim, (k) => (k % dim === 0 && k >= 60 * dim ? eps : 0)),
      repeated(0, 120),
    ),
    sklearn: {outcome: 'differs', reason: 'prunes a tree node whose d² is subnormal, since its root exceeds eps'},
  };
}

/** eps² = ∞ takes in every point, also those whose squared distance is ∞. */
function overflow(dim: number): DbscanCase[] {
  const reason = 'prunes a tree node whose d² overflows, since its root ∞ exceeds eps';
  return [1e200, Number.MAX_VALUE].flatMap((eps) =>
    [1e140, 1e300].map((scale) => {
      const points = (): PointSet => transformed(uniform('float64', dim, 80, 80 + dim), scale, 0);
      const name = `eps ${eps} squared overflows, data of scale ${scale}, ${dim}-D float64`;
      const row = caseOf(name, dim, {eps, minPts: 80}, points, repeated(0, 80));
      return scale === 1e300 ? {...row, sklearn: {outcome: 'differs', reason} as const} : row;
    }),
  );
}

/** eps beside √MAX_VALUE ≈ 1.34e154, where eps² begins to be ∞ and the squares of shorter lengths are not. */
function overflowEdge(dim: number): DbscanCase[] {
  const places = [0, 1e154, 1e155, 1.7e308];
  // Every second point lies on the first axis.
  const values = listOf(20 * dim, (k) => {
    const isUsed = k % (2 * dim) < 1 || k % (2 * dim) >= dim ? 1 : 0;
    return isUsed * places[(Math.floor(k / dim) >> 1) % places.length];
  });
  return [1.34e154, 1.35e154, 2e154].map((eps) => {
    const points = (): PointSet => shuffled(toPoints('float64', dim, values), 90 + dim);
    const name = `places at 0, 1e154, 1e155 and 1.7e308, eps ${eps}, ${dim}-D float64`;
    return caseOf(name, dim, {eps, minPts: 2}, points, eps > 1.34e154 ? repeated(0, 20) : undefined);
  });
}

/** Two crowded cells about eps apart, at scales whose squares are subnormal, vanish, or come close to ∞. */
function crowdedCells(dim: number): DbscanCase[] {
  return [2 ** -1070, 2 ** -540, 2 ** -537, 2 ** -512, 2 ** 500, 2 ** 511, 2 ** 512].map((eps) =>
    listedCase(`two crowds about eps 2^${Math.log2(eps)} apart`, ['float64', dim], {eps, minPts: 4}, () => {
      const random = seededRandom(100 + dim);
      return listOf(100 * dim, (k) => {
        const apart = k % dim === 0 && Math.floor(k / dim) % 2 === 1 ? 1.4 : 0;
        return (Math.round((random() / 2 + apart) * 64) / 64) * Math.max(eps, 2 ** -538);
      });
    }),
  );
}
