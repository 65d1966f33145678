import type {PointSet} from '@epsball/clustering';
import type {DbscanCase} from '../case.ts';
import {seededRandom} from '../random.ts';
import {blobs, PRECISIONS, shuffled, toPoints, transformed, uniform, type Precision} from '../shapes.ts';

const DIMS: readonly number[] = [1, 2, 3, 4];

/** Magnitudes at the ends of the formats: huge boxes, tiny eps, huge coordinates, squares that under- or overflow. */
export const extremeCases: readonly DbscanCase[] = [
  ...PRECISIONS.flatMap((precision) =>
    DIMS.flatMap((dim) => [...hugeBoxes(precision, dim), ...scales(precision, dim)]),
  ),
  ...subnormals(),
  ...hugeCoordinates(),
  ...underflow(),
  ...subnormalSquares(),
  ...overflow(),
  ...overflowEdge(),
  ...crowdedCells(),
];

/** A clump of `count` points within ±spread around `at` on every axis. */
function clump(dim: number, at: number, spread: number, count: number, seed: number): number[] {
  const random = seededRandom(seed);
  return Array.from({length: count * dim}, () => at + spread * (2 * random() - 1));
}

function hugeBoxes(precision: Precision, dim: number): DbscanCase[] {
  const suffix = `${dim}-D ${precision}`;
  const ends = (extent: number): PointSet =>
    shuffled(
      toPoints(precision, dim, [
        ...clump(dim, 0, 0.4, 40, 1),
        ...clump(dim, extent, 0.4, 40, 2),
        ...clump(dim, -extent, 0.4, 40, 3),
        ...uniform('float64', dim, 30, 4).coords.map((x) => x * extent),
      ]),
      dim,
    );
  return [
    {
      name: `clusters at the ends of a box of 2e9 eps, ${suffix}`,
      dim,
      params: {eps: 1, minPts: 5},
      points: () => ends(1e9),
    },
    {
      name: `clusters at the ends of a box of 2e12 eps, ${suffix}`,
      dim,
      params: {eps: 1, minPts: 3},
      points: () => ends(1e12),
    },
    {
      name: `more than 2^32 cells: eps 1e-10 in the unit cube, ${suffix}`,
      dim,
      params: {eps: 1e-10, minPts: 3},
      points: () => {
        const base = uniform(precision, dim, 60, 8).coords;
        return shuffled(toPoints(precision, dim, [...base, ...base, ...base.slice(0, 30 * dim)]), 5);
      },
    },
    {
      name: `more than 2^32 cells: eps 1e-5 of a clustered box, ${suffix}`,
      dim,
      params: {eps: 1e-5, minPts: 4},
      points: () => {
        const centers = uniform('float64', dim, 30, 9).coords;
        const random = seededRandom(10);
        return toPoints(
          precision,
          dim,
          Array.from({length: 300 * dim}, (_, k) => centers[k % (30 * dim)] + 8e-6 * (random() - 0.5)),
        );
      },
    },
  ];
}

/** The same clusters at scales whose squares leave float32, and for float64 leave float64. */
function scales(precision: Precision, dim: number): DbscanCase[] {
  const all = precision === 'float32' ? [1e-30, 1e-22, 1e18, 1e30] : [1e-150, 1e-30, 1e30, 1e150];
  return all.map((scale) => ({
    name: `clusters at scale ${scale}, ${dim}-D ${precision}`,
    dim,
    params: {eps: [0, 0.004, 0.03, 0.05, 0.06][dim] * scale, minPts: 4},
    points: () =>
      toPoints(precision, dim, [...transformed(blobs('float64', dim, 200, {seed: 40 + dim}), scale, 0).coords]),
  }));
}

function subnormals(): DbscanCase[] {
  const smallest = {float32: 2 ** -149, float64: 5e-324};
  return PRECISIONS.flatMap((precision) =>
    [1, 2, 3].flatMap((dim) =>
      [1, 2.5].map((steps) => ({
        name: `subnormal coordinates, eps ${steps} steps, ${dim}-D ${precision}`,
        dim,
        params: {eps: steps === 1 ? smallest[precision] : 2.5 * smallest.float32, minPts: 3},
        points: () =>
          toPoints(
            precision,
            dim,
            Array.from({length: 60 * dim}, seededRandom(50 + dim)).map(
              (x) => Math.round((x - 0.5) * 120) * smallest[precision],
            ),
          ),
      })),
    ),
  );
}

function hugeCoordinates(): DbscanCase[] {
  const largest = {float32: 3.4e38, float64: 1.6e308};
  const corners = (precision: Precision, dim: number) => (): PointSet =>
    toPoints(
      precision,
      dim,
      Array.from(
        {length: 24 * dim},
        (_, k) => ((Math.floor(k / dim) >> (k % dim)) % 2 === 0 ? -1 : 1) * largest[precision],
      ),
    );
  return [
    ...DIMS.map((dim) => ({
      name: `corners of the float32 range, eps 1, ${dim}-D float32`,
      dim,
      params: {eps: 1, minPts: 2},
      points: corners('float32', dim),
    })),
    ...DIMS.map((dim) => ({
      name: `corners of the float32 range, eps reaching along one axis, ${dim}-D float32`,
      dim,
      params: {eps: 6.81e38, minPts: 2},
      points: corners('float32', dim),
    })),
    ...DIMS.map((dim) => ({
      name: `corners of the float64 range, eps 1e150, ${dim}-D float64`,
      dim,
      params: {eps: 1e150, minPts: 2},
      points: corners('float64', dim),
    })),
    ...DIMS.map((dim) => ({
      name: `clusters at coordinates of 1e38, ${dim}-D float32`,
      dim,
      params: {eps: 2e36, minPts: 4},
      points: () =>
        toPoints('float32', dim, [...transformed(blobs('float64', dim, 120, {seed: 60}), 1e38, -5e37).coords]),
    })),
  ];
}

