import {pointCount, type PointSet} from '@epsball/clustering';
import {gaussian, seededRandom, toPoints, type Random} from '@epsball/conformance';
import type {HdbscanCase, HdbscanCaseParams} from './definition.ts';
import {toldCases} from './told.ts';

type Draw = (random: Random, dim: number) => number[];

const SHAPES: Readonly<Record<string, (random: Random) => Draw>> = {
  uniform: () => (random, dim) => Array.from({length: dim}, () => random() * 10),
  blobs: () => (random, dim) => {
    const blob = Math.floor(random() * 3);
    return Array.from({length: dim}, (_, d) => gaussian(random) * (1 + blob) + 9 * ((blob >> (d % 2)) & 1));
  },
  lattice: () => (random, dim) => Array.from({length: dim}, () => Math.floor(random() * 7)),
  'half lattice': () => (random, dim) => Array.from({length: dim}, () => Math.floor(gaussian(random) * 4) / 2),
  duplicates: (random) => {
    const places = Array.from({length: 8}, () => Array.from({length: 16}, () => Math.floor(random() * 30)));
    return (_, dim) => places[Math.floor(random() * places.length)].slice(0, dim);
  },
  'far from the origin': () => (random, dim) =>
    Array.from({length: dim}, () => 1e8 + Math.round(random() * 64) / 4 + (random() < 0.5 ? 40 : 0)),
};

/** Random sets, from seeds: every shape, precision and option. */
export function randomHdbscanCase(seed: number, pointsMax = 160, dimMax = 3): HdbscanCase {
  const random = seededRandom(seed);
  const shapes = Object.entries(SHAPES);
  const [shape, drawOf] = shapes[seed % shapes.length];
  const n = Math.floor(random() * random() * pointsMax);
  const dim = 1 + Math.floor(random() * dimMax);
  const precision = random() < 0.5 ? 'float32' : 'float64';
  const minClusterSize = 2 + Math.floor(random() * 6);
  const params: HdbscanCaseParams = {
    minClusterSize,
    ...(random() < 0.2 ? {} : {minSamples: 1 + Math.floor(random() * 6)}),
    ...(random() < 0.2 ? {countSelf: false} : {}),
    ...(random() < 0.3 ? {selection: 'leaf'} : {}),
    ...(random() < 0.3 ? {clusterSelectionEpsilon: random() < 0.5 ? 2 : random() * 4} : {}),
    ...(random() < 0.3 ? {maxClusterSize: 3 + Math.floor(random() * 20)} : {}),
    ...(random() < 0.3 ? {allowSingleCluster: true} : {}),
    // Each shape in its turn.
    ...(Math.floor(seed / shapes.length) % 3 === 1 ? {duplicates: 'once'} : {}),
  };
  const cuts = [0.5, 1, Math.SQRT2, 2, 0.01 + random() * 4];
  const points = (): PointSet => {
    const own = seededRandom(seed + 2 ** 20);
    const draw = drawOf(own);
    return toPoints(precision, dim, Array.from({length: n}, () => draw(own, dim)).flat());
  };
  return {name: `seed ${seed}: ${n} points, ${shape}, ${dim}-D ${precision}`, params, cuts, points};
}

const WEIGHTS: Readonly<Record<string, (random: Random) => number>> = {
  'weights of 1': () => 1,
  'integers and zeros': (random) => Math.floor(random() * 4),
  quarters: (random) => Math.floor(random() * 9) / 4,
  tenths: (random) => Math.floor(random() * 30) / 10,
  'any weights': (random) => 2 * random(),
  'weights far apart': (random) => (random() < 0.2 ? 0 : 10 ** Math.round(gaussian(random) * 12)),
};

/** Random sets as `randomHdbscanCase`, with weights. */
export function weightedHdbscanCase(seed: number, pointsMax?: number, dimMax?: number): HdbscanCase {
  const one = randomHdbscanCase(seed, pointsMax, dimMax);
  const random = seededRandom(seed + 2 ** 21);
  const kinds = Object.entries(WEIGHTS);
  const [kind, weightOf] = kinds[Math.floor(random() * kinds.length)];
  const sampleWeight = Array.from({length: pointCount(one.points())}, () => weightOf(random));
  return {...one, name: `${one.name}, ${kind}`, params: {...one.params, sampleWeight}};
}

/** Larger sets: several levels of a tree of boxes. */
const large: readonly HdbscanCase[] = [
  {shape: 1, n: 3000, dim: 2},
  {shape: 3, n: 2500, dim: 2},
  {shape: 0, n: 1500, dim: 5},
  {shape: 1, n: 1200, dim: 16},
  {shape: 4, n: 2500, dim: 2, duplicates: 'once'} as const,
  {shape: 3, n: 3000, dim: 2, duplicates: 'once'} as const,
].map(({shape, n, dim, ...more}, k) => {
  const [name, drawOf] = Object.entries(SHAPES)[shape];
  return {
    name: `${n} points, ${name}, ${dim}-D${'duplicates' in more ? ', once' : ''}`,
    params: {minClusterSize: 8, minSamples: 5, ...more},
    cuts: [0.5, 1, 2],
    points: () => {
      const random = seededRandom(77 + k);
      const draw = drawOf(random);
      return toPoints('float32', dim, Array.from({length: n}, () => draw(random, dim)).flat());
    },
  };
});

/** All cases with a story, 200 random ones and 200 with weights; names are unique. */
export const hdbscanCases: readonly HdbscanCase[] = [
  ...toldCases,
  ...Array.from({length: 200}, (_, k) => randomHdbscanCase(k)),
  ...Array.from({length: 200}, (_, k) => weightedHdbscanCase(200 + k)),
  ...large,
];
