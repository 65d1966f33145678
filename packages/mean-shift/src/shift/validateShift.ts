import {
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
  requireParams(params);
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

/** @throws InvalidParameterError  if a caller without types passes no object */
export function requireParams(params: unknown): void {
  if (params === undefined || params === null) {
    throw new InvalidParameterError('params', params, 'an object with bandwidth');
  }
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
 * @throws InvalidParameterError      if a parameter is out of range, or seeds have other dimensions than the points
 * @throws InvalidPointsError         if the coordinates are not whole, finite points; finite only if the backend does
 *                                    not check it
 * @throws UnsupportedDimensionError  if the points have more than `maxDim` dimensions
 * @throws RunAbortedError            if the signal has fired
 * @complexity O((n + m) · dim), no allocation
 */
export function validateShift(
  points: PointSet,
  params: ShiftParams,
  {seeds, signal}: ShiftOptions,
  {name, maxDim, looksForNonFinite = false, kernel}: BackendBounds & {readonly kernel?: Kernel},
): CheckedShiftParams {
  validatePointShape(points);
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
