import {squaredDistance, squaredEps} from '@epsball/clustering';
import {seededRandom} from '@epsball/conformance';
import {expect, it} from 'vitest';
import {SlabSearch} from '../src/apart.ts';

/** Two short lists of points in boxes of `width` · eps, with one pair of points `share` · eps apart. */
function twoLists(seed: number, eps: number, width: number, share: number): {coords: Float64Array; dim: number} {
  const random = seededRandom(seed);
  const dim = 1 + Math.floor(random() * 4);
  const unit = Math.max(eps, 2 ** -538);
  const direction = Array.from({length: dim}, () => random() - 0.5);
  const length = Math.hypot(...direction);
  const base = direction.map(() => (random() - 0.5) * width * unit);
  const coords = new Float64Array(8 * dim);
  for (let k = 0; k < coords.length; k++) {
    const d = k % dim;
    const i = Math.floor(k / dim);
    const side = i < 4 ? 0 : 1;
    const towards = (direction[d] / length) * unit;
    coords[k] =
      i % 4 === 3
        ? base[d] + side * towards * share
        : base[d] + (random() - 0.5) * width * unit + (side - 0.5) * towards * 2 * width;
  }
  return {coords, dim};
}

it.for([
  ['squares vanish', [2 ** -545, 2 ** -540, 2 ** -538, 2 ** -537], 1],
  ['squares are subnormal', [2 ** -536, 2 ** -530, 2 ** -520, 2 ** -501], 1],
  ['squares nearly overflow', [2 ** 505, 2 ** 510, 1.3e154], 1],
  ['cells are far wider than eps', [1], 2 ** 20],
  ['cells are wider than float64 is fine', [1, 2 ** 500], 2 ** 44],
] as const)('finds no slab between neighbours where %s', ([, radii, width]) => {
  const wrong: string[] = [];
  let tried = 0;
  for (const eps of radii) {
    for (let seed = 1; seed <= 3000; seed++) {
      const {coords, dim} = twoLists(seed, eps, width, [0.6, 0.999, 1, 1.2, 1.4][seed % 5]);
      const [one, other] = [Int32Array.of(0, 1, 2, 3), Int32Array.of(4, 5, 6, 7)];
      const isNear = one.some((a) => other.some((b) => squaredDistance(coords, dim, a, b) <= squaredEps(eps)));
      if (!isNear) continue;
      tried++;
      if (new SlabSearch(coords, dim, eps).areApart(one, 0, 4, other, 0, 4)) wrong.push(`eps ${eps}, seed ${seed}`);
    }
  }
  expect(tried).toBeGreaterThan(300);
  expect(wrong).toEqual([]);
});
