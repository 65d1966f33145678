// Bounds of squared distances by boxes. They are exact bounds of the distances that float64 computes: rounding is
// monotonic, so for a coordinate x ≥ low > q, fl(x − q) ≥ fl(low − q) ≥ 0, and squares and sums in the same order of
// axes keep the order. So no bound needs a margin.

/**
 * A lower bound of the squared distance between a point and the points of a node.
 *
 * @param boxes  `KdTree.boxes`
 * @param node   of the tree
 * @param at     point-major coordinates of the point, which begin at `offset`
 * @param limit  the sum ends where it exceeds this; the result then is above `limit`, and a lower bound still
 * @complexity   O(dim)
 */
export function boxNearSquared(
  boxes: Float64Array,
  dim: number,
  node: number,
  at: Float64Array,
  offset: number,
  limit: number,
): number {
  const low = node * 2 * dim;
  let sum = 0;
  for (let d = 0; d < dim; d++) {
    const x = at[offset + d];
    const above = boxes[low + d] - x;
    const below = x - boxes[low + dim + d];
    const delta = gap(above, below);
    sum += delta * delta;
    if (sum > limit) return sum;
  }
  // Without a bound, where a coordinate is farther away than float64 reaches.
  return sum >= 0 ? sum : 0;
}

/**
 * The one of two differences that is positive, or 0: at most one is. Without a branch, because no processor foresees
 * it: that made bounds take twice as long. Exact, since doubling and halving are. NaN if a difference overflows below.
 */
function gap(above: number, below: number): number {
  return 0.5 * (above + Math.abs(above) + (below + Math.abs(below)));
}

/** An upper bound of the squared distance between a point and the points of a node; parameters as above. */
export function boxFarSquared(
  boxes: Float64Array,
  dim: number,
  node: number,
  at: Float64Array,
  offset: number,
  limit: number,
): number {
  const low = node * 2 * dim;
  let sum = 0;
  for (let d = 0; d < dim; d++) {
    const x = at[offset + d];
    const below = x - boxes[low + d];
    const above = boxes[low + dim + d] - x;
    // At least one of the two is not negative, and the larger one has the larger magnitude.
    const delta = below > above ? below : above;
    sum += delta * delta;
    if (sum > limit) return sum;
  }
  return sum;
}

/**
 * A lower bound of the squared distance between the points of two nodes; parameters as above.
 *
 * @param others  boxes of the tree of node b. Default: the same tree
 */
export function boxesNearSquared(
  boxes: Float64Array,
  dim: number,
  a: number,
  b: number,
  limit: number,
  others: Float64Array = boxes,
): number {
  const lowA = a * 2 * dim;
  const lowB = b * 2 * dim;
  let sum = 0;
  for (let d = 0; d < dim; d++) {
    const above = others[lowB + d] - boxes[lowA + dim + d];
    const below = boxes[lowA + d] - others[lowB + dim + d];
    const delta = gap(above, below);
    sum += delta * delta;
    if (sum > limit) return sum;
  }
  return sum >= 0 ? sum : 0;
}
