import type {PointSet} from '@epsball/clustering';

/** A point set and a radius that are hard in some respect. */
export interface GridCase {
  readonly name: string;
  readonly points: PointSet;
  readonly eps: number;
}

type CoordsType = 'float32' | 'float64';

/** Reproducible random numbers in [0, 1). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
}

/** A point set with k-th coordinate `coordinate(k)`. */
function pointSet(type: CoordsType, dim: number, n: number, coordinate: (k: number) => number): PointSet {
  const coords = type === 'float32' ? new Float32Array(n * dim) : new Float64Array(n * dim);
  for (let k = 0; k < coords.length; k++) coords[k] = coordinate(k);
  return {coords, dim};
}

/** By dimension: a radius with about ten neighbours among `n` random points of the unit box. */
const RADIUS = [0, 0.01, 0.08, 0.18, 0.3];
const LATTICE_SIDE = [0, 500, 22, 8, 5];

function lattice(type: CoordsType, dim: number, spacing: number, corner: number): PointSet {
  const side = LATTICE_SIDE[dim];
  return pointSet(type, dim, side ** dim, (k) => {
    const i = Math.floor(k / dim);
    return corner + spacing * (Math.floor(i / side ** (k % dim)) % side);
  });
}

/** Cases for one type and dimension. */
export function gridCases(type: CoordsType, dim: number): GridCase[] {
  const random = randomNumbers(17 * dim + (type === 'float32' ? 1 : 2));
  const cloud = (scale: number, corner: number, n = 500): PointSet =>
    pointSet(type, dim, n, () => corner + scale * random());
  const eps = RADIUS[dim];
  const isWide = type === 'float64';
  const tiny = isWide ? 5e-324 : 2 ** -149;
  const huge = isWide ? 1e308 : 3e38;
  return [
    {name: 'random points', points: cloud(1, 0), eps},
    {name: 'one point', points: cloud(1, 0, 1), eps},
    {name: '257 identical points', points: pointSet(type, dim, 257, () => 0.1), eps},
    {name: 'a lattice with eps equal to the spacing', points: lattice(type, dim, 1, 0), eps: 1},
    {name: 'a lattice of tenths, eps 0.1', points: lattice(type, dim, 0.1, -0.7), eps: 0.1},
    {
      name: 'a lattice of tenths, eps the float32 next to 0.1',
      points: lattice(type, dim, 0.1, 0),
      eps: Math.fround(0.1),
    },
    {name: 'an offset of a million', points: cloud(1, 1e6), eps},
    {name: 'an offset of a billion', points: cloud(isWide ? 1 : 1000, 1e9), eps: isWide ? eps : 1000 * eps},
    {name: 'a lattice a billion away', points: lattice(type, dim, isWide ? 0.1 : 64, 1e9), eps: isWide ? 0.1 : 64},
    {name: 'a box of a billion eps', points: farClouds(type, dim, eps, random), eps},
    {
      name: 'subnormal coordinates',
      points: pointSet(type, dim, 400, () => tiny * Math.floor(40 * random())),
      eps: 3 * tiny,
    },
    {name: 'subnormal coordinates under a normal eps', points: cloud(1e-310, 0, 50), eps: 1e-3},
    {name: 'signed zeros', points: pointSet(type, dim, 99, (k) => (k % 3 === 0 ? -0 : k % 3 === 1 ? 0 : eps)), eps},
    {name: 'huge coordinates', points: cloud(huge / 2, -huge / 4, 300), eps: isWide ? 1e154 : eps * (huge / 2)},
    {
      name: 'the whole range of the type',
      points: pointSet(type, dim, 200, () => huge * (2 * random() - 1)),
      eps: huge / 8,
    },
    {name: 'an eps far below the coordinates', points: cloud(1, 0, 300), eps: 1e-30},
    {name: 'an eps far above the box', points: cloud(1, 0, 200), eps: 1e30},
    {
      name: 'a line along the last axis',
      points: pointSet(type, dim, 400, (k) => (k % dim === dim - 1 ? random() : 3)),
      eps: 0.01,
    },
  ];
}

/** Small clouds at random places of a box of a billion eps. */
function farClouds(type: CoordsType, dim: number, eps: number, random: () => number): PointSet {
  const centers = Array.from({length: 20 * dim}, () => 1e9 * eps * Math.round(4 * random()));
  return pointSet(type, dim, 400, (k) => centers[(Math.floor(k / dim) % 20) * dim + (k % dim)] + 2 * eps * random());
}

/** Neighbours of every point by definition: number, and sum of indices modulo 2^32. */
export function bruteForce({coords, dim}: PointSet, eps: number): {counts: Uint32Array; sums: Uint32Array} {
  const n = coords.length / dim;
  const counts = new Uint32Array(n);
  const sums = new Uint32Array(n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      let d2 = 0;
      for (let d = 0; d < dim; d++) d2 += (coords[i * dim + d] - coords[j * dim + d]) ** 2;
      if (d2 <= eps * eps) {
        counts[i]++;
        sums[i] += j;
      }
    }
  }
  return {counts, sums};
}
