import {
  NOISE,
  pointCount,
  scatterRows,
  takeComplete,
  validatePoints,
  type MissingRows,
  type PointSet,
  type PointsInput,
} from '@epsball/clustering';
import {FrontDoor, oneShots, type Backend, type RunnerOptions, type VariantRan} from '@epsball/clustering/catalogue';
import type {AdapterChoice, Gpu} from '@epsball/gpu';
import type {
  HdbscanAlgorithm,
  HdbscanHierarchy,
  HdbscanHierarchyResult,
  HdbscanResult,
  HdbscanRunOptions,
} from './algorithm.ts';
import {hdbscanCatalogue} from './catalogue.ts';
import {
  checkCreateOptions,
  checkOptions,
  CLUSTERS,
  HIERARCHY,
  inMetric,
  prepareRun,
  requestOf,
  type HdbscanRequest,
  type HierarchyRequest,
} from './request.ts';

/**
 * From this many points on, `backend: 'auto'` looks for a hardware GPU, and else takes worker threads. Opening a device
 * and creating its pipelines takes 0.6 to 0.8 s, once (NVIDIA H200): as long as 100,000 points on one thread.
 */
export const HDBSCAN_GPU_PAYS_FROM = 100_000;

/** From n² · dim on, above 16 dimensions: boxes exclude few pairs there. These take a thread some seconds. */
const GPU_PAYS_FROM_PRODUCTS = 2 ** 29;
const INDEXED_DIM_MAX = 16;
const DEVICES_FIRST: readonly Backend[] = ['gpu', 'workers', 'sequential'];

export interface CreateHdbscanOptions extends RunnerOptions<Gpu, AdapterChoice, GPUDevice> {
  /** `boruvka`, or `auto` (the default). The catalogue describes it. */
  readonly algorithm?: string | undefined;
  /**
   * Where to run. Default: `auto`. It takes the GPU if one is asked for; from `HDBSCAN_GPU_PAYS_FROM` points on a
   * hardware GPU, or worker threads if there is none; the calling thread for fewer points. Above 16 dimensions this
   * begins at n² · dim = 2^29: 836 points in 768 dimensions.
   */
  readonly backend?: Backend | 'auto' | undefined;
}

export type HdbscanOptions = HdbscanRequest & CreateHdbscanOptions & HdbscanRunOptions;

export type HierarchyOptions = HierarchyRequest & CreateHdbscanOptions & HdbscanRunOptions;

/**
 * What ran, and on which points. Where `missing` has left points out, `condensedTree`, and of the hierarchy all but
 * `select` and `cut`, are those of the points in `rows`. Labels, probabilities and scores, also those of `select` and
 * `cut`, are of all points with `missing: 'noise'`.
 */
export type HdbscanRan = VariantRan<Gpu> & MissingRows;

/** HDBSCAN* that keeps its threads, device and pipelines between runs, and chooses anew for each point set. */
export interface Hdbscan extends HdbscanAlgorithm {
  /**
   * As `HdbscanAlgorithm.run`, for points in any form that `toPoints` takes, and in any metric.
   *
   * @param params  distances are in the unit of the metric, also those of the hierarchy's settings and cuts. Squares in
   *                the result are those of the space of the metric: with `haversine`, of unit vectors
   */
  run(points: PointsInput, params?: HdbscanRequest, options?: HdbscanRunOptions): Promise<HdbscanResult & HdbscanRan>;
  /** As `HdbscanAlgorithm.hierarchy`, for points in any form that `toPoints` takes, and in any metric. */
  hierarchy(
    points: PointsInput,
    params: HierarchyRequest,
    options?: HdbscanRunOptions,
  ): Promise<HdbscanHierarchyResult & HdbscanRan>;
}

/**
 * Clusters a point set by HDBSCAN*: the hierarchy of DBSCAN's clusters over all radii, and the clusters that last
 * longest in it.
 *
 * Opens what it needs and frees it before it resolves. Calls under way at the same time share it, and queue on it. For
 * many runs, keep a `createHdbscan`.
 *
 * @param points   in any form that `toPoints` takes; not modified
 * @param options  defaults: clusters of at least 5 points, and a backend as `CreateHdbscanOptions.backend` says, never
 *                 a software GPU
 * @returns        arrays owned by the caller
 * @throws InvalidParameterError, InvalidPointsError, UnsupportedDimensionError, GpuUnavailableError, GpuLimitError,
 *         GpuDeviceLostError, WorkerFailedError, RunAbortedError
 */
export async function hdbscan(points: PointsInput, options: HdbscanOptions = {}): Promise<HdbscanResult & HdbscanRan> {
  checkOptions(options, 'hdbscan', CLUSTERS);
  const {signal, onProgress} = options;
  const request = requestOf(options, CLUSTERS);
  return oneShots.call(
    'hdbscan',
    options,
    (shared) => new ChoosingHdbscan(shared, true),
    (reusable) => reusable.run(points, request, {signal, onProgress}),
  );
}

/**
 * Core distances and the tree of HDBSCAN*, once, for any number of settings: `select` takes no distances. As `hdbscan`
 * otherwise.
 *
 * @param options  `minSamples` has no default here
 * @throws as `hdbscan`
 */
