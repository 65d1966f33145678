import {
  checkKnownOptions,
  InvalidParameterError,
  throwIfAborted,
  validateDim,
  validatePoints,
  validatePointShape,
  type PointSet,
} from '@epsball/clustering';
import type {MeanShiftParams, ShiftOptions, ShiftParams} from '../algorithm.ts';

/** Iterations of the source: “empirically estimated to be enough to make all points converge”. */
const MAX_ITERATIONS = 10;

/** Names of `ShiftParams` and of `ShiftOptions`. */
const SHIFT_PARAMS: readonly string[] = ['bandwidth', 'maxIterations', 'tolerance'];
export const SHIFT_OPTIONS: readonly string[] = ['seeds', 'signal', 'onProgress'];

/** Parameters with their defaults. */
export type CheckedShiftParams = {readonly [name in keyof ShiftParams]-?: number};

/** What checks need to know of a backend. */
export interface BackendBounds {
  /** In messages. */
  readonly name: string;
  /** Most dimensions; `Infinity` for any number. */
  readonly maxDim: number;
  /** Whether the backend checks for coordinates that are not finite in its first pass over the points. */
  readonly looksForNonFinite?: boolean;
}

/** The kernel of a run. Undefined: the shift alone, with the Gaussian. */
type Kernel = MeanShiftParams['kernel'];

/**
 * Checks the parameters at the public border.
 *
 * @returns  the parameters, with defaults
 * @throws InvalidParameterError  if `bandwidth` is not finite and > 0, or 0 with the flat kernel; if `maxIterations` is
 *                                not an integer ≥ 1; if `tolerance` is not finite and ≥ 0
 */
export function validateShiftParams(params: ShiftParams, kernel?: Kernel): CheckedShiftParams {
  const {bandwidth, maxIterations = MAX_ITERATIONS, tolerance = 0} = params;
  if (!Number.isFinite(bandwidth) || bandwidth < 0 || (bandwidth === 0 && kernel !== 'flat')) {
    throw new InvalidParameterError('bandwidth', bandwidth, bandwidthsOf(kernel));
  }
  if (!Number.isInteger(maxIterations) || maxIterations < 1) {
    throw new InvalidParameterError('maxIterations', maxIterations, 'an integer ≥ 1');
  }
  if (!Number.isFinite(tolerance) || tolerance < 0) {
    throw new InvalidParameterError('tolerance', tolerance, 'a finite number ≥ 0');
  }
  return {bandwidth, maxIterations, tolerance};
}

/**
 * Checks the names among the arguments of a run, for callers without type checks.
 *
 * @param known  names of the parameters
 * @throws InvalidParameterError  if one is unknown, or belongs to the other argument; if `params` is not an object
 */
export function checkRunNames(params: object, options: object, known: readonly string[] = SHIFT_PARAMS): void {
  checkKnownOptions(params, known, 'params', 'an object with bandwidth', {
    names: SHIFT_OPTIONS,
    place: (name) => `it among the options, the third argument: run(points, params, {${name}})`,
  });
  checkKnownOptions(options, SHIFT_OPTIONS, 'options', 'an object such as {signal, onProgress}', {
    names: known,
    place: (name) => `it among the parameters, the second argument: run(points, {${name}})`,
  });
}

/** Allowed bandwidths. The Gaussian divides by it. */
function bandwidthsOf(kernel: Kernel): string {
  if (kernel === 'flat') return 'a finite number ≥ 0';
  return kernel === undefined ? 'a finite number > 0' : 'a finite number > 0; 0 is for the flat kernel';
}

/**
 * Checks everything before a run allocates. Every backend's `shift` begins with it.
 *
 * @returns  the parameters, with defaults
 * @throws InvalidParameterError      if a name is unknown, a parameter is out of range, or seeds have other
 *                                    dimensions than the points
 * @throws InvalidPointsError         if the coordinates are not whole, finite points; finite only if the backend does
 *                                    not check it
 * @throws UnsupportedDimensionError  if the points have more than `maxDim` dimensions
 * @throws RunAbortedError            if the signal has fired
 * @complexity O((n + m) · dim), no allocation
 */
export function validateShift(
  points: PointSet,
  params: ShiftParams,
  options: ShiftOptions,
  {name, maxDim, looksForNonFinite = false, kernel}: BackendBounds & {readonly kernel?: Kernel},
): CheckedShiftParams {
  validatePointShape(points);
  checkRunNames(params, options);
  const {seeds, signal} = options;
  const checked = validateShiftParams(params, kernel);
  if (!looksForNonFinite) validatePoints(points);
  validateDim(points.dim, name, maxDim);
  if (seeds !== undefined) {
    validatePoints(seeds);
    if (seeds.dim !== points.dim) {
      throw new InvalidParameterError('seeds.dim', seeds.dim, `${points.dim}, the dimensions of the points`);
    }
  }
  throwIfAborted(signal, 'start');
  return checked;
}
