import type {PointSet} from '@epsball/clustering';
import {gaussian, seededRandom, type Random} from '../random.ts';
import {toPoints} from '../shapes.ts';
import type {HdbscanCase, HdbscanCaseParams} from './definition.ts';
import {line} from './lines.ts';
import {toldPlaces} from './toldPlaces.ts';

/** Cases with a story. */
const told: readonly HdbscanCase[] = [
  {name: 'no points', params: {minClusterSize: 2}, cuts: [1], points: line(), labels: []},
  {name: 'one point', params: {minClusterSize: 2, minSamples: 1}, cuts: [1], points: line(7), labels: [-1]},
  {
    name: 'one point, a single cluster allowed',
    params: {minClusterSize: 2, minSamples: 1, allowSingleCluster: true},
    cuts: [1],
    points: line(7),
    labels: [-1],
  },
  {
    name: 'fewer points than minSamples, a single cluster allowed',
    params: {minClusterSize: 2, minSamples: 4, allowSingleCluster: true},
    cuts: [1, 1e200],
    points: line(0, 1, 2),
    labels: [-1, -1, -1],
  },
  {
    name: 'fewer other points than minSamples',
    params: {minClusterSize: 2, minSamples: 3, countSelf: false, allowSingleCluster: true},
    cuts: [1],
    points: line(0, 1, 2),
    labels: [-1, -1, -1],
  },
  {
    name: 'two points',
    params: {minClusterSize: 2},
    cuts: [4, 5, 6],
    points: line(3, 8),
    labels: [-1, -1],
  },
  {
    name: 'two points, a single cluster allowed',
    params: {minClusterSize: 2, allowSingleCluster: true},
    cuts: [5],
    points: line(3, 8),
    labels: [0, 0],
  },
  {
    name: 'two equal points, a single cluster allowed',
    params: {minClusterSize: 2, allowSingleCluster: true},
    cuts: [1],
    points: line(3, 3),
    labels: [0, 0],
  },
  {
    name: 'fewer points than minClusterSize, a single cluster allowed',
    params: {minClusterSize: 5, minSamples: 2, allowSingleCluster: true},
    cuts: [1],
    points: line(0, 1, 2),
    labels: [-1, -1, -1],
  },
  {
    name: 'a selection epsilon above the split of the root, a single cluster allowed',
    params: {minClusterSize: 2, minSamples: 1, clusterSelectionEpsilon: 20, allowSingleCluster: true},
    cuts: [1, 8],
    points: line(0, 9, 1, 10),
    labels: [0, 0, 0, 0],
  },
  {
    name: 'a selection epsilon at the split of the root, a single cluster allowed',
    params: {
      minClusterSize: 2,
      minSamples: 1,
      selection: 'leaf',
      clusterSelectionEpsilon: 8,
      allowSingleCluster: true,
    },
    cuts: [8],
    points: line(0, 9, 1, 10),
    labels: [0, 1, 0, 1],
  },
  {
    name: 'a selection epsilon above the split of a root that is not allowed',
    params: {minClusterSize: 2, minSamples: 1, clusterSelectionEpsilon: 20},
    cuts: [8],
    points: line(0, 9, 1, 10),
    labels: [0, 1, 0, 1],
  },
  {
    name: 'two pairs of points',
    params: {minClusterSize: 2, minSamples: 1},
    cuts: [0.5, 1, 8],
    points: line(0, 9, 1, 10),
    labels: [0, 1, 0, 1],
  },
  {
    name: 'equal points only',
    params: {minClusterSize: 2, allowSingleCluster: true},
    cuts: [1],
    points: line(3, 3, 3, 3),
    labels: [0, 0, 0, 0],
  },
  {name: 'equal points, no single cluster', params: {minClusterSize: 2}, cuts: [1], points: line(3, 3, 3, 3)},
  {
    name: 'two places of equal points: stabilities are infinite',
    params: {minClusterSize: 2},
    cuts: [1, 4],
    points: line(0, 4, 0, 4, 0),
    labels: [0, 1, 0, 1, 0],
  },
  {
    name: 'equal edges part at once: all noise in both orders',
    params: {minClusterSize: 2, minSamples: 3},
    cuts: [1, 2, 3, 5],
    points: line(0, 1, 3, 8, 14, 18),
    labels: [-1, -1, -1, -1, -1, -1],
  },
  {
    name: 'equal edges part at once, last first',
    params: {minClusterSize: 2, minSamples: 3},
    cuts: [1, 2, 3, 5],
    points: line(18, 14, 8, 3, 1, 0),
    labels: [-1, -1, -1, -1, -1, -1],
  },
  {
    name: 'equal edges of seven points',
    params: {minClusterSize: 3, minSamples: 3},
    cuts: [3, 7],
    points: line(0, 1, 3, 10, 18, 23, 29),
    labels: [-1, -1, -1, -1, -1, -1, -1],
  },
  {
    name: 'equal edges of seven points, last first',
    params: {minClusterSize: 3, minSamples: 3},
    cuts: [3, 7],
    points: line(29, 23, 18, 10, 3, 1, 0),
    labels: [-1, -1, -1, -1, -1, -1, -1],
  },
  {
    name: 'a distance whose root rounds down to eps',
    params: {minClusterSize: 2, minSamples: 2},
    cuts: [0.5],
    points: () => toPoints('float64', 2, [0, 0, 0.300_000_000_000_000_04, 0.4]),
  },
  {
    name: 'a point within eps that is not core',
    params: {minClusterSize: 2, minSamples: 3},
    cuts: [1, 2],
    points: line(-1, 0, 1),
  },
  {
    name: 'squared distances above the range of float64',
    params: {minClusterSize: 2, minSamples: 2},
    cuts: [1e150, 1e250],
    points: line(-1e300, 1e300, -1.1e300, 1.1e300, 0),
  },
  {
    name: 'squared distances below the range of float64',
    params: {minClusterSize: 2, minSamples: 2},
    cuts: [1e-170, 1e-160],
    points: line(0, 1e-170, 3e-170, 1e-158, 1.5e-158),
  },
  {
    name: 'sums of stabilities above the range of float32',
    params: {minClusterSize: 2, minSamples: 1},
    cuts: [2 ** -140],
    points: line(...[0, 1, 2.01, 3.01, 100, 101].map((x) => x * 2 ** -140)),
    labels: [0, 0, 0, 0, 1, 1],
  },
  {
    name: 'a root above the maximum size, children below',
    params: {minClusterSize: 2, minSamples: 1, maxClusterSize: 4, allowSingleCluster: true},
    cuts: [1, 1.5],
    points: line(0, 1, 2.01, 3.01, 4.6),
    labels: [0, 0, 1, 1, -1],
  },
  {
    name: 'children of equal stability do not win',
    params: {minClusterSize: 2, minSamples: 1},
    cuts: [1, 2, 4],
    points: line(0, 1, 3, 4, 6, 8, 10, 12, 16, 17),
    labels: [0, 0, 0, 0, 0, 0, 0, 0, 1, 1],
  },
  {
    name: 'three pairs at equal gaps and one far: the root falls apart into four',
    params: {minClusterSize: 2, minSamples: 1},
    cuts: [1, 4],
    points: line(0, 1, 5, 6, 10, 11, 15, 16),
    labels: [0, 0, 1, 1, 2, 2, 3, 3],
  },
];

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

/** All cases with a story, and 200 random ones; names are unique. */
export const hdbscanCases: readonly HdbscanCase[] = [
  ...told,
  ...toldPlaces,
  ...Array.from({length: 200}, (_, k) => randomHdbscanCase(k)),
  ...large,
];
