import type {PointSet} from '@epsball/clustering';

/** Separated data: blobs of Gaussian spread 0.4 around centres 12 apart, and the blob of each point. */
export interface ClusteredPoints {
  readonly points: PointSet;
  readonly blobOf: Int32Array;
  readonly centers: Float64Array;
}

/** Blob h has (count − h) parts of all points, so no two are of one size. Points of all blobs are shuffled. */
export function clusteredPoints(
  n: number,
  dim: number,
  count: number,
  make: typeof Float32Array | typeof Float64Array,
): ClusteredPoints {
  const random = randomNumbers(dim * 1000 + count);
  const coords = new make(n * dim);
  const blobOf = new Int32Array(n);
  const centers = new Float64Array(count * dim);
  for (let h = 0; h < count; h++)
    for (let d = 0; d < dim; d++) centers[h * dim + d] = d === 0 ? 12 * h - 20 : random() * 8;
  const parts = (count * (count + 1)) / 2;
  for (let i = 0; i < n; i++) {
    let part = Math.floor(random() * parts);
    let h = 0;
    for (; part >= count - h; h++) part -= count - h;
    blobOf[i] = h;
    for (let d = 0; d < dim; d++) coords[i * dim + d] = centers[h * dim + d] + 0.4 * gaussian(random);
  }
  return {points: {coords, dim}, blobOf, centers};
}

/** Points of one Gaussian, spread 1, around 3 on every axis. */
export function cloud(n: number, dim: number, make: typeof Float32Array | typeof Float64Array, seed = 1): PointSet {
  const random = randomNumbers(seed);
  return {coords: new make(n * dim).map(() => 3 + gaussian(random)), dim};
}

/** The expected labels: blobs by falling number of points. */
export function labelsOf({blobOf}: ClusteredPoints): Int32Array {
  const sizes: number[] = [];
  for (const h of blobOf) sizes[h] = (sizes[h] ?? 0) + 1;
  const order = sizes.map((_, h) => h).toSorted((a, b) => sizes[b] - sizes[a] || blobOf.indexOf(a) - blobOf.indexOf(b));
  return blobOf.map((h) => order.indexOf(h));
}

/** Irwin and Hall: twelve uniform numbers are near enough to a Gaussian. */
function gaussian(random: () => number): number {
  let sum = -6;
  for (let k = 0; k < 12; k++) sum += random();
  return sum;
}

/** Park and Miller. */
function randomNumbers(seed: number): () => number {
  let state = (seed * 7919) % 2147483647 || 1;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}
