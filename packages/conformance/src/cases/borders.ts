import type {PointSet} from '@epsball/clustering';
import type {DbscanCase} from '../case.ts';
import {PRECISIONS, reversed, shuffled, toPoints, type Precision} from '../shapes.ts';

// Clumps of four, 1/8 apart: with eps 1 and minPts 4 all four are core. A point one eps away from the nearest
// member of two clumps has three neighbours and is border.
const LEFT = [-0.375, -0.25, -0.125, 0];
const RIGHT = [2, 2.125, 2.25, 2.375];
const BETWEEN = 1;

/** Border points that several clusters could claim, in every order that has misled somebody. */
export const borderCases: readonly DbscanCase[] = PRECISIONS.flatMap((precision) => [
  ...(precision === 'float32' ? [1, 2, 3, 4] : [2]).flatMap((dim) => sharedBorders(precision, dim)),
  ...stars(precision),
  ...chains(precision),
  ...duplicates(precision),
]);

/** The axis values, on each axis in turn and with the others constant. */
function onAxis(precision: Precision, dim: number, axis: number, xs: readonly number[]): PointSet {
  return toPoints(
    precision,
    dim,
    xs.flatMap((x) => Array.from({length: dim}, (_, d) => (d === axis ? x : 0.5))),
  );
}

function sharedBorders(precision: Precision, dim: number): DbscanCase[] {
  const axis = dim - 1;
  const row = (name: string, xs: readonly number[], labels: number[]): DbscanCase => ({
    name: `${name}, ${dim}-D ${precision}`,
    dim,
    params: {eps: 1, minPts: 4},
    points: () => onAxis(precision, dim, axis, xs),
    expected: {labels},
  });
  return [
    row('one border point between two clusters', [...LEFT, BETWEEN, ...RIGHT], [0, 0, 0, 0, 0, 1, 1, 1, 1]),
    row('shared border point first', [BETWEEN, ...RIGHT, ...LEFT], [0, 0, 0, 0, 0, 1, 1, 1, 1]),
    row('shared border point last', [...RIGHT, ...LEFT, BETWEEN], [0, 0, 0, 0, 1, 1, 1, 1, 0]),
    row(
      'shared border point nearer to the later cluster',
      [...LEFT, 1.75, 2.125, 2.25, 2.375, BETWEEN],
      [0, 0, 0, 0, 1, 1, 1, 1, 0],
    ),
    row(
      'a border point before all core points does not number its cluster',
      [3.25, ...LEFT, ...RIGHT],
      [1, 0, 0, 0, 0, 1, 1, 1, 1],
    ),
    row(
      'two border points in touch do not bridge',
      [...LEFT, 1, 1.875, ...RIGHT.map((x) => x + 0.875)],
      [0, 0, 0, 0, 0, 1, 1, 1, 1, 1],
    ),
    row('a point in touch with a border point only is noise', [...LEFT, 1, 2], [0, 0, 0, 0, 0, -1]),
  ];
}

/** A border point in the middle of four clusters, from four sides. */
function stars(precision: Precision): DbscanCase[] {
  const arms = [
    [1, 0],
    [0, 1],
    [-1, 0],
    [0, -1],
  ];
  const star = (): PointSet =>
    toPoints(precision, 2, [
      ...arms.flatMap(([x, y]) => Array.from({length: 6}, (_, k) => [x * (1 + k / 8), y * (1 + k / 8)]).flat()),
      0,
      0,
    ]);
  const params = {eps: 1, minPts: 6};
  return [
    {name: `border point of four clusters, ${precision}`, dim: 2, params, points: star},
    {name: `border point of four clusters, last first, ${precision}`, dim: 2, params, points: () => reversed(star())},
    ...[1, 2, 3, 4, 5, 6].map((seed) => ({
      name: `border point of four clusters, shuffled with seed ${seed}, ${precision}`,
      dim: 2,
      params,
      points: () => shuffled(star(), seed),
    })),
  ];
}

/** Forty clusters in a row, each sharing a border point with the next. */
function chains(precision: Precision): DbscanCase[] {
  const xs = Array.from({length: 40}, (_, c) => [
    ...[0, 0.125, 0.25, 0.375].map((x) => c * 2.375 + x),
    c * 2.375 + 1.375,
  ]);
  const chain = (): PointSet => toPoints(precision, 1, xs.flat());
  const params = {eps: 1, minPts: 4};
  return [
    {
      name: `forty clusters and their shared border points, ${precision}`,
      dim: 1,
      params,
      points: chain,
      expected: {labels: Array.from({length: 200}, (_, i) => Math.floor(i / 5))},
    },
    {
      name: `forty clusters and their shared border points, last first, ${precision}`,
      dim: 1,
      params,
      points: () => reversed(chain()),
    },
    ...[7, 8, 9].map((seed) => ({
      name: `forty clusters and their shared border points, shuffled with seed ${seed}, ${precision}`,
      dim: 1,
      params,
      points: () => shuffled(chain(), seed),
    })),
  ];
}

/** Places with many equal points: full places are core by themselves, thin ones are not. */
function duplicates(precision: Precision): DbscanCase[] {
  return [1, 2, 3, 4].flatMap((dim) =>
    [3, 6, 12].map((minPts) => ({
      name: `places held by 1 to 9 equal points, minPts ${minPts}, ${dim}-D ${precision}`,
      dim,
      params: {eps: 1, minPts},
      points: () => {
        const places = Array.from({length: 60}, (_, p) =>
          Array.from({length: dim}, (__, d) => ((p * (7 + d)) % 61) * 0.6),
        );
        return shuffled(
          toPoints(
            precision,
            dim,
            places.flatMap((place, p) => Array.from({length: 1 + (p % 9)}, () => place).flat()),
          ),
          minPts,
        );
      },
    })),
  );
}
