import {
  checkKnownOptions,
  checkNeighborLists,
  checkInteger,
  NOISE,
  ProgressMeter,
  toWeights,
  WeightSum,
  type CheckedLists,
  type DbscanResult,
  type NeighborLists,
  type RunOptions,
} from '@epsball/clustering';

export type DbscanGraphPhase = 'check' | 'core' | 'clusters';

/** Points between two reports. */
const BLOCK = 2 ** 12;

export interface DbscanGraphOptions extends Pick<RunOptions<DbscanGraphPhase>, 'onProgress'> {
  /** As for `dbscan`. */
  readonly minPts: number;
  /** As for `dbscan`. */
  readonly sampleWeight?: ArrayLike<number> | undefined;
}

/** The result of `dbscanGraph`, as that of `dbscan`. */
export type DbscanGraphResult = Pick<DbscanResult, 'labels' | 'coreMask' | 'clusterCount'>;

/**
 * Clusters points whose neighbours the caller has computed, with any distance. The labels are those of `dbscan` for the
 * same neighbours.
 *
 * @param graph    symmetric: each pair is in both lists, once; not modified
 * @param options  minPts, and weights
 * @returns        owned by the caller
 * @throws InvalidParameterError  if the lists do not form a symmetric graph: names the first pair that is missing; or
 *                                if an option is out of range or does not exist
 * @complexity O(n + edges)
 */
export function dbscanGraph(graph: NeighborLists, options: DbscanGraphOptions): DbscanGraphResult {
  checkKnownOptions(options, ['minPts', 'sampleWeight', 'onProgress'], 'options', 'an object with minPts');
  const {minPts, sampleWeight, onProgress} = options;
  checkInteger('minPts', minPts, 1);
  const lists = checkNeighborLists(graph, {onProgress});
  const {start, neighbors} = lists;
  const n = start.length - 1;
  const meter = new ProgressMeter<DbscanGraphPhase>(n, onProgress);
  const coreMask = markCore(lists, minPts, sampleWeight && toWeights(sampleWeight, n), meter);
  const labels = new Int32Array(n).fill(NOISE);
  const pending = new Int32Array(n);
  let clusterCount = 0;
  let taken = 0;
  for (let first = 0; first < n; first++) {
    if (coreMask[first] === 0 || labels[first] !== NOISE) continue;
    const label = clusterCount++;
    labels[first] = label;
    pending[0] = first;
    for (let count = 1; count > 0;) {
      const i = pending[--count];
      if (taken++ % BLOCK === 0) meter.report('clusters', taken);
      for (let k = start[i]; k < start[i + 1]; k++) {
        const j = neighbors[k];
        // A border point keeps its first label, which is its lowest.
        if (labels[j] !== NOISE) continue;
        labels[j] = label;
        if (coreMask[j] === 1) pending[count++] = j;
      }
    }
  }
  return {labels, coreMask, clusterCount};
}

function markCore(
  {start, neighbors}: CheckedLists,
  minPts: number,
  weights: Float64Array | undefined,
  meter: ProgressMeter<DbscanGraphPhase>,
): Uint8Array {
  const n = start.length - 1;
  const coreMask = new Uint8Array(n);
  const sum = weights && new WeightSum(weights, minPts);
  for (let i = 0; i < n; i++) {
    if (i % BLOCK === 0) meter.report('core', i);
    const list = neighbors.subarray(start[i], start[i + 1]);
    const hasSelf = list.includes(i);
    if (sum === undefined) {
      coreMask[i] = list.length + (hasSelf ? 0 : 1) >= minPts ? 1 : 0;
      continue;
    }
    sum.start();
    sum.add(list, list.length);
    if (!hasSelf) sum.addOne(i);
    coreMask[i] = sum.isEnough() ? 1 : 0;
  }
  return coreMask;
}
