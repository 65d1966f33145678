/**
 * The neighbourhood test that decides every label: points i and j are neighbours if and only if
 * `squaredDistance(…) <= squaredEps(eps)`, in IEEE float64, with the axes in order. scikit-learn's kd_tree uses the
 * same arithmetic. GPU kernels give the same answer by other means (docs/numerics.md).
 */

/** eps · eps in float64, rounded once. */
export function squaredEps(eps: number): number {
  return eps * eps;
}

/**
 * Squared distance of two points: float64, summed in axis order.
 *
 * @param coords  point-major; not modified
 * @param i       index of a point; likewise `j`
 * @complexity    O(dim), no allocation
 */
export function squaredDistance(coords: Float32Array | Float64Array, dim: number, i: number, j: number): number {
  const a = i * dim;
  const b = j * dim;
  let sum = 0;
  for (let d = 0; d < dim; d++) {
    const delta = coords[a + d] - coords[b + d];
    sum += delta * delta;
  }
  return sum;
}
