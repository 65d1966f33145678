import {
  checkInteger,
  checkKnownOptions,
  InvalidParameterError,
  throwIfAborted,
  validateDim,
  validatePoints,
  validatePointShape,
  type PointSet,
} from '@epsball/clustering';
import type {Assignment, MeanShiftParams, ShiftOptions, ShiftParams} from './algorithm.ts';
import {binSeeds} from './binSeeds.ts';
import type {ClimbRules} from './climb/climber.ts';

/** Defaults of scikit-learn: “max_iter”, and the length of the last step, in bandwidths. */
const MAX_ITERATIONS = 300;
const TOLERANCE = 1e-3;

/** Iterations of the source: “empirically estimated to be enough to make all points converge”. */
const SHIFT_ITERATIONS = 10;

/** Names of `ShiftParams`, of `MeanShiftParams` and of `ShiftOptions`. */
const SHIFT_PARAMS: readonly string[] = ['bandwidth', 'maxIterations', 'tolerance'];
export const MEAN_SHIFT_PARAMS: readonly string[] = [
  ...SHIFT_PARAMS,
  'kernel',
  'cut',
  'assignment',
  'domains',
  'clusterAll',
  'binSeeding',
  'minBinFrequency',
];
export const SHIFT_OPTIONS: readonly string[] = ['seeds', 'signal', 'onProgress'];

export interface BackendBounds {
  readonly name: string;
  readonly maxDim: number;
  /** Whether the first pass of the backend over the points looks for coordinates that are not finite. */
  readonly looksForNonFinite?: boolean;
}

export interface CheckedClimb {
  readonly rules: ClimbRules;
  /** The first positions, if they are not the points. */
  readonly seeds: PointSet | undefined;
}

export interface CheckedRun extends CheckedClimb {
  /** Where trajectories start; `checkRun` has computed the seeds of bins. */
  readonly starts: 'points' | 'seeds' | 'bins';
  readonly minBinFrequency: number;
  readonly assignment: Assignment;
  readonly domains: readonly number[];
  readonly clusterAll: boolean;
  /** 0: no cut. */
  readonly cut: number;
}

/** @throws InvalidParameterError  if a name is unknown, or belongs to the other argument */
export function checkRunNames(params: object, options: object, known: readonly string[] = MEAN_SHIFT_PARAMS): void {
  checkKnownOptions(params, known, 'params', 'an object with bandwidth', {
    names: SHIFT_OPTIONS,
    place: (name) => `it among the options, the third argument: run(points, params, {${name}})`,
  });
  checkKnownOptions(options, SHIFT_OPTIONS, 'options', 'an object such as {signal, onProgress}', {
    names: known,
    place: (name) => `it among the parameters, the second argument: run(points, {${name}})`,
  });
}

export function checkShift(
  points: PointSet,
  params: ShiftParams,
  options: ShiftOptions,
  backend: BackendBounds,
): CheckedClimb {
  validatePointShape(points);
  checkRunNames(params, options, SHIFT_PARAMS);
  const {bandwidth, maxIterations = SHIFT_ITERATIONS, tolerance = 0} = params;
  checkSteps({bandwidth, maxIterations, tolerance}, undefined);
  checkInput(points, options, backend);
  const rules = {kernel: 'gaussian', bandwidth, radius: Infinity, maxSteps: maxIterations, minStep: tolerance} as const;
  return {rules: {...rules, sumsOffsets: true}, seeds: options.seeds};
}

/** Checks the parameters without the points. */
export function validateMeanShiftParams(
  params: MeanShiftParams,
  options: ShiftOptions,
): {readonly rules: ClimbRules; readonly assignment: Assignment} {
  checkRunNames(params, options);
  const {seeds} = options;
  const {kernel = 'gaussian', cut = 0, binSeeding = false, minBinFrequency, bandwidth} = params;
  checkKernel(kernel, cut, params);
  if (minBinFrequency !== undefined && !binSeeding) {
    throw new InvalidParameterError('minBinFrequency', minBinFrequency, 'no value without binSeeding');
  }
  if (binSeeding && seeds !== undefined) {
    throw new InvalidParameterError('binSeeding', true, 'false with seeds');
  }
  const {maxIterations = MAX_ITERATIONS, tolerance = TOLERANCE * bandwidth} = params;
  checkSteps({bandwidth, maxIterations, tolerance}, kernel);
  const isFlat = kernel === 'flat';
  const radius = isFlat ? bandwidth : cut === 0 ? Infinity : cut * bandwidth;
  const maxSteps = isFlat ? maxIterations + 1 : maxIterations;
  const rules = {kernel, bandwidth, radius, maxSteps, minStep: tolerance, sumsOffsets: false};
  return {rules, assignment: checkAssignment(params, binSeeding || seeds !== undefined)};
}

