import type {PointSet} from '@epsball/clustering';
import {caseOf, listedCase, type DbscanCase} from '../case.ts';
import {inAnyOrder, listOf, PRECISIONS, shuffled, toPoints, type Precision} from '../shapes.ts';

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

function sharedBorders(precision: Precision, dim: number): DbscanCase[] {
  // On the last axis, with the others constant.
  const row = (name: string, xs: readonly number[], labels: number[]): DbscanCase =>
    listedCase(
      name,
      [precision, dim],
      {eps: 1, minPts: 4},
      () => xs.flatMap((x) => [...listOf(dim - 1, () => 0.5), x]),
      labels,
    );
  const nearRight = [1.75, 2.125, 2.25, 2.375];
  return [
    row('one border point between two clusters', [...LEFT, BETWEEN, ...RIGHT], [0, 0, 0, 0, 0, 1, 1, 1, 1]),
    row('shared border point first', [BETWEEN, ...RIGHT, ...LEFT], [0, 0, 0, 0, 0, 1, 1, 1, 1]),
    row('shared border point last', [...RIGHT, ...LEFT, BETWEEN], [0, 0, 0, 0, 1, 1, 1, 1, 0]),
    row(
      'shared border point nearer to the later cluster',
      [...LEFT, ...nearRight, BETWEEN],
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
  const arms = [1, 0, 0, 1, -1, 0, 0, -1];
  const values = listOf(4, (arm) => listOf(6, (k) => [arms[2 * arm], arms[2 * arm + 1]].map((x) => x * (1 + k / 8))));
  const star = (): PointSet => toPoints(precision, 2, [...values.flat(2), 0, 0]);
  return inAnyOrder(star, [1, 2, 3, 4, 5, 6]).map(([order, points]) =>
    caseOf(`border point of four clusters${order}, ${precision}`, 2, {eps: 1, minPts: 6}, points),
  );
}

/** Forty clusters in a row, each sharing a border point with the next. */
function chains(precision: Precision): DbscanCase[] {
  const xs = listOf(40, (c) => [0, 0.125, 0.25, 0.375, 1.375].map((x) => c * 2.375 + x));
  const chain = (): PointSet => toPoints(precision, 1, xs.flat());
  const labels = listOf(200, (i) => Math.floor(i / 5));
  return inAnyOrder(chain, [7, 8, 9]).map(([order, points]) => {
    const name = `forty clusters and their shared border points${order}, ${precision}`;
    return caseOf(name, 1, {eps: 1, minPts: 4}, points, order === '' ? labels : undefined);
  });
}

/** Places with many equal points: full places are core by themselves, thin ones are not. */
function duplicates(precision: Precision): DbscanCase[] {
  return [1, 2, 3, 4].flatMap((dim) =>
    [3, 6, 12].map((minPts) => {
      const name = `places held by 1 to 9 equal points, minPts ${minPts}, ${dim}-D ${precision}`;
      return caseOf(name, dim, {eps: 1, minPts}, () => {
        const places = listOf(60, (p) => listOf(dim, (d) => ((p * (7 + d)) % 61) * 0.6));
        const values = places.flatMap((place, p) => listOf(1 + (p % 9), () => place).flat());
        return shuffled(toPoints(precision, dim, values), minPts);
      });
    }),
  );
}
