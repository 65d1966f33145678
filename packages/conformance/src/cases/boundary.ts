import {caseOf, listedCase, type DbscanCase} from '../case.ts';
import {contractDecider, wrongDeciders, type Decider, type WrongDecider} from '../deciders.ts';
import {nextAfter} from '../nextAfter.ts';
import {seededRandom} from '../random.ts';
import {listOf, PRECISIONS, repeated, shuffled, toPoints, type Precision} from '../shapes.ts';

/** Which verdicts a wrong decider can turn around, and where it is wrong at all. */
const TARGETS: readonly (readonly [
  WrongDecider,
  verdicts: readonly boolean[],
  precision?: Precision | undefined,
  minDim?: number,
])[] = [
  ['exclusive', [true]],
  ['root', [false], undefined, 2],
  ['reciprocal', [false]],
  ['float32', [false]],
  ['float32', [true], undefined, 2],
  ['float32Difference', [true, false], undefined, 2],
  ['float32Eps', [true, false]],
  ['float32Coordinates', [true, false], 'float64'],
  ['splitCoordinates', [true, false], 'float64'],
  ['fused', [true, false], undefined, 2],
  ['backwards', [true, false], undefined, 3],
  ['expanded', [true, false]],
  ['exact', [true, false], undefined, 2],
];

/** What scikit-learn does differently with a tree node whose points are all within the rounded root distance. */
const BY_ROOT = {outcome: 'differs', reason: 'accepts a whole tree node by its rounded root distance'} as const;

/** Pairs at a distance of eps, or one rounding away from it. */
export const boundaryCases: readonly DbscanCase[] = [
  ...PRECISIONS.flatMap((precision) => [
    ...[1, 2, 3, 4].flatMap((dim) => [...hardPairs(precision, dim), ...cellFaces(precision, dim)]),
    ...[2, 3, 4].flatMap((dim) => pairsInBulk(precision, dim)),
    ...pythagoreanPaths(precision),
    ...integerSpheres(precision),
  ]),
  ...shortcutPairs(),
  ...PRECISIONS.flatMap(cubeCorners),
];

/** One pair a set, found by seeded search, that a wrong decider gets wrong; and far points around it. */
function hardPairs(precision: Precision, dim: number): DbscanCase[] {
  // Twenty points on both sides, more than eps from everything; they keep scikit-learn off its shortcut (below).
  const far = listOf(20, (k) => (k % 2 === 0 ? 1 : -1) * (50 + 10 * k)).flatMap((x) => repeated(x, dim));
  return TARGETS.flatMap(([name, verdicts, only, minDim = 1]) => {
    if ((only !== undefined && only !== precision) || dim < minDim) return [];
    return verdicts.map((verdict) => {
      const {values, eps} = findPair(precision, dim, wrongDeciders[name], verdict);
      return listedCase(
        `a pair ${verdict ? 'within' : 'beyond'} eps that a distance test of kind ${name} gets wrong`,
        [precision, dim],
        {eps, minPts: 2},
        () => [...values, ...far],
        [...repeated(verdict ? 0 : -1, 2), ...repeated(-1, 20)],
      );
    });
  });
}

function findPair(
  precision: Precision,
  dim: number,
  wrong: Decider,
  verdict: boolean,
): {values: number[]; eps: number} {
  const random = seededRandom(dim * 1000 + (verdict ? 1 : 0));
  for (let attempt = 0; attempt < 20_000; attempt++) {
    // Uneven magnitudes, so that differences of float32 values do not fit into float64 exactly either.
    const reach = attempt % 2 === 0 ? 1 : 2 ** -40;
    const drawn = listOf(2 * dim, (k) => (random() + 0.01) * (k >= dim ? reach : 1));
    const {coords} = toPoints(precision, dim, drawn);
    let squared = 0;
    for (let d = 0; d < dim; d++) squared += (coords[d] - coords[dim + d]) ** 2;
    const distance = Math.sqrt(squared);
    for (const eps of [distance, nextAfter(distance, 1), nextAfter(distance, -1), Math.fround(distance)]) {
      if (contractDecider(coords, dim, 0, 1, eps) === verdict && wrong(coords, dim, 0, 1, eps) !== verdict) {
        return {values: [...coords], eps};
      }
    }
  }
  throw new Error(`no pair found: ${precision}, ${dim}-D, verdict ${verdict}`);
}

/** Forty pairs a set whose float32 verdict is wrong, at one eps. */
function pairsInBulk(precision: Precision, dim: number): DbscanCase[] {
  return [0.03, 1 / 3, 100.1].map((eps) => {
    const name = `forty pairs that float32 gets wrong, eps ${eps.toPrecision(4)}, ${dim}-D ${precision}`;
    return caseOf(name, dim, {eps, minPts: 2}, () => {
      const random = seededRandom(dim + 17);
      const values: number[] = [];
      for (let pair = 0, attempt = 0; pair < 40; attempt++) {
        if (attempt > 400_000) throw new Error(`${pair} pairs found; expected 40`);
        // A row of places 5·eps apart along the first axis, so that only partners can be neighbours.
        const from = listOf(dim, (d) => eps * (random() + (d === 0 ? 5 * pair : 0)));
        const direction = listOf(dim, () => random() - 0.5);
        const norm = Math.hypot(...direction);
        const to = from.map((x, d) => x + (eps * direction[d]) / norm);
        const {coords} = toPoints(precision, dim, [...from, ...to]);
        if (contractDecider(coords, dim, 0, 1, eps) === wrongDeciders.float32(coords, dim, 0, 1, eps)) continue;
        values.push(...coords);
        pair++;
      }
      return shuffled(toPoints(precision, dim, values), dim);
    });
  });
}

