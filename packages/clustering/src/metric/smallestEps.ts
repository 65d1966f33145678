import {limitOf} from '../neighborhood.ts';
import {metricRadius, type MetricOptions} from './metricPoints.ts';

/**
 * The smallest eps whose bound reaches a compared distance. At the float64 before it the pair are not neighbours.
 *
 * @param compared  as `comparedDistance` in the space of the metric
 * @returns         in the unit of the metric; infinite if no eps is enough
 * @complexity      64 steps
 */
export function smallestEps(compared: number, metric: MetricOptions): number {
  const reaches = (eps: number): boolean => limitOf(metricRadius(eps, metric)) >= compared;
  if (compared === Infinity || !reaches(Number.MAX_VALUE)) return Infinity;
  // Positive floats have the order of their bits.
  const eps = new Float64Array(1);
  const bits = new BigUint64Array(eps.buffer);
  let below = 0n;
  eps[0] = Number.MAX_VALUE;
  let enough = bits[0];
  while (enough - below > 1n) {
    const middle = (below + enough) / 2n;
    bits[0] = middle;
    if (reaches(eps[0])) enough = middle;
    else below = middle;
  }
  bits[0] = enough;
  return eps[0];
}
