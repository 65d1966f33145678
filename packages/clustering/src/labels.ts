import {NOISE} from './dbscan.ts';

/**
 * Renumbers clusters canonically: 0…k−1 by smallest core-point index. Noise stays −1.
 *
 * Border points keep their cluster. A caller that needs the lowest adjacent label for border points numbers the core
 * points first and assigns border points afterwards.
 *
 * @param labels    n cluster ids, any integers in [0, n), or −1; rewritten in place
 * @param coreMask  n flags, 1 = core; every cluster has a core point
 * @returns         k
 * @complexity      O(n), allocates n int32
 */
export function canonicalizeLabels(labels: Int32Array, coreMask: Uint8Array): number {
  const n = labels.length;
  const canonical = new Int32Array(n).fill(NOISE);
  let clusterCount = 0;
  for (let i = 0; i < n; i++) {
    const id = labels[i];
    if (coreMask[i] === 1 && canonical[id] === NOISE) canonical[id] = clusterCount++;
  }
  for (let i = 0; i < n; i++) if (labels[i] !== NOISE) labels[i] = canonical[labels[i]];
  return clusterCount;
}
