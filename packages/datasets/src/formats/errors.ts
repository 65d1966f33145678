/** Characters that a terminal obeys instead of showing: C0, DEL, C1, line separators and changes of text direction. */
const CONTROLS = /[\p{Cc}\u2028\u2029\u200E\u200F\u061C\u202A-\u202E\u2066-\u2069]/gu;

/** Lengths of names and texts from files in messages. */
const NAME_LENGTH_MAX = 40;
const LISTED_MAX = 20;

/**
 * A data file that is missing, truncated, of the wrong shape or type, or has text in a number column. The message is
 * one line: file, what is wrong, what was expected. Control characters in it are escaped.
 */
export class DatasetFormatError extends Error {
  readonly code = 'DATASET_FORMAT';
  /** The file, as the caller named it. */
  readonly path: string;
  /** The message without file and line. */
  readonly reason: string;
  /** Line of a text file, from 1. */
  readonly line?: number;

  constructor(path: string, reason: string, options: ErrorOptions & {readonly line?: number} = {}) {
    const escaped = escapeControls(reason);
    super(`${escapeControls(path)}${options.line === undefined ? '' : `, line ${options.line}`}: ${escaped}`, options);
    this.name = 'DatasetFormatError';
    this.path = path;
    this.reason = escaped;
    if (options.line !== undefined) this.line = options.line;
  }
}

/** A file that cannot be written. An old file at the path is unchanged. `cause` is the system's error. */
export class DatasetWriteError extends Error {
  readonly code = 'DATASET_WRITE';
  readonly path: string;

  constructor(path: string, cause: unknown) {
    super(escapeControls(`${path}: cannot be written (${systemReason(cause)})`), {cause});
    this.name = 'DatasetWriteError';
    this.path = path;
  }
}

/**
 * Why a file cannot be read, in brackets; empty for an error of the engine. A library runs into one on a damaged file,
 * and its text tells of the library's code.
 */
export function because(error: unknown, message?: string): string {
  const isOfEngine = [TypeError, RangeError, ReferenceError].some((kind) => error instanceof kind);
  // Node's own errors of these kinds have a code, and tell of an argument.
  return isOfEngine && !(error instanceof Error && 'code' in error) ? '' : ` (${message ?? systemReason(error)})`;
}

/** The first line of an error's message. Of a system error: its text without the path. */
function systemReason(error: unknown): string {
  const message = (error instanceof Error ? error.message : String(error)).split('\n', 1)[0];
  return /^(E[A-Z0-9]+: [^,]+),/.exec(message)?.[1] ?? message;
}

/**
 * Makes text from a file safe to print on a terminal: control characters and changes of text direction become escapes
 * such as `\x1b` and `\u202e`.
 */
export function escapeControls(text: string): string {
  return text.replaceAll(CONTROLS, (char) => {
    const code = char.charCodeAt(0);
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

/** Text in quotes, cut to a readable length. */
export function quoted(text: string): string {
  return JSON.stringify(shortened(text));
}

/** Names with commas between, cut to a readable length. */
export function listed(names: readonly string[], separator = ', '): string {
  const shown = names.slice(0, LISTED_MAX).map(shortened);
  if (names.length > LISTED_MAX) shown.push(`… (${names.length} in all)`);
  return shown.join(separator);
}

function shortened(text: string): string {
  return text.length > NAME_LENGTH_MAX ? `${text.slice(0, NAME_LENGTH_MAX)}…` : text;
}