export async function hierarchy(
  points: PointsInput,
  options: HierarchyOptions,
): Promise<HdbscanHierarchyResult & HdbscanRan> {
  checkOptions(options, 'hierarchy', HIERARCHY);
  const {signal, onProgress} = options;
  const request = requestOf(options, HIERARCHY);
  return oneShots.call(
    'hdbscan',
    options,
    (shared) => new ChoosingHdbscan(shared, true),
    (reusable) => reusable.hierarchy(points, request, {signal, onProgress}),
  );
}

/**
 * Prepares HDBSCAN* for many runs. With a named backend, device, pipelines and threads are ready when this resolves;
 * with `auto` the first run that needs them opens them. They live until `destroy()`. A device or `Gpu` of the caller is
 * borrowed and never destroyed.
 *
 * @param options  what to run and where
 * @returns        owned by the caller, who destroys it before a device that it borrowed
 * @throws InvalidParameterError  if an option is out of range; lists the choices
 * @throws GpuUnavailableError    if the backend is `gpu` and there is no such adapter
 */
export async function createHdbscan(options: CreateHdbscanOptions = {}): Promise<Hdbscan> {
  checkCreateOptions(options);
  const reusable = new ChoosingHdbscan(options, false);
  await reusable.prepare();
  return reusable;
}

class ChoosingHdbscan extends FrontDoor<HdbscanAlgorithm, Gpu, AdapterChoice, GPUDevice> implements Hdbscan {
  /** @param isShared  whether one-shot calls share it */
  constructor(options: CreateHdbscanOptions, isShared: boolean) {
    const parts = {
      name: 'hdbscan',
      catalogue: hdbscanCatalogue,
      gpuPaysFrom: HDBSCAN_GPU_PAYS_FROM,
      isShared,
      loadGpu: () => import('@epsball/gpu'),
    };
    super(parts, options);
  }

  async run(
    input: PointsInput,
    request: HdbscanRequest = {},
    options: HdbscanRunOptions = {},
  ): Promise<HdbscanResult & HdbscanRan> {
    this.runner.throwIfDestroyed();
    if (request.missing === 'noise' || request.missing === 'drop') return this.#runComplete(input, request, options);
    const {points, params} = prepareRun(input, request, options, CLUSTERS);
    const result = await this.runner.run(this.#choose(points), {
      checkInput: () => validatePoints(points),
      signal: options.signal,
      run: (variant) => variant.run(points, params, options),
    });
    return {...result, hierarchy: inMetric(result.hierarchy, request)};
  }

  #choose(points: PointSet) {
    const n = pointCount(points);
    const {dim} = points;
    const isLong = dim > INDEXED_DIM_MAX && n * n * dim >= GPU_PAYS_FROM_PRODUCTS;
    return this.runner.choose(n, dim, undefined, isLong ? DEVICES_FIRST : undefined);
  }

  /** Runs the points that lack nothing. The others are noise, or left out. */
  async #runComplete(
    input: PointsInput,
    {missing, sampleWeight, ...request}: HdbscanRequest,
    options: HdbscanRunOptions,
  ): Promise<HdbscanResult & HdbscanRan> {
    const {n, points, rows, others} = takeComplete(input, request, {sampleWeight});
    const found = await this.run(points, {...request, ...others}, options);
    if (rows === undefined) return found;
    const to = missing === 'noise' ? rows : undefined;
    return {...found, ...ofAllPoints(found, to, n), hierarchy: overAllPoints(found.hierarchy, to, n), rows};
  }

  async hierarchy(
    input: PointsInput,
    request: HierarchyRequest,
    options: HdbscanRunOptions = {},
  ): Promise<HdbscanHierarchyResult & HdbscanRan> {
    this.runner.throwIfDestroyed();
    const rule = (request as HierarchyRequest | undefined)?.missing;
    if (rule === 'noise' || rule === 'drop') {
      const {missing: _, sampleWeight, ...own} = request;
      const {n, points, rows, others} = takeComplete(input, request, {sampleWeight});
      const found = await this.hierarchy(points, {...own, ...others}, options);
      return rows === undefined ? found : {...overAllPoints(found, rule === 'noise' ? rows : undefined, n), rows};
    }
    const {points, params} = prepareRun(input, request, options, HIERARCHY);
    const result = await this.runner.run(this.#choose(points), {
      checkInput: () => validatePoints(points),
      signal: options.signal,
      run: (variant) => variant.hierarchy(points, params, options),
    });
    return {...result, ...inMetric(result, request)};
  }
}

type OfPoints = Pick<HdbscanResult, 'labels' | 'probabilities' | 'outlierScores'>;

/** What belongs to points, for all of them: those that were not clustered are noise. */
export function ofAllPoints(found: OfPoints, rows: Int32Array | undefined, n: number): OfPoints {
  return {
    labels: scatterRows(found.labels, rows, n, -1),
    probabilities: scatterRows(found.probabilities, rows, n, 0),
    outlierScores: scatterRows(found.outlierScores, rows, n, 1),
  };
}

/** A hierarchy of some points, whose settings and cuts have labels of all points. */
function overAllPoints<Hierarchy extends HdbscanHierarchy>(
  found: Hierarchy,
  rows: Int32Array | undefined,
  n: number,
): Hierarchy {
  return {
    ...found,
    select: (params) => {
      const selection = found.select(params);
      return {...selection, ...ofAllPoints(selection, rows, n)};
    },
    cut: (eps, eps2) => scatterRows(found.cut(eps, eps2), rows, n, NOISE),
  };
}