/** Every backend's `run` begins with it: checks parameters and points before it allocates, and computes seeds. */
export function checkRun(
  points: PointSet,
  params: MeanShiftParams,
  options: ShiftOptions,
  backend: BackendBounds,
): CheckedRun {
  validatePointShape(points);
  const {rules, assignment} = validateMeanShiftParams(params, options);
  const {cut = 0, clusterAll = true, binSeeding = false, minBinFrequency = 1} = params;
  // At bandwidth 0 no backend reads the points.
  checkInput(points, options, rules.bandwidth === 0 ? {...backend, looksForNonFinite: false} : backend);
  const domains = checkDomains(params.domains, points.dim);
  const seeds = binSeeding ? binSeeds(points, rules.bandwidth, minBinFrequency) : options.seeds;
  return {
    rules,
    seeds: seeds === points ? undefined : seeds,
    starts: binSeeding ? 'bins' : options.seeds === undefined ? 'points' : 'seeds',
    minBinFrequency,
    assignment,
    domains,
    clusterAll,
    cut,
  };
}

/** Checks what all runs have. Without a kernel: the shift alone. */
function checkSteps(
  {bandwidth, maxIterations, tolerance}: {readonly [name in keyof ShiftParams]-?: number},
  kernel: MeanShiftParams['kernel'],
): void {
  if (!Number.isFinite(bandwidth) || bandwidth < 0 || (bandwidth === 0 && kernel !== 'flat')) {
    // The Gaussian divides by it.
    const positive = kernel === undefined ? 'a finite number > 0' : 'a finite number > 0; 0 is for the flat kernel';
    throw new InvalidParameterError('bandwidth', bandwidth, kernel === 'flat' ? 'a finite number ≥ 0' : positive);
  }
  checkInteger('maxIterations', maxIterations, 1);
  if (!Number.isFinite(tolerance) || tolerance < 0) {
    throw new InvalidParameterError('tolerance', tolerance, 'a finite number ≥ 0');
  }
}

function checkInput(
  points: PointSet,
  {seeds, signal}: ShiftOptions,
  {name, maxDim, looksForNonFinite = false}: BackendBounds,
): void {
  if (!looksForNonFinite) validatePoints(points);
  validateDim(points.dim, name, maxDim);
  if (seeds !== undefined) {
    validatePoints(seeds);
    if (seeds.dim !== points.dim) {
      throw new InvalidParameterError('seeds.dim', seeds.dim, `${points.dim}, the dimensions of the points`);
    }
  }
  throwIfAborted(signal, 'start');
}

function checkKernel(kernel: unknown, cut: number, params: MeanShiftParams): void {
  if (kernel !== 'gaussian' && kernel !== 'flat') {
    throw new InvalidParameterError('kernel', kernel, "'gaussian' or 'flat'");
  }
  if (kernel === 'flat' && params.cut !== undefined) {
    throw new InvalidParameterError('cut', cut, 'no value with the flat kernel, which ends at the bandwidth');
  }
  // Below one bandwidth the bound of `gaussianCutBound` does not hold.
  if (!Number.isFinite(cut) || (cut !== 0 && cut < 1)) {
    throw new InvalidParameterError('cut', cut, '0 or a finite number ≥ 1');
  }
}

function checkAssignment({kernel, assignment, clusterAll, domains}: MeanShiftParams, hasSeeds: boolean): Assignment {
  const chosen = assignment ?? (kernel === 'flat' || hasSeeds ? 'nearest' : 'mode');
  if (chosen !== 'mode' && chosen !== 'basin' && chosen !== 'nearest') {
    throw new InvalidParameterError('assignment', chosen, "'mode', 'basin' or 'nearest'");
  }
  if (domains !== undefined && chosen !== 'basin') {
    throw new InvalidParameterError('domains', describeDomains(domains), "no value without assignment 'basin'");
  }
  if (chosen === 'nearest') return chosen;
  if (hasSeeds) {
    throw new InvalidParameterError('assignment', chosen, "'nearest' with seeds");
  }
  if (clusterAll === false) {
    throw new InvalidParameterError('clusterAll', false, `true with assignment '${chosen}'`);
  }
  return chosen;
}

function checkDomains(domains: readonly number[] = [], dim: number): readonly number[] {
  const given: unknown = domains;
  if (!Array.isArray(given)) throw new InvalidParameterError('domains', given, 'numbers of axes, as in [2, 3]');
  if (domains.length === 0) return [dim];
  const isWhole = domains.every((axes) => Number.isInteger(axes) && axes >= 1);
  if (!isWhole || domains.reduce((sum, axes) => sum + axes) !== dim) {
    const wanted = `numbers of axes that add up to ${dim}, the dimensions`;
    throw new InvalidParameterError('domains', describeDomains(domains), wanted);
  }
  return domains;
}

function describeDomains(domains: readonly number[]): string {
  return `[${domains.join(', ')}]`;
}
