import type {PointSet} from '@epsball/clustering';
import {caseOf, listedCase, type DbscanCase} from '../case.ts';
import {seededRandom} from '../random.ts';
import {
  blobs,
  listOf,
  PRECISIONS,
  repeated,
  reversed,
  shuffled,
  spiral,
  toPoints,
  transformed,
  uniform,
  type Precision,
} from '../shapes.ts';

/** eps and minPts that leave noise, borders and several clusters in the unit cube, by dimension. */
const SETTINGS: Readonly<Record<number, readonly (readonly [eps: number, minPts: number])[]>> = {
  1: [
    [0.002, 4],
    [0.01, 12],
  ],
  2: [
    [0.02, 4],
    [0.04, 12],
  ],
  3: [
    [0.03, 4],
    [0.06, 10],
  ],
  4: [
    [0.04, 4],
    [0.07, 8],
  ],
};

/** Data as people have it: clusters with noise between them, lines, spirals, flat sets, uneven densities. */
export const clusteredCases: readonly DbscanCase[] = [
  ...PRECISIONS.flatMap((precision) => [
    ...[1, 2, 3, 4].flatMap((dim) => randomSets(precision, dim)),
    ...[1, 2, 3, 4].flatMap((dim) => offsetSets(precision, dim)),
    ...[2, 3, 4].flatMap((dim) => flatSets(precision, dim)),
    ...lines(precision),
    ...[2, 3].map((dim) => unevenDensities(precision, dim)),
  ]),
  ...largerSets(),
  ...spirals(),
  ...wideLevels(),
];

function randomSets(precision: Precision, dim: number): DbscanCase[] {
  return SETTINGS[dim].flatMap(([eps, minPts]) =>
    [90, 250, 600].map((n) => {
      const name = `${n} points in clusters, eps ${eps}, minPts ${minPts}, ${dim}-D ${precision}`;
      return caseOf(name, dim, {eps, minPts}, () => blobs(precision, dim, n, {seed: n + dim}));
    }),
  );
}

function offsetSets(precision: Precision, dim: number): DbscanCase[] {
  // At 1e9 float32 steps by 64: the clusters collapse onto few places, which is the point.
  const scales = {1e6: 100, '-1e6': 10, 1e9: 10_000, '-1e9': 1000};
  return Object.entries(scales).map(([offset, scale]) =>
    listedCase(
      `clusters of scale ${scale} at ${Number(offset)}`,
      [precision, dim],
      {eps: SETTINGS[dim][0][0] * scale, minPts: 4},
      () => [...transformed(blobs('float64', dim, 300, {seed: dim, noise: 0.3}), scale, Number(offset)).coords],
    ),
  );
}

/** One axis constant, the others clustered: a bounding box without volume. */
function flatSets(precision: Precision, dim: number): DbscanCase[] {
  return listOf(dim, (flat) =>
    caseOf(`axis ${flat} is constant, ${dim}-D ${precision}`, dim, {eps: 0.04, minPts: 5}, () => {
      const points = blobs(precision, dim, 250, {seed: 31 + flat});
      for (let k = flat; k < points.coords.length; k += dim) points.coords[k] = -4.2;
      return points;
    }),
  );
}

function lines(precision: Precision): DbscanCase[] {
  const steps = (n: number): PointSet => toPoints(precision, 1, [...Array(n).keys()]);
  const random = (): number[] => Array.from({length: 500}, seededRandom(3));
  const params = {eps: 1, minPts: 3};
  const expected = {clusterCount: 1};
  return [
    {...caseOf(`1-D line of even steps, ${precision}`, 1, params, () => steps(2000)), expected},
    {...caseOf(`1-D line of even steps, shuffled, ${precision}`, 1, params, () => shuffled(steps(500), 4)), expected},
    caseOf(`1-D random line, ${precision}`, 1, {eps: 0.003, minPts: 4}, () => toPoints(precision, 1, random())),
    ...[2, 3, 4].map((dim) =>
      listedCase('points on the main diagonal', [precision, dim], {eps: 0.004, minPts: 3}, () =>
        random().flatMap((x) => repeated(x, dim)),
      ),
    ),
  ];
}

/** One place holds half of all points, the rest is spread thinly. */
function unevenDensities(precision: Precision, dim: number): DbscanCase {
  const name = `half of the points within a thousandth of eps, ${dim}-D ${precision}`;
  return caseOf(name, dim, {eps: 0.05, minPts: 6}, () => {
    const points = uniform(precision, dim, 600, 90 + dim);
    return {dim, coords: points.coords.map((x, k) => (Math.floor(k / dim) % 2 === 0 ? 0.4 + x * 5e-5 : x))};
  });
}

function largerSets(): DbscanCase[] {
  const rows = [
    [5000, 2, 'float32', {eps: 0.012, minPts: 8}],
    [5000, 2, 'float64', {eps: 0.012, minPts: 8}],
    [3000, 3, 'float32', {eps: 0.03, minPts: 8}],
    [2500, 4, 'float64', {eps: 0.05, minPts: 6}],
  ] as const;
  const percolating = {eps: 0.0185, minPts: 2};
  const whole = {eps: 2, minPts: 3000};
  return [
    ...rows.map(([n, dim, precision, params], k) =>
      caseOf(`${n} points in clusters, ${dim}-D ${precision}`, dim, params, () =>
        blobs(precision, dim, n, {seed: 1 + k, clusters: 12}),
      ),
    ),
    caseOf('4000 uniform points near the percolation threshold', 2, percolating, () => uniform('float32', 2, 4000, 5)),
    {
      ...caseOf('3000 points in one dense cluster: all pairs are neighbours', 2, whole, () =>
        uniform('float32', 2, 3000, 6),
      ),
      expected: {clusterCount: 1},
    },
  ];
}

/** Clusters that a breadth-first search crosses in as many levels as there are points. */
function spirals(): DbscanCase[] {
  const row = (name: string, points: DbscanCase['points'], minPts: number): DbscanCase => ({
    ...caseOf(name, 2, {eps: 1.5, minPts}, points),
    expected: {clusterCount: 1},
  });
  return [
    row('spiral of 12000 points', () => spiral('float32', 12_000, 1), 3),
    row('spiral of 1500 points, float64', () => spiral('float64', 1500, 1), 3),
    row('spiral of 1500 points, last first', () => reversed(spiral('float32', 1500, 1)), 2),
    row('spiral of 1500 points, shuffled', () => shuffled(spiral('float32', 1500, 1), 12), 3),
  ];
}

/**
 * A start point with hundreds of neighbours, of which one alone leads on: a frontier that loses points when
 * it is full tears the cluster. The one comes last, or first.
 */
function wideLevels(): DbscanCase[] {
  return [300, 1100, 4200].flatMap((width) =>
    ['last', 'first'].map((place) => {
      const crowd = listOf(width, (k) => 0.5 + (0.25 * k) / width);
      const level = place === 'last' ? [...crowd, 1] : [1, ...crowd];
      const points = (): PointSet => toPoints('float32', 1, [0, ...level, 2, 2.25, 3, 3.5]);
      const name = `a level of ${width} points whose ${place} one alone leads on`;
      return caseOf(name, 1, {eps: 1, minPts: 3}, points, repeated(0, width + 6));
    }),
  );
}
