/** Taps end where a weight is below 2^−25 of the largest: beyond so many bandwidths. */
export const TAPS_REACH = 6;

/** Nodes a bandwidth. With fewer, the Gaussian has frequencies that the lattice has no room for. */
export const MIN_LATTICE = 2;
/** With more than `FREQUENCIES` / (2 · `TAPS_REACH`), 42, the taps would come round to the Gaussian's next period. */
export const MAX_LATTICE = 32;

/** Frequencies of the sums below: they converge like the spectrum of the Gaussian, which has vanished long before. */
const FREQUENCIES = 512;

/** What nodes at distance k − `reach` contribute to a node, on one axis. */
export interface LatticeTaps {
  /** Taps to either side. */
  readonly reach: number;
  /** Pairs: of the sum of weights, and of the sum of weighted differences, in nodes. */
  readonly pairs: Float64Array;
}

/**
 * The taps with which nodes' shares of points become sums of a Gaussian of so many nodes.
 *
 * A point is shared out among nodes by cubic B-splines B, and nodes' sums are put together by them again, so that the kernel from point to
 * position is B ∗ taps ∗ B. Its spectrum shall be the Gaussian's: the taps have that spectrum, divided by B's twice. Weighted differences have the
 * derivative of the Gaussian's spectrum instead.
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

/** Shares of the four nodes −1, 0, 1, 2 in a position at 0 ≤ f < 1: cubic B-splines, as in lattice.wgsl. */
export function splineShares(f: number): readonly [number, number, number, number] {
  const g = 1 - f;
  return [g ** 3 / 6, (3 * f ** 3 - 6 * f * f + 4) / 6, (3 * g ** 3 - 6 * g * g + 4) / 6, f ** 3 / 6];
}
