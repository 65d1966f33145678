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

/** What checks have to know of a backend. */
export interface BackendBounds {
  /** In messages. */
  readonly name: string;
  /** Most dimensions it takes; `Infinity` where any number will do. */
  readonly maxDim: number;
  /** It looks for coordinates of points that are not finite by itself, where its first pass over them does so in passing. */
  readonly looksForNonFinite?: boolean;
}

/** The kernel of a run; left out: the shift alone, which is by the Gaussian. */
type Kernel = MeanShiftParams['kernel'];

/**
 * Checks the parameters at the public border.
 *
 * @returns  the parameters, with defaults for those left out
 * @throws InvalidParameterError  if `bandwidth` is not finite and > 0, or 0 with the flat kernel, `maxIterations` not an integer ≥ 1, or `tolerance` not
 *                                finite and ≥ 0
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

/** What a bandwidth may be. The Gaussian divides by it. */
function bandwidthsOf(kernel: Kernel): string {
  if (kernel === 'flat') return 'a finite number ≥ 0';
  return kernel === undefined ? 'a finite number > 0' : 'a finite number > 0; 0 is for the flat kernel';
}

/**
 * The preamble of every backend's `shift`: refuses what no run may start with, before anything is allocated.
 *
 * @returns  the parameters, with defaults for those left out
 * @throws InvalidParameterError      if a parameter is out of range, or seeds have other dimensions than the points
 * @throws InvalidPointsError         if the coordinates are not whole, finite points; finite only where the backend does not look
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
  const checked = validateShiftParams(params, kernel);
  if (looksForNonFinite) validatePointShape(points);
  else validatePoints(points);
  validateDim(points.dim, name, maxDim);
  if (seeds !== undefined) {
    validatePoints(seeds);
    if (seeds.dim !== points.dim) {
      throw new InvalidParameterError('seeds.dim', seeds.dim, `${points.dim}, as the points have`);
    }
  }
  throwIfAborted(signal, 'start');
  return checked;
}
