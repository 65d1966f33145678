import {
  checkKnownOptions,
  deliver,
  extendResult,
  InvalidParameterError,
  kindOfWeights,
  pointCount,
  scatterRows,
  takeComplete,
  validateOutput,
  validatePoints,
  type DbscanAlgorithm,
  type DbscanOutputOptions,
  type DbscanParams,
  type DbscanResult,
  type DbscanRunOptions,
  type MissingRows,
  type PointSet,
  type PointsInput,
} from '@epsball/clustering';
import {
  afterPoints,
  FrontDoor,
  oneShots,
  type Backend,
  type Choice,
  type Fallback,
  type RunNeeds,
  type RunnerOptions,
  type VariantRan,
} from '@epsball/clustering/catalogue';
import type {AdapterChoice, Gpu} from '@epsball/gpu';
import {catalogue} from './catalogue.ts';
import type {CatalogueRow} from './catalogueRow.ts';
import {adaptToDensity, sampleCandidates} from './choose.ts';
import {collapseRun} from './collapse.ts';
import {backendOrder, explainBackend, type RunSize} from './predict.ts';
import {DBSCAN_CALL, DBSCAN_OPTIONS, KEPT_OPTIONS, paramsOf, prepareRun, type DbscanRequest} from './request.ts';

export interface CreateDbscanOptions extends RunnerOptions<Gpu, AdapterChoice, GPUDevice> {
  /** Default: `auto`, which chooses by the rule of `rankChoices` in `@epsball/clustering/catalogue`. */
  readonly backend?: Backend | 'auto' | undefined;
  /**
   * Whether the instance makes one run, so that `auto` counts the start of threads and of a device, as `dbscan` does.
   * Default: false.
   */
  readonly oneShot?: boolean | undefined;
}

export type DbscanOptions = DbscanRequest & Omit<CreateDbscanOptions, 'oneShot'> & DbscanRunOptions;

/** A result, with the variant and the backend that computed it. */
export interface DbscanOutcome extends DbscanResult, VariantRan<Gpu>, MissingRows {
  /** Why `auto` chose the backend, with the times of its own variants. Absent if the caller chose it. */
  readonly reason?: string;
  /**
   * With `backend: 'auto'`: better choices that could not run, and what to install. With any backend: a GPU that does
   * not take the weights. Absent if there are none.
   */
  readonly fallback?: readonly Fallback[];
}

/** DBSCAN for many runs. Keeps its device and pipelines, and chooses a variant and a backend for each point set. */
export interface Dbscan extends DbscanAlgorithm {
  /**
   * Clusters one point set.
   *
   * @param points  a point set, or what `toPoints` takes; not modified
   * @param params  eps, minPts and the metric
   * @param options progress, signal, and arrays that receive the result
   * @returns       arrays owned by the caller
   * @throws        as `dbscan`; after each error the next run works. DestroyedError after `destroy()`
   */
  run(
    points: PointsInput,
    params: DbscanRequest,
    options?: DbscanRunOptions & DbscanOutputOptions,
  ): Promise<DbscanOutcome>;
  /**
   * Opens what a run on `n` points of `dim` coordinates is expected to need: a device and its kernels, or threads.
   * Call it before the points are read, so that both happen at the same time. Optional; failures are left to the run.
   *
   * @param n    expected number of points, integer ≥ 0
   * @param dim  coordinates per point, integer ≥ 1
   */
  warmUp(n: number, dim: number): Promise<void>;
}

