import type {ClusterState} from './clusterState.ts';

/**
 * Writes the squared all-points core distances of the positions [from, to).
 *
 * @complexity  O(dim) a pair; allocates 8 bytes a point of a cluster
 * @source      Moulavi et al. 2014, definition 1; docs/contract.md says in which order float64 rounds
 */
export function findAllPointsCores(
  {dim, start, coords, core}: Pick<ClusterState, 'dim' | 'start' | 'coords' | 'core'>,
  from: number,
  to: number,
): void {
  const at = new Float64Array(dim);
  let c = 0;
  let squares = new Float64Array(0);
  for (let p = from; p < to; p++) {
    while (p >= start[c + 1]) c++;
    const size = start[c + 1] - start[c];
    if (squares.length !== size) squares = new Float64Array(size);
    for (let d = 0; d < dim; d++) at[d] = coords[p * dim + d];
    const smallest = squaresTo(at, coords, start[c], p, squares);
    core[p] = smallest === 0 || smallest === Infinity ? smallest : coreSquared(squares, smallest, dim);
  }
}

/**
 * Writes the squared distances of a position to those of its cluster, infinite to itself. Returns the smallest.
 *
 * @param at  the coordinates of the position, which are read faster than from among all
 */
function squaresTo(at: Float64Array, coords: Float64Array, first: number, p: number, squares: Float64Array): number {
  const dim = at.length;
  let smallest = Infinity;
  for (let k = 0, b = first * dim; k < squares.length; k++) {
    let sum = 0;
    for (let d = 0; d < dim; d++) {
      const delta = at[d] - coords[b++];
      sum += delta * delta;
    }
    if (first + k === p) sum = Infinity;
    squares[k] = sum;
    if (sum < smallest) smallest = sum;
  }
  return smallest;
}

function coreSquared(squares: Float64Array, smallest: number, dim: number): number {
  const isOdd = (dim & 1) === 1;
  const half = dim >>> 1;
  let sum = 0;
  for (let k = 0; k < squares.length; k++) {
    const ratio = smallest / squares[k];
    let term = isOdd ? Math.sqrt(ratio) : 1;
    for (let h = 0; h < half; h++) term *= ratio;
    // The point itself adds 0.
    sum += term;
  }
  const mean = sum / (squares.length - 1);
  if (!isOdd) return smallest / rootOf(mean, half);
  const root = rootOf(mean, dim);
  return smallest / (root * root);
}

/**
 * The k-th root of x in (0, 1], by Newton's method: engines differ in `Math.pow`. From 1, above the root, values fall
 * to it; where they no longer fall, only rounding is left.
 *
 * @complexity  O(k · log 1/x)
 */
export function rootOf(x: number, k: number): number {
  if (k === 1) return x;
  let y = 1;
  for (;;) {
    let power = y;
    for (let j = 2; j < k; j++) power *= y;
    const next = y - (y - x / power) / k;
    if (!(next < y)) return y;
    y = next;
  }
}
