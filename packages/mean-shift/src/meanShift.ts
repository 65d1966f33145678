import {
  checkKnownOptions,
  checkMissing,
  InvalidParameterError,
  NOISE,
  pointCount,
  scatterRows,
  takeComplete,
  throwIfAborted,
  toPoints,
  validatePoints,
  type MissingOptions,
  type MissingRows,
  type PointSet,
  type PointsInput,
} from '@epsball/clustering';
import {
  afterPoints,
  FrontDoor,
  oneShots,
  RUNNER_OPTIONS,
  type Backend,
  type RunnerOptions,
  type VariantOptionValues,
  type VariantRan,
} from '@epsball/clustering/catalogue';
import type {AdapterChoice, Gpu} from '@epsball/gpu';
import type {LabelResult, MeanShiftAlgorithm, MeanShiftParams, MeanShiftResult, ShiftOptions} from './algorithm.ts';
import {meanShiftCatalogue, type MeanShiftVariant} from './catalogue.ts';
import {MEAN_SHIFT_PARAMS, SHIFT_OPTIONS, validateMeanShiftParams} from './checkRun.ts';
import {areOnDevice, type DevicePoints} from './gpu/points/devicePoints.ts';

/**
 * From this many points on, `backend: 'auto'` looks for a hardware GPU, and else takes worker threads.
 *
 * Opening a device and creating its pipelines takes 0.6 to 0.8 s, once (NVIDIA H200). On one thread of a busy 2-core
 * Intel Xeon, points in 3-D take 0.2 s for n = 1000, 0.5 s (cut 5) to 1.3 s (no cut) for 3000, and 1 to 4 s for 5000
 * (`gaussians3d:seed=1`, bandwidths 0.2 and 2). Without a cut the time grows with n². So for 3000 points a GPU that was
 * opened in vain costs no more than a run.
 */
export const MEAN_SHIFT_GPU_PAYS_FROM = 3000;

export interface CreateMeanShiftOptions extends RunnerOptions<Gpu, AdapterChoice, GPUDevice> {
  /** `points`, `lattice`, or `auto` (the default): `points`. The catalogue describes them. */
  readonly algorithm?: string | undefined;
  /**
   * Where to run. Default: `auto`. It takes the GPU if one is asked for; from `MEAN_SHIFT_GPU_PAYS_FROM` points on a
   * hardware GPU, or worker threads if there is none; the calling thread for fewer points.
   */
  readonly backend?: Backend | 'auto' | undefined;
  /** Options of a named algorithm: `{algorithm: 'lattice', options: {nodes: 8}}`. The catalogue lists them. */
  readonly options?: VariantOptionValues | undefined;
}

const OPTIONS: readonly string[] = [...MEAN_SHIFT_PARAMS, 'missing', ...RUNNER_OPTIONS, ...SHIFT_OPTIONS];

/** The parameters of a run, as a caller of the front door states them. */
export type MeanShiftRequest = MeanShiftParams & MissingOptions;

export type MeanShiftOptions = MeanShiftRequest & CreateMeanShiftOptions & ShiftOptions;

/**
 * What ran, and on which points. With `missing: 'noise'` a point that lacks a coordinate has the label −1, and NaN for
 * its final position.
 */
export type MeanShiftRan = VariantRan<Gpu> & MissingRows;

/** Mean shift that keeps its device and pipelines between runs, and chooses anew for each point set. */
export interface MeanShift extends MeanShiftAlgorithm {
  run(points: PointsInput, params: MeanShiftRequest, options?: ShiftOptions): Promise<MeanShiftResult & MeanShiftRan>;
  /**
   * As `run`, without `shifted`. On a GPU final positions then stay on the device: for many points, reading them back
   * takes longer than all else. `DevicePoints` run on the GPU; pass the `gpu` that they are on.
   */
  label(
    points: PointsInput | DevicePoints,
    params: MeanShiftRequest,
    options?: ShiftOptions,
  ): Promise<LabelResult & MeanShiftRan>;
}

/**
 * Clusters a point set by mean shift: every point moves uphill in the density of all points, to a mode, and modes near
 * each other are one cluster.
 *
 * Opens what it needs and frees it before it resolves. Calls under way at the same time share it, and queue on it. For
 * many runs, keep a `createMeanShift`.
 *
 * @param points   a point set, or what `toPoints` takes; not modified
 * @param options  `bandwidth` is required. Defaults: the Gaussian kernel, a trajectory from every point, and a backend
 *                 as `CreateMeanShiftOptions.backend` says, never a software GPU
 * @returns        arrays owned by the caller
 * @throws InvalidParameterError, InvalidPointsError, UnsupportedDimensionError, GpuUnavailableError, GpuLimitError,
 *         GpuDeviceLostError, WorkerFailedError, RunAbortedError
 */
export async function meanShift(
  points: PointsInput,
  options: MeanShiftOptions,
): Promise<MeanShiftResult & MeanShiftRan> {
  checkKnownOptions(options, OPTIONS, 'options', 'an object with bandwidth: meanShift(points, {bandwidth: 0.5})');
  const {algorithm, backend, adapter, device, gpu, threads, options: own, ...others} = options;
  const {seeds, signal, onProgress, ...params} = others;
  return oneShots.call(
    'mean-shift',
    {algorithm, backend, adapter, device, gpu, threads, options: own},
    (shared) => new ChoosingMeanShift(shared, true),
    (reusable) => reusable.run(points, params, {seeds, signal, onProgress}),
  );
}

