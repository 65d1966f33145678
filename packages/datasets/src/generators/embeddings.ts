import type {PointSet} from '@epsball/clustering';
import {checkGenerator, drawPoints, requireInteger, type GeneratorOptions} from '../coords.ts';

/** The distance of a vector from its centre before it is scaled: vectors of a cluster have a cosine of 0.8. */
const SPREAD = 0.5;

/**
 * Generates unit vectors in clusters around random directions, as models embed texts: in many dimensions two directions
 * are about orthogonal, and all distances in a cluster are about the same.
 *
 * @param options.dim       1 to 1536. Default: 768
 * @param options.clusters  number of clusters. Default: 50
 * @returns  n points of length 1, but for rounding
 * @throws InvalidParameterError  if an option is out of range
 * @complexity  O(n · dim), allocates the result and the centres
 */
export function embeddings(options: GeneratorOptions & {readonly dim?: number; readonly clusters?: number}): PointSet {
  checkGenerator(options, ['dim', 'clusters']);
  const {dim = 768, clusters = 50} = options;
  requireInteger('dim', dim, 1, 1536);
  requireInteger('clusters', clusters, 1, 1_000_000);
  return drawPoints(options, dim, (random) => {
    const vector = new Float64Array(dim);
    const scale = (): void => {
      const length = Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0));
      // A vector of zeros, which is not to be expected, has the first direction.
      if (length === 0) vector[0] = 1;
      else for (let d = 0; d < dim; d++) vector[d] /= length;
    };
    const centers = Array.from({length: clusters}, () => {
      for (let d = 0; d < dim; d++) vector[d] = random.gaussian();
      scale();
      return vector.slice();
    });
    return (point) => {
      const center = centers[random.integer(clusters)];
      for (let d = 0; d < dim; d++) vector[d] = center[d] + (SPREAD / Math.sqrt(dim)) * random.gaussian();
      scale();
      for (let d = 0; d < dim; d++) point[d] = vector[d];
    };
  });
}
