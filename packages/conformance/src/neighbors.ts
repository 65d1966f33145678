import {pointCount, squaredDistance, squaredEps, type PointSet} from '@epsball/clustering';

/** All neighbours of point i, itself included, in any order. */
export type NeighborSearch = (i: number) => Iterable<number>;

/**
 * A neighbour search without a grid, so that it cannot have the errors of variants that use one: points sorted along
 * their longest axis, and a window of eps around the query.
 *
 * The window is exact: rounding is monotone and the other axes add no negative terms, so a pair whose difference on one
 * axis exceeds eps² exceeds it in total.
 *
 * @param points  not modified; the search reads them
 * @param eps2    bound of squared distances, as in `DbscanParams`
 * @complexity    O(n log n) to build; a query costs the points of a slab of width 2·eps
 */
export function sweepNeighbors(points: PointSet, eps: number, eps2: number = squaredEps(eps)): NeighborSearch {
  const {coords, dim} = points;
  const n = pointCount(points);
  const axis = longestAxis(points);
  const order = Uint32Array.from({length: n}, (_, i) => i).sort(
    (a, b) => coords[a * dim + axis] - coords[b * dim + axis] || a - b,
  );
  const rank = new Uint32Array(n);
  for (let k = 0; k < n; k++) rank[order[k]] = k;

  const isInWindow = (i: number, k: number): boolean => {
    const delta = coords[i * dim + axis] - coords[order[k] * dim + axis];
    return delta * delta <= eps2;
  };
  return (i) => {
    const found: number[] = [];
    for (let k = rank[i]; k < n && isInWindow(i, k); k++) {
      if (squaredDistance(coords, dim, i, order[k]) <= eps2) found.push(order[k]);
    }
    for (let k = rank[i] - 1; k >= 0 && isInWindow(i, k); k--) {
      if (squaredDistance(coords, dim, i, order[k]) <= eps2) found.push(order[k]);
    }
    return found;
  };
}

function longestAxis({coords, dim}: PointSet): number {
  let longest = 0;
  let longestExtent = -1;
  for (let d = 0; d < dim; d++) {
    let low = Infinity;
    let high = -Infinity;
    for (let k = d; k < coords.length; k += dim) {
      if (coords[k] < low) low = coords[k];
      if (coords[k] > high) high = coords[k];
    }
    if (high - low > longestExtent) {
      longestExtent = high - low;
      longest = d;
    }
  }
  return longest;
}
