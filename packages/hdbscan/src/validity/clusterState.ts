import {InvalidParameterError, NOISE, pointCount, type PointSet} from '@epsball/clustering';

/**
 * The clusters of two points and more, the largest first, by position: the points of a cluster are side by side, in the
 * order of their ranks once `sortCluster` has run.
 *
 * A plain object of arrays: for threads all of them are in shared memory. In a wave, a thread writes words of its own
 * clusters or positions only.
 */
export interface ClusterState {
  readonly dim: number;
  /** k + 1 bounds: cluster c has the positions [start[c], start[c + 1]). */
  readonly start: Int32Array;
  /** Coordinates by position. */
  readonly coords: Float64Array;
  /** Squared all-points core distances by position. */
  readonly core: Float64Array;
  /** w² of the edge that joins each position to the tree, or would; d² of this edge; and its end in the tree. */
  readonly reach: Float64Array;
  readonly squared: Float64Array;
  readonly from: Int32Array;
  /** Positions of each cluster: first those that are not in its tree yet, then those that are, the last one first. */
  readonly waiting: Int32Array;
  /** Positions of each cluster that are not in its tree yet. */
  readonly left: Int32Array;
  /** Edges at each position: 0, 1, or 2 for more. */
  readonly degree: Uint8Array;
  /** Pairs of a cluster that one chunk looks at. */
  readonly pairs: number;
}

/** The clusters of a labelling. */
export interface LabelledClusters {
  /** All distinct labels, ascending, and the size of each cluster. */
  readonly label: Int32Array;
  readonly size: Int32Array;
  /** Clusters of two points and more, the largest first: places in `label`. */
  readonly order: Int32Array;
}

/** @throws InvalidParameterError  if a label is not an integer ≥ −1; names the first */
export function clustersOf(labels: ArrayLike<number>): LabelledClusters {
  const sizes = new Map<number, number>();
  for (let i = 0; i < labels.length; i++) {
    const label = labels[i];
    if (!Number.isInteger(label) || label < NOISE || label > 0x7fffffff) {
      throw new InvalidParameterError(`labels[${i}]`, label, '−1 for noise, or a cluster from 0 to 2147483647');
    }
    if (label !== NOISE) sizes.set(label, (sizes.get(label) ?? 0) + 1);
  }
  const label = Int32Array.from(sizes.keys()).sort();
  const size = label.map((one) => sizes.get(one) ?? 0);
  const order = Int32Array.from(label.keys())
    .filter((c) => size[c] > 1)
    .sort((a, b) => size[b] - size[a] || a - b);
  return {label, size, order};
}

/**
 * Lays out the clusters, with positions in the order of rows.
 *
 * @returns  41 + 8 · dim bytes a point, without trees
 */
export function layClusters(
  {coords: given, dim}: PointSet,
  labels: ArrayLike<number>,
  {label, size, order}: LabelledClusters,
  {buffer, pairs}: {readonly buffer: (bytes: number) => ArrayBufferLike; readonly pairs: number},
): ClusterState {
  const start = new Int32Array(buffer(4 * (order.length + 1)));
  const nextOf = new Map<number, number>();
  order.forEach((one, c) => {
    nextOf.set(label[one], start[c]);
    start[c + 1] = start[c] + size[one];
  });
  const m = start[order.length];
  const coords = new Float64Array(buffer(8 * m * dim));
  for (let i = 0; i < pointCount({coords: given, dim}); i++) {
    const p = nextOf.get(labels[i]);
    if (p === undefined) continue;
    nextOf.set(labels[i], p + 1);
    for (let d = 0; d < dim; d++) coords[p * dim + d] = given[i * dim + d];
  }
  return {
    dim,
    start,
    coords,
    core: new Float64Array(buffer(8 * m)),
    reach: new Float64Array(buffer(8 * m)),
    squared: new Float64Array(buffer(8 * m)),
    from: new Int32Array(buffer(4 * m)),
    waiting: new Int32Array(buffer(4 * m)),
    left: new Int32Array(buffer(4 * order.length)),
    degree: new Uint8Array(buffer(m)),
    pairs,
  };
}

/** Brings clusters [first, end) in the order of ranks: by coordinates, the first axis first. */
export function sortClusters({dim, start, coords}: ClusterState, first: number, end: number): void {
  for (let c = first; c < end; c++) {
    const rows = coords.slice(start[c] * dim, start[c + 1] * dim);
    const order = Int32Array.from({length: rows.length / dim}, (_, k) => k * dim).sort((a, b) => {
      for (let d = 0; d < dim; d++) if (rows[a + d] !== rows[b + d]) return rows[a + d] < rows[b + d] ? -1 : 1;
      return 0;
    });
    let to = start[c] * dim;
    for (const row of order) for (let d = 0; d < dim; d++) coords[to++] = rows[row + d];
  }
}
