import type {PointSet} from '@epsball/clustering';

interface NamedSet {
  readonly name: string;
  readonly points: PointSet;
  readonly leafPoints: number;
}

/** Point sets of all dimensions and shapes that a tree must take. */
export function pointSets(): NamedSet[] {
  const random = generator(42);
  const set = (n: number, dim: number, draw: (i: number) => number, isSingle = false): PointSet => {
    const values = Array.from({length: n * dim}, (_, i) => draw(i));
    return {coords: isSingle ? Float32Array.from(values) : Float64Array.from(values), dim};
  };
  const uniform = (): number => random();
  return [
    {name: 'no points', points: set(0, 2, uniform), leafPoints: 4},
    {name: 'one point', points: set(1, 3, uniform), leafPoints: 4},
    ...[1, 2, 3, 8, 64].flatMap((dim) =>
      [5, 97, 1500].map((n) => ({name: `${n} in ${dim}-D`, points: set(n, dim, uniform, n === 97), leafPoints: 6})),
    ),
    {name: 'a point a leaf', points: set(230, 2, uniform), leafPoints: 1},
    {name: 'equal points', points: set(1300, 2, () => 3), leafPoints: 8},
    {name: 'a lattice', points: set(900, 2, (i) => (i % 2 === 0 ? (i >> 1) % 30 : Math.floor(i / 60))), leafPoints: 8},
    {name: 'points far from the origin', points: set(700, 3, () => 1e9 + random()), leafPoints: 8},
    {name: 'tiny coordinates', points: set(300, 2, () => random() * 1e-310), leafPoints: 8},
    {name: 'huge coordinates', points: set(300, 2, () => (random() - 0.5) * 1e150), leafPoints: 8},
  ];
}

/** A linear congruential generator, in [0, 1). */
function generator(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
}
