/**
 * A data file that cannot be what was asked of it: missing, truncated, of the wrong shape or type, with text in a
 * number column. One line: file, what is wrong, what was expected.
 */
export class DatasetFormatError extends Error {
  readonly code = 'DATASET_FORMAT';
  /** As the caller named the file. */
  readonly path: string;
  /** Line of a text file, from 1. */
  readonly line?: number;

  constructor(path: string, message: string, options: ErrorOptions & {readonly line?: number} = {}) {
    super(`${path}${options.line === undefined ? '' : `, line ${options.line}`}: ${message}`, options);
    this.name = 'DatasetFormatError';
    this.path = path;
    if (options.line !== undefined) this.line = options.line;
  }
}

/** A file that could not be written; what stood at its path before stands there still. `cause` is the system's error. */
export class DatasetWriteError extends Error {
  readonly code = 'DATASET_WRITE';
  readonly path: string;

  constructor(path: string, cause: unknown) {
    super(`${path}: cannot be written (${systemReason(cause)})`, {cause});
    this.name = 'DatasetWriteError';
    this.path = path;
  }
}

/** The first line of an error's message; for a system error its text alone, without the temporary name. */
export function systemReason(error: unknown): string {
  const message = (error instanceof Error ? error.message : String(error)).split('\n', 1)[0];
  const system = /^(E[A-Z]+: [^,]+),/.exec(message);
  return system === null ? message : system[1];
}
