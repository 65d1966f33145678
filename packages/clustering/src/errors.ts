/** Codes of the error classes; stable across releases. */
export type ErrorCode =
  | 'INVALID_PARAMETER'
  | 'INVALID_POINTS'
  | 'UNSUPPORTED_DIMENSION'
  | 'GPU_UNAVAILABLE'
  | 'GPU_LIMIT'
  | 'GPU_DEVICE_LOST'
  | 'WORKERS_UNAVAILABLE'
  | 'WORKER_FAILED'
  | 'RUN_ABORTED'
  | 'DESTROYED';

/** Base class of all errors that epsball throws on purpose. Any other error is a bug in epsball. */
export abstract class EpsballError extends Error {
  abstract readonly code: ErrorCode;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    // Minifiers rename classes, so `constructor.name` does not serve.
    this.name = 'EpsballError';
  }
}

/** A parameter outside its range: `minPts = 0; expected an integer ≥ 1`. */
export class InvalidParameterError extends EpsballError {
  readonly code = 'INVALID_PARAMETER';
  readonly parameter: string;
  readonly value: unknown;
  readonly expectation: string;

  constructor(parameter: string, value: unknown, expectation: string) {
    super(`${parameter} = ${formatValue(value)}; expected ${expectation}`);
    this.name = 'InvalidParameterError';
    this.parameter = parameter;
    this.value = value;
    this.expectation = expectation;
  }
}

/** Coordinates that are not finite, do not form whole points, or lie in a detached array. */
export class InvalidPointsError extends EpsballError {
  readonly code = 'INVALID_POINTS';
  /** The first bad point; −1 if the array as a whole is wrong. */
  readonly index: number;

  constructor(message: string, index = -1) {
    super(message);
    this.name = 'InvalidPointsError';
    this.index = index;
  }
}

/** More dimensions than the variant takes. Front doors also name the variants that take them. */
export class UnsupportedDimensionError extends EpsballError {
  readonly code = 'UNSUPPORTED_DIMENSION';
  readonly dim: number;
  readonly maxDim: number;
  /** Variants that take the dimensions. Empty if a variant itself throws. */
  readonly alternatives: readonly string[];

  constructor(variant: string, dim: number, maxDim: number, alternatives: readonly string[] = []) {
    const others = alternatives.length === 0 ? '' : ` (${alternatives.join(', ')} can)`;
    super(`dim = ${dim}; expected 1 to ${maxDim} for ${variant}${others}`);
    this.name = 'UnsupportedDimensionError';
    this.dim = dim;
    this.maxDim = maxDim;
    this.alternatives = alternatives;
  }
}

/** There is no adapter of the requested kind. */
export class GpuUnavailableError extends EpsballError {
  readonly code = 'GPU_UNAVAILABLE';
  override readonly name = 'GpuUnavailableError';
}

/** The device allows less than the run needs. */
export class GpuLimitError extends EpsballError {
  readonly code = 'GPU_LIMIT';
  readonly what: string;
  /** Bytes requested, or a count if `what` names one. */
  readonly asked: number;
  /** NaN if the device does not report it. */
  readonly allowed: number;

  constructor(what: string, asked: number, allowed: number, advice: string, options?: ErrorOptions) {
    super(`${what}: asked ${asked}, allowed ${Number.isNaN(allowed) ? 'less' : allowed}; ${advice}`, options);
    this.name = 'GpuLimitError';
    this.what = what;
    this.asked = asked;
    this.allowed = allowed;
  }
}

/** The device was lost or destroyed during a run or before it. */
export class GpuDeviceLostError extends EpsballError {
  readonly code = 'GPU_DEVICE_LOST';
  override readonly name = 'GpuDeviceLostError';
}

/** There are no worker threads with shared memory here, for example in a page that is not cross-origin isolated. */
export class WorkersUnavailableError extends EpsballError {
  readonly code = 'WORKERS_UNAVAILABLE';
  override readonly name = 'WorkersUnavailableError';
}

/** A task on a worker thread failed. `phase` and `range` identify it. */
export class WorkerFailedError extends EpsballError {
  readonly code = 'WORKER_FAILED';
  readonly phase: string;
  readonly range: readonly [start: number, end: number];

  constructor(phase: string, range: readonly [start: number, end: number], options: ErrorOptions) {
    const {cause} = options;
    const why = cause instanceof Error && cause.message !== '' ? `: ${cause.message}` : '';
    super(`worker failed in ${phase} on range ${range[0]}..${range[1]}${why}`, options);
    this.name = 'WorkerFailedError';
    this.phase = phase;
    this.range = range;
  }
}

/** The caller's `AbortSignal` fired. `cause` is the signal's reason. */
export class RunAbortedError extends EpsballError {
  readonly code = 'RUN_ABORTED';

  constructor(phase: string, reason: unknown) {
    super(`run aborted in ${phase}`, {cause: reason});
    this.name = 'RunAbortedError';
  }
}

/** `run` was called after `destroy()`, or was in progress when `destroy()` was called. */
export class DestroyedError extends EpsballError {
  readonly code = 'DESTROYED';

  /** @param what  the destroyed object, as the message names it: a catalogue id, or `dbscan` */
  constructor(what: string, options?: ErrorOptions) {
    super(`${what} was destroyed; create a new one to run again`, options);
    this.name = 'DestroyedError';
  }
}

function formatValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (value === null || value === undefined) return String(value);
  return Object.prototype.toString.call(value).slice(8, -1);
}
