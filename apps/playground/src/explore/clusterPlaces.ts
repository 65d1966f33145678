/** A point of a cluster that stands for it. */
export interface ClusterPlace {
  readonly label: number;
  readonly size: number;
  readonly x: number;
  readonly y: number;
}

/**
 * The point of each cluster that is nearest to its mean, the largest cluster first: a ring has its place on the ring.
 *
 * @param coords  2n coordinates
 * @complexity    O(n)
 */
export function clusterPlaces(coords: Float32Array, labels: Int32Array, clusterCount: number): ClusterPlace[] {
  const size = new Float64Array(clusterCount);
  const means = new Float64Array(2 * clusterCount);
  for (const [i, label] of labels.entries()) {
    if (label < 0) continue;
    size[label]++;
    means[2 * label] += coords[2 * i];
    means[2 * label + 1] += coords[2 * i + 1];
  }
  for (let k = 0; k < means.length; k++) means[k] /= size[k >> 1];
  const nearest = new Float64Array(clusterCount).fill(Infinity);
  const found = new Int32Array(clusterCount);
  for (const [i, label] of labels.entries()) {
    if (label < 0) continue;
    const distance = (coords[2 * i] - means[2 * label]) ** 2 + (coords[2 * i + 1] - means[2 * label + 1]) ** 2;
    if (distance < nearest[label]) [nearest[label], found[label]] = [distance, i];
  }
  return Array.from(found, (i, label) => ({label, size: size[label], x: coords[2 * i], y: coords[2 * i + 1]})).sort(
    (a, b) => b.size - a.size || a.label - b.label,
  );
}
