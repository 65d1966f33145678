import {metricPoints, type PointSet} from '@epsball/clustering';
import {gaussian, seededRandom, toPoints, type Random} from '@epsball/conformance';
import type {HdbscanCase} from './definition.ts';

type Draw = (random: Random, dim: number) => number[];

/** The axis of an index that grows from point to point. */
const unitVector = (k: number, dim: number): number[] => Array.from({length: dim}, (_, d) => (d === k % dim ? 1 : 0));

const SHAPES: Readonly<Record<string, () => Draw>> = {
  blobs: () => (random, dim) => {
    const blob = Math.floor(random() * 3);
    return Array.from({length: dim}, (_, d) => gaussian(random) + (d % 3 === blob ? 4 : 0));
  },
  lattice: () => (random, dim) => Array.from({length: dim}, () => Math.floor(random() * 2)),
  duplicates: () => (random, dim) => {
    const own = seededRandom(Math.floor(random() * 9));
    return Array.from({length: dim}, () => Math.floor(own() * 30));
  },
  'far from the origin': () => (random, dim) =>
    Array.from({length: dim}, () => 1e8 + Math.round(random() * 64) / 4 + (random() < 0.5 ? 40 : 0)),
  // All distances are √2 but for the last bits of a float32.
  'nearly equal distances': () => {
    let k = 0;
    return (random, dim) => unitVector(k++, dim).map((x) => x + 3e-8 * gaussian(random));
  },
  // Closer to each other than products in float32 can tell.
  'tight blobs': () => (random, dim) => {
    const blob = Math.floor(random() * 3);
    return Array.from({length: dim}, (_, d) => (d % 3 === blob ? 1 : 0) + 1e-6 * gaussian(random));
  },
  'squares below float64': () => (random, dim) => Array.from({length: dim}, () => gaussian(random) * 2 ** -530),
  'squares above float64': () => (random, dim) =>
    Array.from({length: dim}, () => gaussian(random) * 2 ** (random() < 0.01 ? 520 : 500)),
};

const DIMS = [17, 65, 128, 768, 1536];

/** A case for each shape, number of dimensions and metric: some with weights, or with places that count once. */
export const wideCases: readonly HdbscanCase[] = Object.entries(SHAPES).flatMap(([shape, drawOf], s) =>
  DIMS.flatMap((dim, d) =>
    ['euclidean', 'cosine'].map((metric, m): HdbscanCase => {
      const seed = 100 * s + 10 * d + m;
      // Rows beyond the lists of a software adapter.
      const n = dim < 768 ? 90 : 40;
      const points = (): PointSet => {
        const random = seededRandom(seed);
        const draw = drawOf();
        const precision = (s + d) % 2 === 0 || s > 5 ? 'float64' : 'float32';
        const drawn = toPoints(precision, dim, Array.from({length: n}, () => draw(random, dim)).flat());
        return metric === 'cosine' ? metricPoints(drawn, {metric}) : drawn;
      };
      const random = seededRandom(seed + 1000);
      const sampleWeight = Array.from({length: n}, () => Math.floor(random() * 9) / 4);
      return {
        name: `${n} points, ${shape}, ${dim}-D, ${metric}`,
        params: {
          minClusterSize: 3 + (seed % 3),
          minSamples: 2 + (seed % 4),
          ...(seed % 4 === 1 ? {sampleWeight} : {}),
          ...(seed % 5 === 2 ? {duplicates: 'once'} : {}),
        },
        cuts: [0.5, Math.SQRT2, 10],
        points,
      };
    }),
  ),
);