/** Points on, just below and just above the faces of cells of side eps, eps/2 and eps/√dim. */
function cellFaces(precision: Precision, dim: number): DbscanCase[] {
  return [...new Set([1, 2, Math.sqrt(dim)])].flatMap((cells) =>
    [0.1, 0.75].map((eps) => {
      const name = `points around the faces of cells of side eps/${cells.toPrecision(3)}, eps ${eps}`;
      return listedCase(name, [precision, dim], {eps, minPts: dim + 1}, () => {
        const random = seededRandom(dim);
        const side = Math.round(200 ** (1 / dim)) + 1;
        const relative = precision === 'float32' ? 2 ** -23 : 2 ** -52;
        return listOf(200 * dim, () => {
          const face = (Math.floor(random() * side) - Math.floor(side / 3)) * (eps / cells);
          return face * (1 + relative * (Math.floor(random() * 3) - 1));
        });
      });
    }),
  );
}

/** Steps of (3, ±4)·s with eps 5·s: a path of borderline pairs, whole or torn by rounding. */
function pythagoreanPaths(precision: Precision): DbscanCase[] {
  return [1, 7, 0.1, 1 / 3, 1e-3, 1e5 / 3].flatMap((scale) =>
    [2, Infinity].map((turn) => {
      const values = listOf(150, (k) => [3 * k * scale, 4 * (k % turn) * scale]).flat();
      const name = `${turn === 2 ? 'zigzag' : 'straight'} path of 3-4-5 steps, scale ${scale.toPrecision(4)}, ${precision}`;
      return caseOf(name, 2, {eps: 5 * scale, minPts: 3}, () => toPoints(precision, 2, values));
    }),
  );
}

/** A point and all integer points at the same distance from it, scaled: it is core iff every one counts. */
function integerSpheres(precision: Precision): DbscanCase[] {
  const radii = [
    [2, 65],
    [2, 1105],
    [3, 15],
    [4, 6],
  ] as const;
  return radii.flatMap(([dim, radius]) => {
    const sphere = integerSphere(dim, radius);
    const count = sphere.length / dim;
    return [1, 0.1, 1 / 3].map((scale) =>
      listedCase(
        `centre of ${count} integer points at ${radius}, scale ${scale.toPrecision(3)}`,
        [precision, dim],
        {eps: radius * scale, minPts: count + 1},
        () => [...repeated(0, dim), ...sphere].map((x) => x * scale),
      ),
    );
  });
}

/** All integer vectors of the given length, by recursion over the axes. */
function integerSphere(dim: number, radius: number): number[] {
  const extend = (left: number, axes: number): number[][] => {
    const limit = Math.floor(Math.sqrt(left));
    if (axes === 1) return limit * limit !== left ? [] : limit === 0 ? [[0]] : [[-limit], [limit]];
    return listOf(2 * limit + 1, (k) => k - limit).flatMap((x) =>
      extend(left - x * x, axes - 1).map((rest) => [x, ...rest]),
    );
  };
  return extend(radius * radius, dim).flat();
}

/**
 * A pair alone, with d² one rounding above eps². scikit-learn takes a whole tree node as neighbours when
 * the *root* of the largest d² of its box is ≤ eps, and here the root rounds down to eps. With points farther away in
 * the node it compares d² with eps², as the contract does (the hard pairs above).
 */
function shortcutPairs(): DbscanCase[] {
  return [2, 3, 4].map((dim) => {
    const {values, eps} = findPair('float64', dim, wrongDeciders.root, false);
    const name = 'two points alone whose d² is one step above eps²';
    return {...listedCase(name, ['float64', dim], {eps, minPts: 2}, () => values, [-1, -1]), sklearn: BY_ROOT};
  });
}

/**
 * Opposite corners of a unit cube: d² = 3, and eps² = 3 − 2⁻⁵¹ for eps = √3. The eight corners alone fill the box of
 * their node, so scikit-learn takes all eight as neighbours of each. A point at 3 makes the box larger, and the corners
 * are compared one by one.
 */
function cubeCorners(precision: Precision): DbscanCase[] {
  const corners = listOf(8, (k) => [k & 1, (k >> 1) & 1, k >> 2]).flat();
  const row = (name: string, values: number[]): DbscanCase =>
    listedCase(
      `${name}, eps √3, minPts 8`,
      [precision, 3],
      {eps: Math.sqrt(3), minPts: 8},
      () => values,
      repeated(-1, values.length / 3),
    );
  return [
    {...row('the corners of a cube', corners), sklearn: BY_ROOT},
    row('the corners of a cube and a point beyond', [...corners, 3, 3, 3]),
  ];
}
