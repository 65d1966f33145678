import {metricPoints, metricRadius, squaredDistance, VARIANT_METRICS, type PointSet} from '@epsball/clustering';
import {caseOf, type DbscanCase} from '../case.ts';
import {seededRandom, type Random} from '../random.ts';
import {blobs, integerLattice, listOf, repeated, shuffled, toPoints, uniform} from '../shapes.ts';

/** Weights by kind: a random value for each point. */
const WEIGHTINGS: Readonly<Record<string, (random: Random) => number>> = {
  counts: (random) => Math.floor(random() * 4),
  quarters: (random) => Math.floor(random() * 9) / 4,
  tenths: (random) => Math.floor(random() * 10) * 0.1,
  'integers of any sign': (random) => Math.floor(random() * 7) - 2,
  'tenths of any sign': (random) => (Math.floor(random() * 12) - 3) * 0.1,
  'random numbers': (random) => random() * 2,
  'random numbers of any sign': (random) => random() * 3 - 1,
};

/** What `DbscanParams` has beyond eps and minPts: metrics, weights, bounds of squared distances that are no squares. */
export const featureCases: readonly DbscanCase[] = [
  ...[1, 2, 3, 4, 6].flatMap((dim) => otherMetrics(dim)),
  ...[1, 2, 3, 4, 6].flatMap((dim) => weightedSets(dim)),
  ...[2, 3, 6].flatMap((dim) => cosines(dim)),
  ...[65, 384, 1536].flatMap((dim) => embeddings(dim)),
  ...places(),
  ...weightedEdges(),
];

function weightsOf(kind: string, n: number, seed: number): Float64Array {
  const random = seededRandom(seed);
  return Float64Array.from({length: n}, () => WEIGHTINGS[kind](random));
}

/** Lattices, on which distances are at eps, and random points. */
function samples(dim: number): readonly (readonly [name: string, points: PointSet, eps: number])[] {
  const lattice = shuffled(toPoints('float32', dim, integerLattice(dim, [64, 12, 6, 4, 3, 3][dim - 1])), dim);
  const doubled = {coords: Float32Array.from([...lattice.coords, ...lattice.coords]), dim};
  const n = 300;
  return [
    ['lattice', lattice, 1],
    ['lattice of duplicates', doubled, 1],
    ['uniform points', uniform('float64', dim, n, 40 + dim), [0.01, 0.08, 0.18, 0.28, 0.4, 0.45][dim - 1]],
    ['clusters', blobs('float64', dim, n, {seed: 50 + dim, clusters: 4}), 0.1],
  ];
}

function otherMetrics(dim: number): DbscanCase[] {
  return VARIANT_METRICS.filter((metric) => metric !== 'euclidean').flatMap((metric) =>
    samples(dim).flatMap(([name, points, radius]) =>
      [1, 3, 6].map((minPts) => {
        const eps = metric === 'manhattan' && name.startsWith('lattice') ? 2 : radius;
        return caseOf(`${metric} on ${name}, minPts ${minPts}, ${dim}-D`, dim, {eps, minPts, metric}, () => points);
      }),
    ),
  );
}

function weightedSets(dim: number): DbscanCase[] {
  return Object.keys(WEIGHTINGS).flatMap((kind, k) =>
    samples(dim).flatMap(([name, points, eps]) =>
      [1, 4].map((minPts) => {
        const sampleWeight = weightsOf(kind, points.coords.length / dim, 100 * dim + k);
        const title = `weights ${kind} on ${name}, minPts ${minPts}, ${dim}-D`;
        return caseOf(title, dim, {eps, minPts, sampleWeight}, () => points);
      }),
    ),
  );
}

/** Directions of a lattice, for which squared distances are often at the bound but for rounding. */
function cosines(dim: number): DbscanCase[] {
  const options = {metric: 'cosine'} as const;
  const lattice = integerLattice(dim, dim === 6 ? 2 : 5).map((x) => x - 1);
  const rows = Array.from({length: lattice.length / dim}, (_, i) => lattice.slice(i * dim, (i + 1) * dim));
  const directions = rows.filter((row) => row.some((x) => x !== 0)).flat();
  const points = metricPoints(toPoints('float64', dim, directions), options);
  const angles = [1 - 1 / Math.SQRT2, 0.5, 0.2, 1 - 0.8, 1 - 2 / 3, ...justBelow(points, 3)];
  return angles.map((eps) => {
    const name = `directions of a lattice, cosine distance ${eps}, ${dim}-D`;
    return caseOf(name, dim, {...metricRadius(eps, options), minPts: 4}, () => points);
  });
}

