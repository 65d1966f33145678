import {
  metricDistance,
  type MetricOptions,
  type NamedPoints,
  type ProgressListener,
  type RunStats,
} from '@epsball/clustering';
import type {Backend} from '@epsball/clustering/catalogue';
import {createDbscan, type Dbscan} from '@epsball/dbscan';
import type {Gpu} from '@epsball/gpu';
import {
  createHdbscan,
  type CondensedTree,
  type Hdbscan,
  type HdbscanHierarchyResult,
  type HdbscanRan,
} from '@epsball/hdbscan';
import {createMeanShift, estimateBandwidth, type MeanShift} from '@epsball/mean-shift';
import type {
  ClusterTree,
  DbscanRunRequest,
  HdbscanRunRequest,
  MeanShiftRunRequest,
  RunOutcome,
  RunRequest,
} from './api.ts';

interface Options {
  readonly signal: AbortSignal;
  readonly onProgress: ProgressListener;
}

/** Points that stand for all in the estimate of a bandwidth, and the share of them within it. */
const BANDWIDTH_SAMPLES = 500;
const BANDWIDTH_QUANTILE = 0.1;

/** The three methods, each with what its runs share: devices, pipelines, threads, and the last hierarchy. */
export class Methods {
  readonly #openGpu: () => Promise<Gpu>;
  readonly #dbscan = new Map<string, Promise<Dbscan>>();
  readonly #hdbscan = new Map<string, Promise<Hdbscan>>();
  readonly #meanShift = new Map<string, Promise<MeanShift>>();
  #hierarchy:
    | {readonly key: string; readonly points: NamedPoints; readonly found: HdbscanHierarchyResult & HdbscanRan}
    | undefined;

  constructor(openGpu: () => Promise<Gpu>) {
    this.#openGpu = openGpu;
  }

  async run(points: NamedPoints, request: RunRequest, options: Options): Promise<RunOutcome> {
    if (request.method === 'hdbscan') return this.#runHdbscan(points, request, options);
    if (request.method === 'mean-shift') return this.#runMeanShift(points, request, options);
    return this.#runDbscan(points, request, options);
  }

  async #runDbscan(points: NamedPoints, request: DbscanRunRequest, options: Options): Promise<RunOutcome> {
    const {algorithm, backend, eps, minPts, metric} = request;
    const variant = await kept(this.#dbscan, `${algorithm}/${backend}`, async () =>
      createDbscan({algorithm, backend, ...(await this.#device(backend))}),
    );
    const {coreMask, ...outcome} = await variant.run(points, {eps, minPts, ...metric}, options);
    return outcomeOf({...outcome, coreCount: coreMask.reduce((sum, flag) => sum + flag, 0)});
  }

  /** Selects from the last hierarchy if it has the same points and parameters. */
  async #runHdbscan(points: NamedPoints, request: HdbscanRunRequest, options: Options): Promise<RunOutcome> {
    const {backend, minSamples, minClusterSize, selection, metric} = request;
    const key = [backend, minSamples, metric.metric].join();
    const isKept = this.#hierarchy?.key === key && this.#hierarchy.points === points;
    if (!isKept) {
      const hdbscan = await kept(this.#hdbscan, backend, async () =>
        createHdbscan({backend, ...(await this.#device(backend))}),
      );
      const found = await hdbscan.hierarchy(points, {minSamples, ...metric}, options);
      this.#hierarchy = {key, points, found};
    }
    const {found} = this.#hierarchy ?? {};
    if (found === undefined) throw new Error('no hierarchy');
    const startedAt = performance.now();
    const {labels, clusterCount, condensedTree, warnings} = found.select({minClusterSize, selection});
    const selectMs = performance.now() - startedAt;
    const {algorithm, adapter, fallback} = found;
    const stats: RunStats<string> = isKept
      ? {phaseMs: {select: selectMs}, wallMs: selectMs, counters: {}}
      : {...found.stats, wallMs: found.stats.wallMs + selectMs};
    const ran = {algorithm, backend: found.backend, ...(adapter && {adapter}), ...(fallback && !isKept && {fallback})};
    const tree = treeOf(condensedTree, labels, metric);
    return outcomeOf({...ran, labels, clusterCount, stats, warnings, tree, isReselected: isKept});
  }

  async #runMeanShift(points: NamedPoints, request: MeanShiftRunRequest, options: Options): Promise<RunOutcome> {
    const {backend} = request;
    const meanShift = await kept(this.#meanShift, backend, async () =>
      createMeanShift({backend, ...(await this.#device(backend))}),
    );
    const estimate = {quantile: BANDWIDTH_QUANTILE, samples: BANDWIDTH_SAMPLES};
    const bandwidth = request.bandwidth || Number(estimateBandwidth(points, estimate).toPrecision(3));
    const params = {bandwidth, kernel: 'flat', binSeeding: true} as const;
    const {clusterCenters, ...outcome} = await meanShift.label(points, params, options);
    return outcomeOf({...outcome, clusterCount: clusterCenters.length / points.dim, bandwidth});
  }

  /** The first adapter of the browser, software included: a reader who chooses `gpu` wants to see it run. */
  async #device(backend: Backend | 'auto'): Promise<{gpu?: Gpu}> {
    return backend === 'gpu' ? {gpu: await this.#openGpu()} : {};
  }
}

/** The value of a key, made once. A failed one is made again. */
function kept<Value>(values: Map<string, Promise<Value>>, key: string, make: () => Promise<Value>): Promise<Value> {
  const found = values.get(key) ?? make();
  values.set(key, found);
  found.catch(() => values.delete(key));
  return found;
}

function outcomeOf(found: Omit<RunOutcome, 'noiseCount'>): RunOutcome {
  const {labels} = found;
  // Labels of worker threads are in shared memory, which cannot be transferred.
  const own = labels.buffer instanceof ArrayBuffer ? labels : labels.slice();
  return {...found, labels: own, noiseCount: own.reduce((sum, label) => (label < 0 ? sum + 1 : sum), 0)};
}

function treeOf(tree: CondensedTree, labels: Int32Array, metric: MetricOptions): ClusterTree {
  const {parent, birthSquared, deathSquared, size, isSelected, clusterOf} = tree;
  const distances = (squared: Float64Array): Float64Array =>
    squared.map((one) => metricDistance(Math.sqrt(one), metric));
  const label = new Int32Array(parent.length).fill(-1);
  for (const [i, cluster] of clusterOf.entries()) {
    if (labels[i] < 0) continue;
    let at = cluster;
    while (isSelected[at] === 0) at = parent[at];
    label[at] = labels[i];
  }
  return {parent, birth: distances(birthSquared), death: distances(deathSquared), size, label, clusterOf};
}