/** Squared differences that round to zero: such points are neighbours, whatever eps. */
function underflow(): DbscanCase[] {
  return DIMS.flatMap((dim) =>
    [1e-200, 1e-170, 5e-324].map((eps) => ({
      name: `differences of 1e-165 vanish when squared, eps ${eps}, ${dim}-D float64`,
      dim,
      params: {eps, minPts: 3},
      points: () =>
        toPoints('float64', dim, [
          ...clump(dim, 0, 1e-165, 30, 70),
          ...clump(dim, 0, 1e-150, 10, 71),
          ...clump(dim, 1, 1e-17, 20, 72),
          ...clump(dim, 0, 1, 20, 73),
        ]),
    })),
  );
}

/**
 * d² = eps² = 2⁻¹⁰⁷⁴, the least subnormal: both squares, 2.6e-324, round up to it. Its root is 2.2e-162, farther than
 * eps. The two places lie in tree nodes of their own, which scikit-learn compares with eps by that root.
 */
function subnormalSquares(): DbscanCase[] {
  const eps = 1.6e-162;
  return DIMS.map((dim): DbscanCase => ({
    name: `two places at a distance of eps 1.6e-162, whose square is subnormal, ${dim}-D float64`,
    dim,
    params: {eps, minPts: 2},
    points: () =>
      toPoints(
        'float64',
        dim,
        Array.from({length: 120 * dim}, (_, k) => (k % dim === 0 && k >= 60 * dim ? eps : 0)),
      ),
    expected: {labels: Array.from<number>({length: 120}).fill(0)},
    sklearn: {outcome: 'differs', reason: 'prunes a tree node whose d² is subnormal, since its root exceeds eps'},
  }));
}

/** eps² = ∞ takes in every point, also those whose squared distance is ∞. */
function overflow(): DbscanCase[] {
  return DIMS.flatMap((dim) =>
    [1e200, Number.MAX_VALUE].flatMap((eps) =>
      [1e140, 1e300].map((scale): DbscanCase => ({
        name: `eps ${eps} squared overflows, data of scale ${scale}, ${dim}-D float64`,
        dim,
        params: {eps, minPts: 80},
        points: () => transformed(uniform('float64', dim, 80, 80 + dim), scale, 0),
        expected: {labels: Array.from<number>({length: 80}).fill(0)},
        ...(scale === 1e300 && {
          sklearn: {outcome: 'differs', reason: 'prunes a tree node whose d² overflows, since its root ∞ exceeds eps'},
        }),
      })),
    ),
  );
}

/** eps beside √MAX_VALUE ≈ 1.34e154, where eps² begins to be ∞ and the squares of shorter lengths are not. */
function overflowEdge(): DbscanCase[] {
  const places = [0, 1e154, 1e155, 1.7e308];
  return DIMS.flatMap((dim) =>
    [1.34e154, 1.35e154, 2e154].map((eps): DbscanCase => ({
      name: `places at 0, 1e154, 1e155 and 1.7e308, eps ${eps}, ${dim}-D float64`,
      dim,
      params: {eps, minPts: 2},
      points: () =>
        shuffled(
          toPoints(
            'float64',
            dim,
            // Every second point lies on the first axis.
            Array.from({length: 20 * dim}, (_, k) => (k % (2 * dim) < 1 || k % (2 * dim) >= dim ? 1 : 0)).map(
              (isUsed, k) => isUsed * places[(Math.floor(k / dim) >> 1) % places.length],
            ),
          ),
          90 + dim,
        ),
      ...(eps > 1.34e154 && {expected: {labels: Array.from<number>({length: 20}).fill(0)}}),
    })),
  );
}

/** Two crowded cells about eps apart, at scales whose squares are subnormal, vanish, or come close to ∞. */
function crowdedCells(): DbscanCase[] {
  return DIMS.flatMap((dim) =>
    [2 ** -1070, 2 ** -540, 2 ** -537, 2 ** -512, 2 ** 500, 2 ** 511, 2 ** 512].map((eps) => ({
      name: `two crowds about eps 2^${Math.log2(eps)} apart, ${dim}-D float64`,
      dim,
      params: {eps, minPts: 4},
      points: () => {
        const random = seededRandom(100 + dim);
        const values = Array.from({length: 100 * dim}, (_, k) => {
          const apart = k % dim === 0 && Math.floor(k / dim) % 2 === 1 ? 1.4 : 0;
          return Math.round((random() / 2 + apart) * 64) / 64;
        });
        return toPoints(
          'float64',
          dim,
          values.map((x) => x * Math.max(eps, 2 ** -538)),
        );
      },
    })),
  );
}
