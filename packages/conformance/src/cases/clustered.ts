import type {DbscanCase} from '../case.ts';
import {seededRandom} from '../random.ts';
import {
  blobs,
  PRECISIONS,
  reversed,
  shuffled,
  spiral,
  toPoints,
  transformed,
  uniform,
  type Precision,
} from '../shapes.ts';

/** eps and minPts that leave noise, borders and several clusters in the unit cube, by dimension. */
const SETTINGS: readonly (readonly (readonly [eps: number, minPts: number])[])[] = [
  [],
  [
    [0.002, 4],
    [0.01, 12],
  ],
  [
    [0.02, 4],
    [0.04, 12],
  ],
  [
    [0.03, 4],
    [0.06, 10],
  ],
  [
    [0.04, 4],
    [0.07, 8],
  ],
];

/** Data as people have it: clusters with noise between them, lines, spirals, flat sets, uneven densities. */
export const clusteredCases: readonly DbscanCase[] = [
  ...PRECISIONS.flatMap((precision) => [
    ...[1, 2, 3, 4].flatMap((dim) => randomSets(precision, dim)),
    ...[1, 2, 3, 4].flatMap((dim) => offsetSets(precision, dim)),
    ...[2, 3, 4].flatMap((dim) => flatSets(precision, dim)),
    ...lines(precision),
    ...unevenDensities(precision),
  ]),
  ...largerSets(),
  ...spirals(),
  ...wideLevels(),
];

function randomSets(precision: Precision, dim: number): DbscanCase[] {
  return SETTINGS[dim].flatMap(([eps, minPts]) =>
    [90, 250, 600].map((n) => ({
      name: `${n} points in clusters, eps ${eps}, minPts ${minPts}, ${dim}-D ${precision}`,
      dim,
      params: {eps, minPts},
      points: () => blobs(precision, dim, n, {seed: n + dim}),
    })),
  );
}

function offsetSets(precision: Precision, dim: number): DbscanCase[] {
  // At 1e9 float32 steps by 64: the clusters collapse onto few places, which is the point.
  return [
    [1e6, 100],
    [-1e6, 10],
    [1e9, 10_000],
    [-1e9, 1000],
  ].map(([offset, scale]) => ({
    name: `clusters of scale ${scale} at ${offset}, ${dim}-D ${precision}`,
    dim,
    params: {eps: SETTINGS[dim][0][0] * scale, minPts: 4},
    points: () => {
      const moved = transformed(blobs('float64', dim, 300, {seed: dim, noise: 0.3}), scale, offset);
      return toPoints(precision, dim, [...moved.coords]);
    },
  }));
}

/** One axis constant, the others clustered: a bounding box without volume. */
function flatSets(precision: Precision, dim: number): DbscanCase[] {
  return Array.from({length: dim}, (_, flat) => ({
    name: `axis ${flat} is constant, ${dim}-D ${precision}`,
    dim,
    params: {eps: 0.04, minPts: 5},
    points: () => {
      const points = blobs(precision, dim, 250, {seed: 31 + flat});
      for (let k = flat; k < points.coords.length; k += dim) points.coords[k] = -4.2;
      return points;
    },
  }));
}

function lines(precision: Precision): DbscanCase[] {
  const random = (): number[] => Array.from({length: 500}, seededRandom(3));
  return [
    {
      name: `1-D line of even steps, ${precision}`,
      dim: 1,
      params: {eps: 1, minPts: 3},
      points: () =>
        toPoints(
          precision,
          1,
          Array.from({length: 2000}, (_, i) => i),
        ),
      expected: {clusterCount: 1},
    },
    {
      name: `1-D line of even steps, shuffled, ${precision}`,
      dim: 1,
      params: {eps: 1, minPts: 3},
      points: () =>
        shuffled(
          toPoints(
            precision,
            1,
            Array.from({length: 500}, (_, i) => i),
          ),
          4,
        ),
      expected: {clusterCount: 1},
    },
    {
      name: `1-D random line, ${precision}`,
      dim: 1,
      params: {eps: 0.003, minPts: 4},
      points: () => toPoints(precision, 1, random()),
    },
    ...[2, 3, 4].map((dim) => ({
      name: `points on the main diagonal, ${dim}-D ${precision}`,
      dim,
      params: {eps: 0.004, minPts: 3},
      points: () =>
        toPoints(
          precision,
          dim,
          random().flatMap((x) => Array.from<number>({length: dim}).fill(x)),
        ),
    })),
  ];
}

/** One place holds half of all points, the rest is spread thinly. */
function unevenDensities(precision: Precision): DbscanCase[] {
  return [2, 3].map((dim) => ({
    name: `half of the points within a thousandth of eps, ${dim}-D ${precision}`,
    dim,
    params: {eps: 0.05, minPts: 6},
    points: () => {
      const points = uniform(precision, dim, 600, 90 + dim);
      return {dim, coords: points.coords.map((x, k) => (Math.floor(k / dim) % 2 === 0 ? 0.4 + x * 5e-5 : x))};
    },
  }));
}

function largerSets(): DbscanCase[] {
  return [
    {
      name: '5000 points in clusters, 2-D float32',
      dim: 2,
      params: {eps: 0.012, minPts: 8},
      points: () => blobs('float32', 2, 5000, {seed: 1, clusters: 12}),
    },
    {
      name: '5000 points in clusters, 2-D float64',
      dim: 2,
      params: {eps: 0.012, minPts: 8},
      points: () => blobs('float64', 2, 5000, {seed: 2, clusters: 12}),
    },
    {
      name: '3000 points in clusters, 3-D float32',
      dim: 3,
      params: {eps: 0.03, minPts: 8},
      points: () => blobs('float32', 3, 3000, {seed: 3, clusters: 12}),
    },
    {
      name: '2500 points in clusters, 4-D float64',
      dim: 4,
      params: {eps: 0.05, minPts: 6},
      points: () => blobs('float64', 4, 2500, {seed: 4, clusters: 12}),
    },
    {
      name: '4000 uniform points near the percolation threshold',
      dim: 2,
      params: {eps: 0.0185, minPts: 2},
      points: () => uniform('float32', 2, 4000, 5),
    },
    {
      name: '3000 points in one dense cluster: all pairs are neighbours',
      dim: 2,
      params: {eps: 2, minPts: 3000},
      points: () => uniform('float32', 2, 3000, 6),
      expected: {clusterCount: 1},
    },
  ];
}

/** Clusters that a breadth-first search crosses in as many levels as there are points. */
function spirals(): DbscanCase[] {
  const row = (name: string, points: DbscanCase['points'], minPts: number): DbscanCase => ({
    name,
    dim: 2,
    params: {eps: 1.5, minPts},
    points,
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
      const crowd = Array.from({length: width}, (_, k) => 0.5 + (0.25 * k) / width);
      const level = place === 'last' ? [...crowd, 1] : [1, ...crowd];
      return {
        name: `a level of ${width} points whose ${place} one alone leads on`,
        dim: 1,
        params: {eps: 1, minPts: 3},
        points: () => toPoints('float32', 1, [0, ...level, 2, 2.25, 3, 3.5]),
        expected: {labels: Array.from<number>({length: width + 6}).fill(0)},
      };
    }),
  );
}