/**
 * Clusters a point set. The labels equal those of
 * `sklearn.cluster.DBSCAN(eps, min_samples=minPts, algorithm='kd_tree')`.
 *
 * Opens a device or threads as needed and frees them before it resolves. Calls under way at the same time share them,
 * and queue on them. For many runs, use `createDbscan`.
 *
 * @param points   a point set, or what `toPoints` takes: rows, objects, columns, GeoJSON; not modified
 * @param options  `eps` and `minPts`, and the metric. Default variant and backend: those expected to be the fastest for
 *                 a single run, by the constants of `crossovers.ts`. A software GPU runs only on request
 * @returns        arrays owned by the caller
 * @throws InvalidParameterError  also if an option does not exist: names the nearest one
 * @throws InvalidPointsError, UnsupportedDimensionError, GpuUnavailableError, GpuLimitError, GpuDeviceLostError,
 *         WorkerFailedError, RunAbortedError
 * @complexity grid: O(n · k), k = points in the 3^dim cells around a point; see the packages of the variants
 */
export async function dbscan(points: PointsInput, options: DbscanOptions): Promise<DbscanOutcome> {
  checkKnownOptions(options, DBSCAN_OPTIONS, 'options', `an object with eps and minPts: ${DBSCAN_CALL}`);
  const {signal, onProgress} = options;
  const params = paramsOf(options);
  return oneShots.call(
    'dbscan',
    options,
    (shared) => new ChoosingDbscan(shared, true),
    (reusable) => reusable.run(points, params, {signal, onProgress}),
  );
}

/**
 * Creates a DBSCAN for many runs. Opens a device when a run needs one, or at once if the backend is `gpu`, and keeps it
 * until `destroy()`. A device or `Gpu` of the caller is borrowed and never destroyed.
 *
 * @param options  variant and backend. Default: `auto` for both
 * @returns        owned by the caller, who destroys it before a borrowed device
 * @throws InvalidParameterError  if an option is not allowed; lists the allowed values
 * @throws GpuUnavailableError    if the backend is `gpu` and there is no such adapter
 */
export async function createDbscan(options: CreateDbscanOptions = {}): Promise<Dbscan> {
  checkKnownOptions(options, KEPT_OPTIONS, 'options', "an object such as {backend: 'gpu'}");
  const {oneShot = false} = options;
  if (typeof oneShot !== 'boolean') throw new InvalidParameterError('oneShot', oneShot, 'true or false');
  const reusable = new ChoosingDbscan(options, false);
  await reusable.prepare();
  return reusable;
}

interface Chosen {
  readonly size: RunSize;
  readonly choices: readonly Choice<CatalogueRow>[];
}

class ChoosingDbscan extends FrontDoor<DbscanAlgorithm, Gpu, AdapterChoice, GPUDevice> implements Dbscan {
  readonly #options: CreateDbscanOptions;
  readonly #isOneShot: boolean;
  /** Whether the last run was on a GPU, so that the next one can be. */
  #ranOnGpu = false;

  /** @param isShared  whether concurrent calls of `dbscan` share the instance, which then counts as for one run */
  constructor(options: CreateDbscanOptions, isShared: boolean) {
    super({name: 'dbscan', catalogue, isShared, loadGpu: () => import('@epsball/gpu')}, options);
    this.#options = options;
    this.#isOneShot = isShared || options.oneShot === true;
  }

  async run(
    points: PointsInput,
    params: DbscanRequest,
    options: DbscanRunOptions & DbscanOutputOptions = {},
  ): Promise<DbscanOutcome> {
    this.runner.throwIfDestroyed();
    const rule: unknown = (params as DbscanRequest | undefined)?.missing;
    if (rule === 'noise' || rule === 'drop') return this.#runComplete(points, {...params, missing: rule}, options);
    const given = prepareRun(points, params, options);
    const {prepared, expand} = params.collapse === true ? collapseRun(given) : {prepared: given, expand: undefined};
    const {size, choices} = this.#choose(prepared.points, prepared.params);
    validateOutput(options, pointCount(given.points));
    const {signal, onProgress} = options;
    const outcome = await this.runner.run(choices, {
      checkInput: () => validatePoints(prepared.points),
      signal: options.signal,
      refused: this.runner.refused(size.n, size.dim, needsOf(prepared.params), backendOrder(size)),
      run: async (algorithm) => {
        // Arrays of the caller are for all points.
        const output = expand === undefined ? options : {signal, onProgress};
        const result = await algorithm.run(prepared.points, prepared.params, output);
        return deliver(expand?.(result) ?? result, options);
      },
    });
    this.#ranOnGpu = outcome.backend === 'gpu';
    const reason = this.#reasonFor(outcome.backend, size);
    return reason === undefined ? outcome : extendResult(outcome, {reason});
  }

