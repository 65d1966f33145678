/** The smallest point of each cluster; n if it has none. `ownerOf`: the cluster of a point, or −1. */
export function smallestPoints(count: number, n: number, ownerOf: (point: number) => number): Int32Array {
  const smallest = new Int32Array(count).fill(n);
  for (let i = n - 1; i >= 0; i--) {
    const owner = ownerOf(i);
    if (owner >= 0) smallest[owner] = i;
  }
  return smallest;
}

/** Clusters by their smallest point, ascending. */
export function bySmallest(smallest: Int32Array): Int32Array {
  const count = smallest.length;
  // Numbers sort faster than a comparison function.
  const keys = new Float64Array(count);
  for (let c = 0; c < count; c++) keys[c] = smallest[c] * count + c;
  keys.sort();
  const clusters = new Int32Array(count);
  for (let k = 0; k < count; k++) clusters[k] = keys[k] % count;
  return clusters;
}
