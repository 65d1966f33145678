import {
  NOISE,
  pointCount,
  throwIfAborted,
  untilDestroyed,
  validateRun,
  type DbscanAlgorithm,
  type DbscanParams,
  type DbscanRunOptions,
  type PointSet,
} from '@epsball/clustering';
import type {DbscanLabels} from '@epsball/conformance';
import {sweepNeighbors, type NeighborSearch} from '@epsball/conformance';

/** A DBSCAN that shares no code with the oracle: union by smallest root over the neighbours of `sweepNeighbors`. */
export function sweepAlgorithm(maxDim: number): DbscanAlgorithm {
  return untilDestroyed('sweep', async (points: PointSet, params: DbscanParams, options?: DbscanRunOptions) => {
    validateRun(points, params, {variant: 'sweep', maxDim, options});
    const neighbors = sweepNeighbors(points, params.eps, params.eps2);
    throwIfAborted(options?.signal, 'clusters');
    options?.onProgress?.({phase: 'clusters', done: 0, total: pointCount(points)});
    const labels = sweepLabels(points, params, neighbors);
    return {...labels, stats: {phaseMs: {clusters: 0}, wallMs: 0, counters: {}}};
  });
}

function sweepLabels(points: PointSet, {minPts}: DbscanParams, neighbors: NeighborSearch): DbscanLabels {
  const n = pointCount(points);
  const coreMask = Uint8Array.from({length: n}, (_, i) => ([...neighbors(i)].length >= minPts ? 1 : 0));
  const parent = Uint32Array.from({length: n}, (_, i) => i);
  const findRoot = (start: number): number => {
    let node = start;
    while (parent[node] !== node) {
      parent[node] = parent[parent[node]];
      node = parent[node];
    }
    return node;
  };
  const coreNeighbors = (i: number): number[] => [...neighbors(i)].filter((j) => coreMask[j] === 1);
  for (let i = 0; i < n; i++) {
    if (coreMask[i] === 0) continue;
    for (const j of coreNeighbors(i)) {
      const [low, high] = [findRoot(i), findRoot(j)].sort((a, b) => a - b);
      parent[high] = low;
    }
  }
  const labels = new Int32Array(n).fill(NOISE);
  let clusterCount = 0;
  for (let i = 0; i < n; i++) {
    if (coreMask[i] === 1) labels[i] = parent[i] === i ? clusterCount++ : labels[findRoot(i)];
  }
  for (let i = 0; i < n; i++) {
    if (coreMask[i] === 1) continue;
    const adjacent = coreNeighbors(i).map((j) => labels[j]);
    if (adjacent.length > 0) labels[i] = Math.min(...adjacent);
  }
  return {labels, coreMask, clusterCount};
}
