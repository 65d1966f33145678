import type {PointSet} from '@epsball/clustering';
import {checkGenerator, drawPoints, requireInteger, type GeneratorOptions} from '../coords.ts';
import type {Random} from '../random.ts';

const GAUSSIANS_EPS = 0.05;
/** Quantiles of the standard normal distribution at 1 in 200 and at 1 in 5. */
const THIN = -2.5758;
const DENSE = -0.8416;
/** Candidates per centre; the one farthest from the other centres is taken. */
const CENTER_CANDIDATES = 16;

/**
 * Generates equal round Gaussian clusters at random, well-spread places of the unit cube, in random order.
 *
 * Distances between points of one Gaussian concentrate as `dim` grows, so the standard deviation shrinks with `dim`:
 * from 8 dimensions on, about 1 in 200 pairs of a cluster lies within eps = 0.05; below, the deviation is 0.03. So eps
 * = 0.05 and minPts = 4 suit 1 to 64 dimensions. With `isDense` a fifth of the pairs lies within eps, so minPts may be
 * in the thousands where a cluster has 13,000 points.
 *
 * @param options.dim       1 to 64. Default: 8
 * @param options.clusters  number of clusters. Default: 20
 * @param options.isDense   narrower clusters, for large minPts. Default: false
 * @returns  n points in [0, 1]^dim
 * @throws InvalidParameterError  if an option is out of range
 * @complexity  O(n · dim), allocates the result and the centres
 * @source   Böhm et al. 2009 (CUDA-DClust), Section 7: 20 random Gaussian clusters, 4 to 64 dimensions
 */
export function gaussians(
  options: GeneratorOptions & {readonly dim?: number; readonly clusters?: number; readonly isDense?: boolean},
): PointSet {
  checkGenerator(options, ['dim', 'clusters', 'isDense']);
  const {dim = 8, clusters = 20, isDense = false} = options;
  requireInteger('dim', dim, 1, 64);
  requireInteger('clusters', clusters, 1, 1_000_000);
  const sigma = gaussianSigma(dim, isDense ? DENSE : THIN);
  return drawPoints(options, dim, (random) => {
    const centers = spreadCenters(clusters, dim, 0.15, 0.85, random);
    return (point) => {
      const center = random.integer(clusters) * dim;
      // Five deviations end inside the cube: 0.15 = 5 · 0.03.
      for (let d = 0; d < dim; d++) point[d] = centers[center + d] + sigma * random.truncatedGaussian(5);
    };
  });
}

/**
 * Generates Gaussian clusters of unit deviation with centres in [−10, 10]³: the data of the mean-shift document, for a
 * bandwidth of 2.
 *
 * @returns  n points, `dim` 3
 * @throws InvalidParameterError  if an option is out of range
 * @source   L. Agnolucci, Mean Shift clustering algorithm, 2020: Gaussians of 100 to 250,000 3-D points
 */
export function gaussians3d(options: GeneratorOptions & {readonly clusters?: number}): PointSet {
  checkGenerator(options, ['clusters']);
  const {clusters = 5} = options;
  requireInteger('clusters', clusters, 1, 1_000_000);
  return drawPoints(options, 3, (random) => {
    const centers = spreadCenters(clusters, 3, -10, 10, random);
    return (point) => {
      const center = random.integer(clusters) * 3;
      for (let d = 0; d < 3; d++) point[d] = centers[center + d] + random.gaussian();
    };
  });
}

/** Number of spots, and the share of points that are noise. */
const SPOTS = 100;
const SPOTS_NOISE = 0.1;

/**
 * Generates 100 Gaussian spots with centres uniform in the unit box, and one point in ten uniform in the box, in random
 * order. The standard deviation is 0.01 in up to 2 dimensions, else 0.02.
 *
 * With minPts 10, eps = 0.94 / √n in 2 dimensions and 0.5113 / ∛n in 3 give about as many neighbours for every n:
 * see `spotsEps`.
 *
 * @param options.dim  1 to 4. Default: 2
 * @returns  n points; those of a spot may lie outside the box
 * @throws InvalidParameterError  if an option is out of range
 * @complexity  O(n · dim)
 */
export function spots(options: GeneratorOptions & {readonly dim?: number}): PointSet {
  checkGenerator(options, ['dim']);
  const {dim = 2} = options;
  requireInteger('dim', dim, 1, 4);
  const sigma = dim <= 2 ? 0.01 : 0.02;
  return drawPoints(options, dim, (random) => {
    const centers = Float64Array.from({length: SPOTS * dim}, () => random.uniform());
    return (point) => {
      const isNoise = random.uniform() < SPOTS_NOISE;
      const center = random.integer(SPOTS) * dim;
      for (let d = 0; d < dim; d++)
        point[d] = isNoise ? random.uniform() : centers[center + d] + sigma * random.gaussian();
    };
  });
}

/** The eps for `n` spots in 1 to 4 dimensions, with minPts 10. */
export function spotsEps(n: number, dim: number): number {
  return [0.94, 0.94, 0.5113, 0.5113][dim - 1] / n ** (1 / dim);
}

/**
 * Standard deviation per axis at which a given share of the pairs of one Gaussian lies within eps; at most 0.03.
 *
 * @param z  the share's quantile of the standard normal distribution
 */
function gaussianSigma(dim: number, z: number): number {
  // |a − b|² / (2 sigma²) is chi-squared with `dim` degrees. Its quantile after Wilson and Hilferty (1931):
  const quantile = dim * Math.max(0, 1 - 2 / (9 * dim) + z * Math.sqrt(2 / (9 * dim))) ** 3;
  return Math.min(0.03, GAUSSIANS_EPS / Math.sqrt(2 * quantile));
}

/** Centres in [low, high]^dim, each the best of a few candidates (Mitchell's best-candidate sampling). */
function spreadCenters(clusters: number, dim: number, low: number, high: number, random: Random): Float64Array {
  const centers = new Float64Array(clusters * dim);
  const candidate = new Float64Array(dim);
  for (let c = 0; c < clusters; c++) {
    let best = -1;
    for (let k = 0; k < CENTER_CANDIDATES; k++) {
      for (let d = 0; d < dim; d++) candidate[d] = random.between(low, high);
      const gap2 = squaredGap(candidate, centers, c);
      if (gap2 <= best) continue;
      best = gap2;
      centers.set(candidate, c * dim);
    }
  }
  return centers;
}

/** Squared distance of `candidate` to the nearest of the first `count` centres. */
function squaredGap(candidate: Float64Array, centers: Float64Array, count: number): number {
  const dim = candidate.length;
  let gap2 = Infinity;
  for (let c = 0; c < count; c++) {
    let sum = 0;
    for (let d = 0; d < dim; d++) sum += (candidate[d] - centers[c * dim + d]) ** 2;
    gap2 = Math.min(gap2, sum);
  }
  return gap2;
}
