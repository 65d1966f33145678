import {pointCount, type PointSet} from '@epsball/clustering';
import {readPermuted, seededRandom, type Random} from '@epsball/conformance';
import type {ValidityResult} from '@epsball/hdbscan';
import {randomHdbscanCase} from './cases.ts';

/** A labelled set. */
export interface ValidityCase {
  readonly name: string;
  readonly points: PointSet;
  readonly labels: Int32Array;
}

const LABELS: Readonly<Record<string, (random: Random) => (points: PointSet, i: number) => number>> = {
  'at random': (random) => () => Math.floor(random() * 4),
  'by place':
    () =>
    ({coords, dim}, i) =>
      Math.abs(Math.floor(coords[i * dim] / 4)) % 5,
  'by place, noise':
    (random) =>
    ({coords, dim}, i) =>
      random() < 0.3 ? -1 : Math.abs(Math.floor(coords[i * dim] / 5)),
  'one cluster': (random) => () => (random() < 0.1 ? -1 : 3),
  'many small': (random) => () => Math.floor(random() * 20) - 1,
  gaps: (random) => () => [0, 7, 2 ** 31 - 1, -1][Math.floor(random() * 4)],
  'two clusters': (random) => () => (random() < 0.5 ? 4 : 2),
};

/** Random sets, from seeds: lattices, copies, places and far offsets, with every kind of labels. */
export function randomValidityCase(seed: number, pointsMax = 160): ValidityCase {
  const {name, points: made} = randomHdbscanCase(seed, pointsMax, seed % 10 === 0 ? 16 : 5);
  const points = made();
  const random = seededRandom(seed + 2 ** 21);
  const kinds = Object.entries(LABELS);
  const [kind, labelsOf] = kinds[Math.floor(random() * kinds.length)];
  const labelOf = labelsOf(random);
  const labels = Int32Array.from({length: pointCount(points)}, (_, i) => labelOf(points, i));
  return {name: `${name}, labels ${kind}`, points, labels};
}

/** The same set with its rows in another order. */
export function permuted({name, points, labels}: ValidityCase, seed: number): ValidityCase {
  const {order, moved} = readPermuted(points, seed);
  return {name: `${name}, permuted`, points: moved, labels: labels.map((_, to) => labels[order[to]])};
}

/** The first field in which two results differ, or null. */
export function findDifference(actual: ValidityResult, expected: ValidityResult): string | null {
  if (!Object.is(actual.score, expected.score)) return `score = ${actual.score}; expected ${expected.score}`;
  for (const name of ['label', 'size', 'sparseness', 'separation', 'validity'] as const) {
    const [mine, other] = [actual.clusters[name], expected.clusters[name]];
    if (mine.length !== other.length) return `${mine.length} values in ${name}; expected ${other.length}`;
    const at = mine.findIndex((value, c) => !Object.is(value, other[c]));
    if (at >= 0) return `${name}[${at}] = ${mine[at]}; expected ${other[at]}`;
  }
  return null;
}
