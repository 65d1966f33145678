import {InvalidParameterError, validatePointShape, type PointSet} from '@epsball/clustering';
import {binSeeds} from './binSeeds.ts';
import type {ClimbRules} from './climb/climber.ts';
import type {Assignment, MeanShiftParams, ShiftOptions} from './algorithm.ts';
import {
  checkRunNames,
  validateShift,
  validateShiftParams,
  type BackendBounds,
  type CheckedShiftParams,
} from './shift/validateShift.ts';

/** Defaults of scikit-learn: “max_iter”, and the length of the last step, in bandwidths. */
const MAX_ITERATIONS = 300;
const TOLERANCE = 1e-3;

/** Names of `MeanShiftParams`. */
export const MEAN_SHIFT_PARAMS: readonly string[] = [
  'bandwidth',
  'maxIterations',
  'tolerance',
  'kernel',
  'cut',
  'assignment',
  'domains',
  'clusterAll',
  'binSeeding',
  'minBinFrequency',
];

/** Checked parameters of a run, with defaults. */
export interface CheckedRun {
  readonly rules: ClimbRules;
  /** The first positions, if they are not the points. */
  readonly seeds: PointSet | undefined;
  /** Where trajectories start; `checkRun` has computed the seeds of bins. */
  readonly starts: 'points' | 'seeds' | 'bins';
  /** Of bins. */
  readonly minBinFrequency: number;
  readonly assignment: Assignment;
  /** Of `basin`. */
  readonly domains: readonly number[];
  readonly clusterAll: boolean;
  /** 0: no cut. */
  readonly cut: number;
}

/**
 * Checks the parameters without the points.
 *
 * @throws InvalidParameterError  if a name is unknown; if a parameter is out of range, or would be ignored
 */
export function validateMeanShiftParams(
  params: MeanShiftParams,
  options: ShiftOptions,
): {readonly shift: CheckedShiftParams; readonly assignment: Assignment} {
  checkRunNames(params, options, MEAN_SHIFT_PARAMS);
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
  // A NaN bandwidth yields a NaN tolerance. The error names the bandwidth.
  const own = Number.isNaN(tolerance) && params.tolerance === undefined ? undefined : tolerance;
  const shift = validateShiftParams({bandwidth, maxIterations, tolerance: own}, kernel);
  return {shift, assignment: checkAssignment(params, binSeeding || seeds !== undefined)};
}

/**
 * Checks the parameters and the points, and computes the seeds. Every backend's `run` begins with it.
 *
 * @throws InvalidParameterError  if a parameter is out of range, or would be ignored
 * @throws as `validateShift`
 * @complexity  as `validateShift`, and `binSeeds` with bin seeding
 */
export function checkRun(
  points: PointSet,
  params: MeanShiftParams,
  options: ShiftOptions,
  backend: BackendBounds,
): CheckedRun {
  validatePointShape(points);
  const {shift, assignment} = validateMeanShiftParams(params, options);
  const {kernel = 'gaussian', cut = 0, clusterAll = true, binSeeding = false, minBinFrequency = 1} = params;
  const {bandwidth, maxIterations, tolerance} = shift;
  validateShift(points, shift, options, {...backend, kernel});
  const domains = checkDomains(params.domains, points.dim);
  const seeds = binSeeding ? binSeeds(points, bandwidth, minBinFrequency) : options.seeds;
  const activeList = seeds === points ? undefined : seeds;
  return {
    rules: {
      kernel,
      bandwidth,
      radius: kernel === 'flat' ? bandwidth : cut === 0 ? Infinity : cut * bandwidth,
      maxSteps: kernel === 'flat' ? maxIterations + 1 : maxIterations,
      minStep: tolerance,
    },
    seeds: activeList,
    starts: binSeeding ? 'bins' : options.seeds === undefined ? 'points' : 'seeds',
    minBinFrequency,
    assignment,
    domains,
    clusterAll,
    cut,
  };
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
    throw new InvalidParameterError(
      'domains',
      describeDomains(domains),
      `numbers of axes that add up to ${dim}, the dimensions`,
    );
  }
  return domains;
}

function describeDomains(domains: readonly number[]): string {
  return `[${domains.join(', ')}]`;
}