  /** Runs the points that lack nothing. The others are noise, or left out. */
  async #runComplete(
    input: PointsInput,
    {missing, sampleWeight, time, ...params}: DbscanRequest,
    options: DbscanRunOptions & DbscanOutputOptions,
  ): Promise<DbscanOutcome> {
    const {n, points, rows, others} = takeComplete(input, params, {sampleWeight, time});
    const request = {...params, ...others};
    if (rows === undefined) return this.run(points, request, options);
    validateOutput(options, missing === 'noise' ? n : rows.length);
    const {signal, onProgress} = options;
    const found = await this.run(points, request, {signal, onProgress});
    const to = missing === 'noise' ? rows : undefined;
    const labels = scatterRows(found.labels, to, n, -1);
    return deliver({...found, labels, coreMask: scatterRows(found.coreMask, to, n, 0), rows}, options);
  }

  async warmUp(n: number, dim: number): Promise<void> {
    this.runner.throwIfDestroyed();
    const size = {n, dim, threads: this.#options.threads, isOneShot: this.#isOneShot};
    // Two points in opposite corners of a box: kernels compile for the dimensions.
    const points = {coords: new Float32Array(2 * dim).fill(1, dim), dim};
    try {
      await this.runner.run(this.runner.choose(n, dim, {}, backendOrder(size)), {
        checkInput: () => undefined,
        run: (algorithm) => algorithm.run(points, {eps: 0.5, minPts: 2}),
      });
    } catch {
      // The run meets the same error.
    }
  }

  /** Opens the requested adapter, once. Which variant runs is chosen for the points. */
  override async prepare(): Promise<void> {
    if (this.#options.backend === 'gpu') await this.runner.openGpu();
  }

  #choose(points: PointSet, params: DbscanParams): Chosen {
    const {algorithm = 'auto', threads} = this.#options;
    return afterPoints(points, () => {
      const isOneShot = this.#isOneShot;
      const isInTime = params.epsTime !== undefined;
      const unsampled = {n: pointCount(points), dim: points.dim, threads, isOneShot, isInTime};
      const isAuto = algorithm === 'auto';
      const isOnGpu = this.#isOnGpu(unsampled);
      const candidates = isAuto && !isOnGpu ? sampleCandidates(points, params, isOneShot) : undefined;
      const size = {...unsampled, candidates};
      const choices = this.runner.choose(size.n, size.dim, needsOf(params), backendOrder(size));
      return {size, choices: isAuto ? adaptToDensity(choices, size) : choices};
    });
  }

  /**
   * Whether a run is expected on a GPU that is there. Then it needs no sample, which may take as long as the whole run.
   */
  #isOnGpu(size: RunSize): boolean {
    const {backend = 'auto'} = this.#options;
    if (backend !== 'auto') return backend === 'gpu';
    return this.runner.gpuRequested || (this.#ranOnGpu && backendOrder(size)[0] === 'gpu');
  }

  #reasonFor(backend: Backend, size: RunSize): string | undefined {
    const isAutomatic = (this.#options.backend ?? 'auto') === 'auto' && !this.runner.gpuRequested;
    return isAutomatic ? explainBackend(backend, size, this.#options.algorithm ?? 'auto') : undefined;
  }
}

function needsOf({metric, sampleWeight, epsTime}: DbscanParams): RunNeeds {
  return {metric, epsTime, weights: sampleWeight && kindOfWeights(sampleWeight)};
}
