/** Axes between two comparisons with the limit. */
const BLOCK = 64;

/**
 * Squared distances of four points, which come one behind the other, to one: each the sum in the order of the axes. One
 * sum alone would wait for each of its additions; four wait together, and take a quarter of the time.
 *
 * @param first  index of the first coordinate of the four
 * @param limit  the sums end where all four exceed this; the results then do, too
 * @param into   receives four numbers
 */
export function squaredOfFour(
  coords: Float64Array,
  dim: number,
  first: number,
  at: Float64Array,
  offset: number,
  limit: number,
  into: Float64Array,
): void {
  let [a, b, c, e] = [0, 0, 0, 0];
  for (let d = 0; d < dim;) {
    for (const end = Math.min(dim, d + BLOCK); d < end; d++) {
      const x = at[offset + d];
      const k = first + d;
      const p = coords[k] - x;
      const q = coords[k + dim] - x;
      const r = coords[k + 2 * dim] - x;
      const s = coords[k + 3 * dim] - x;
      a += p * p;
      b += q * q;
      c += r * r;
      e += s * s;
    }
    if (a > limit && b > limit && c > limit && e > limit) break;
  }
  into[0] = a;
  into[1] = b;
  into[2] = c;
  into[3] = e;
}