/**
 * Cosine distances just below that of a pair, whose bound 2 · eps is no rounded square: a variant that compares with
 * the next square takes the pair for neighbours.
 */
function justBelow({coords, dim}: PointSet, count: number): number[] {
  const found = new Set<number>();
  for (let j = 1; j < coords.length / dim && found.size < count; j++) {
    const squared = squaredDistance(coords, dim, 0, j);
    const below = squared * (1 - 2 ** -53);
    if (below === 0 || below >= 4) continue;
    const {eps, eps2} = metricRadius(below / 2, {metric: 'cosine'});
    if (eps2 !== undefined && eps * eps >= squared) found.add(below / 2);
  }
  return [...found];
}

/** Directions in as many dimensions as embeddings have, with many pairs near the bound and at it. */
function embeddings(dim: number): DbscanCase[] {
  const options = {metric: 'cosine'} as const;
  const sigma = 0.02;
  const clustered = metricPoints(blobs('float32', dim, 120, {seed: dim, sigma, clusters: 6}), options);
  const pairs = listOf(60, (i) => listOf(dim, (d) => (d === i || d === i + 1 ? 1 : 0)));
  const chain = metricPoints(toPoints('float32', dim, pairs.flat()), options);
  const row = (name: string, eps: number, minPts: number, points: PointSet): DbscanCase =>
    caseOf(`directions ${name}, ${dim}-D`, dim, {...metricRadius(eps, options), minPts}, () => points);
  return [
    // Half of the pairs of a cluster are farther apart.
    row('in clusters', 3 * sigma ** 2, 5, clustered),
    row('in tight clusters', 3.5 * sigma ** 2, 12, clustered),
    row('60° apart', 0.5, 3, chain),
  ];
}

/** Places on a globe by degrees: poles, the date line, duplicates. */
function places(): DbscanCase[] {
  const options = {metric: 'haversine', angles: 'degrees', epsUnit: 'km'} as const;
  const random = seededRandom(9);
  const rows = listOf(200, () => [random() * 180 - 90, random() * 360 - 180]);
  const near = listOf(60, (k) => [k % 2 === 0 ? 89.9 + random() / 10 : random() / 5, k % 3 === 0 ? 180 : -180]);
  const coords = Float64Array.from([...rows, ...near, ...near, [90, 0], [90, 77], [-90, 1]].flat());
  const points = metricPoints({coords, dim: 2}, options);
  return [5, 50, 800, 2500, 20_020].map((eps) =>
    caseOf(`places on the globe, eps ${eps} km`, 3, {...metricRadius(eps, options), minPts: 4}, () => points),
  );
}

function weightedEdges(): DbscanCase[] {
  const row = (name: string, xs: number[], weights: number[], minPts: number, labels: number[]): DbscanCase => {
    const params = {eps: 1, minPts, sampleWeight: Float64Array.from(weights)};
    return caseOf(`weights ${name}`, 1, params, () => toPoints('float64', 1, xs), labels);
  };
  return [
    row('none', [], [], 1, []),
    row('0 of a single point, minPts 1', [7], [0], 1, [-1]),
    row('5 of a single point, minPts 5', [7], [5], 5, [0]),
    row('minPts above n', [7, 7], [2, 3], 5, [0, 0]),
    row('negative beside large ones', [0, 0.5, 1], [-1, 4, -1], 2, [0, 0, 0]),
    row('a core point of weight −1 connects', [0, 1, 2], [3, -1, 3], 2, [0, 0, 0]),
    row('ten times 0.1 are 1', repeated(0, 10), repeated(0.1, 10), 1, repeated(0, 10)),
    row('a sum that only the exact order reaches', [0, 0, 0, 0], [1, 1e100, 1, -1e100], 2, [0, 0, 0, 0]),
    row('a sum that rounds up to minPts', [0, 0, 0], [4.5, 0.5, -(2 ** -54)], 5, [0, 0, 0]),
    row('a sum that rounds below minPts', [0, 0, 0], [4.5, 0.5, -(2 ** -50)], 5, [-1, -1, -1]),
    row('of the largest size', [0, 0, 0], [1.7e308, 1.7e308, -1.7e308], 5, [0, 0, 0]),
    row('of the smallest size', [0, 0], [1, -5e-324], 1, [0, 0]),
  ];
}