/**
 * Prepares mean shift for many runs. With a named backend, device, pipelines and threads are ready when this resolves;
 * with `auto` the first run that needs them opens them. They live until `destroy()`. A device or `Gpu` of the caller is
 * borrowed and never destroyed.
 *
 * @param options  what to run and where
 * @returns        owned by the caller, who destroys it before a device that it borrowed
 * @throws InvalidParameterError  if an option is out of range; lists the choices
 * @throws GpuUnavailableError    if the backend is `gpu` and there is no such adapter
 */
export async function createMeanShift(options: CreateMeanShiftOptions = {}): Promise<MeanShift> {
  checkKnownOptions(options, RUNNER_OPTIONS, 'options', "an object such as {backend: 'gpu'}");
  const reusable = new ChoosingMeanShift(options, false);
  await reusable.prepare();
  return reusable;
}

class ChoosingMeanShift extends FrontDoor<MeanShiftVariant, Gpu, AdapterChoice, GPUDevice> implements MeanShift {
  constructor(options: CreateMeanShiftOptions, isShared: boolean) {
    const parts = {
      name: 'mean-shift',
      catalogue: meanShiftCatalogue,
      gpuPaysFrom: MEAN_SHIFT_GPU_PAYS_FROM,
      isShared,
      loadGpu: () => import('@epsball/gpu'),
    };
    super(parts, options);
  }

  async run(
    input: PointsInput,
    request: MeanShiftRequest,
    options: ShiftOptions = {},
  ): Promise<MeanShiftResult & MeanShiftRan> {
    return runByRule(input, request, options, (points, params) =>
      this.#run(points, params, options, (variant) => variant.run(points, params, options)),
    );
  }

  async label(
    input: PointsInput | DevicePoints,
    request: MeanShiftRequest,
    options: ShiftOptions = {},
  ): Promise<LabelResult & MeanShiftRan> {
    if (areOnDevice(input)) return this.#labelOnDevice(input, request, options);
    return runByRule(input, request, options, (points, params) =>
      this.#run(points, params, options, async (variant) => {
        if (variant.label !== undefined) return variant.label(points, params, options);
        const {shifted: _, ...result} = await variant.run(points, params, options);
        return result;
      }),
    );
  }

  /** Chooses and runs. An error of the parameters comes before one of the choice. */
  #run<Result extends LabelResult>(
    points: PointSet,
    params: MeanShiftParams,
    options: ShiftOptions,
    run: (variant: MeanShiftVariant) => Promise<Result>,
  ): Promise<Result & MeanShiftRan> {
    this.runner.throwIfDestroyed();
    const choices = afterPoints(points, () => {
      validateMeanShiftParams(params, options);
      throwIfAborted(options.signal, 'start');
      return this.runner.choose(pointCount(points), points.dim);
    });
    return this.runner.run(choices, {checkInput: () => validatePoints(points), signal: options.signal, run});
  }

  async #labelOnDevice(
    points: DevicePoints,
    request: MeanShiftRequest,
    options: ShiftOptions,
  ): Promise<LabelResult & MeanShiftRan> {
    const {missing, params} = splitRule(request);
    if (missing !== undefined) throw new InvalidParameterError('missing', missing, "'error' for points on the device");
    this.runner.throwIfDestroyed();
    const choices = this.runner.choose(points.n, points.dim).filter(({backend}) => backend === 'gpu');
    if (choices.length === 0) {
      throw new InvalidParameterError('backend', 'sequential or workers', 'gpu for points on the device');
    }
    return this.runner.run(choices, {
      checkInput: () => undefined,
      run: (variant) => {
        if (variant.label === undefined) throw new Error('a variant on a GPU has no label()');
        return variant.label(points, params, options);
      },
    });
  }
}

/** @throws InvalidParameterError  if the rule is unknown */
function splitRule(request: MeanShiftRequest): {missing: 'noise' | 'drop' | undefined; params: MeanShiftParams} {
  // Callers without type checks may pass anything, which the check of the parameters refuses.
  if (typeof request !== 'object' || request === null) return {missing: undefined, params: request};
  const {missing, ...params} = request;
  checkMissing(missing);
  return {missing: missing === 'error' ? undefined : missing, params};
}

/** Runs the points. `missing` of the request makes incomplete points noise, or leaves them out. */
async function runByRule<Result extends LabelResult & Partial<Pick<MeanShiftResult, 'shifted'>>>(
  input: PointsInput,
  request: MeanShiftRequest,
  options: ShiftOptions,
  run: (points: PointSet, params: MeanShiftParams) => Promise<Result>,
): Promise<Result & MissingRows> {
  const {missing, params} = splitRule(request);
  if (missing === undefined) return run(toPoints(input), params);
  const {n, points, rows} = takeComplete(input, {}, {});
  const found = await run(points, params);
  if (rows === undefined) return found;
  if (missing === 'drop') return {...found, rows};
  const labels = scatterRows(found.labels, rows, n, NOISE);
  const isOfSeeds = options.seeds !== undefined || params.binSeeding === true;
  if (found.shifted === undefined || isOfSeeds) return {...found, labels, rows};
  const {dim} = points;
  const axes = Int32Array.from({length: rows.length * dim}, (_, k) => rows[Math.floor(k / dim)] * dim + (k % dim));
  return {...found, labels, shifted: scatterRows(found.shifted, axes, n * dim, NaN), rows};
}
