/** Taps end at so many bandwidths, where a weight is below 2^−25 of the largest. */
export const TAPS_REACH = 6;

/** Fewest nodes in a bandwidth. With fewer, the lattice cannot represent the frequencies of the Gaussian. */
export const MIN_LATTICE = 2;
/** Beyond `FREQUENCIES` / (2 · `TAPS_REACH`), 42, the taps would reach the next period of the Gaussian. */
export const MAX_LATTICE = 32;

/** Frequencies of the sums below. They converge like the spectrum of the Gaussian, which vanishes long before. */
const FREQUENCIES = 512;

/** Contributions of a node to the node at distance k − `reach`, on one axis. */
export interface LatticeTaps {
  readonly reach: number;
  /** Pairs: for the sum of weights, and for the sum of weighted differences, in nodes. */
  readonly pairs: Float64Array;
}

/**
 * The taps that convolve the shares of points in nodes to sums of a Gaussian.
 *
 * Cubic B-splines B share a point out among nodes, and interpolate the sums of nodes, so the kernel from point to
 * position is B ∗ taps ∗ B. Its spectrum has to be that of the Gaussian: the spectrum of the taps is that of the
 * Gaussian divided by that of B twice. Weighted differences have the derivative of the Gaussian's spectrum instead.
 *
 * @param width  nodes in a bandwidth, `MIN_LATTICE` to `MAX_LATTICE`
 * @source       Hockney and Eastwood 1988, §5-6 and §8-3 (influence functions)
 */
export function latticeTaps(width: number): LatticeTaps {
  const reach = Math.ceil(TAPS_REACH * width);
  const pairs = new Float64Array(2 * (2 * reach + 1));
  for (let f = -FREQUENCIES / 2; f < FREQUENCIES / 2; f++) {
    const angle = (2 * Math.PI * (f + 0.5)) / FREQUENCIES;
    const gaussian = width * Math.sqrt(2 * Math.PI) * Math.exp(-0.5 * (width * angle) ** 2);
    const spline = (Math.sin(angle / 2) / (angle / 2)) ** 4;
    const weight = gaussian / (spline * spline * FREQUENCIES);
    for (let k = -reach; k <= reach; k++) {
      pairs[2 * (k + reach)] += weight * Math.cos(k * angle);
      pairs[2 * (k + reach) + 1] += weight * width * width * angle * Math.sin(k * angle);
    }
  }
  return {reach, pairs};
}
