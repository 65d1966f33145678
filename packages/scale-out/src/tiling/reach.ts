import {squaredEps} from '@epsball/clustering';

/** Where squares underflow: differences below it have the square 0. */
const SQUARE_UNDERFLOW = 2 ** -537;

/**
 * The largest difference on one axis that the neighbourhood test accepts: the largest float64 d with
 * fl(d·d) ≤ fl(eps·eps).
 *
 * It is eps, up to rounding, but larger where squares underflow, and infinite where eps² overflows. Rounding is
 * monotone. So fl(x − y) > reach on any axis implies that the points x and y are not neighbours, and no margin is
 * needed, however far from the origin the coordinates are.
 *
 * @param eps  finite, > 0
 * @complexity O(1): a bisection between two floats
 */
export function reachOf(eps: number): number {
  const eps2 = squaredEps(eps);
  if (eps2 === Infinity) return Infinity;
  let accepted = 0;
  let rejected = Math.min(2 * Math.max(eps, SQUARE_UNDERFLOW), Number.MAX_VALUE);
  if (rejected * rejected <= eps2) return rejected;
  for (;;) {
    const middle = accepted + (rejected - accepted) / 2;
    // No float lies between neighbours, so the middle rounds to one of them.
    if (middle <= accepted || middle >= rejected) return accepted;
    if (middle * middle <= eps2) accepted = middle;
    else rejected = middle;
  }
}
