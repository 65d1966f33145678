import {EpsballError, type ErrorCode} from '@epsball/clustering';
import {refusedAccess} from '@epsball/clustering/node';
import {CommanderError} from 'commander';
import {InterruptedError} from './interrupt.ts';

/** Exit codes of the process. After a signal it is the `exitCode` of an `InterruptedError`. */
export const EXIT = {ok: 0, failure: 1, usage: 2} as const;

/** A flag, argument or file that the user has to change: `--eps = "abc"; expected a number > 0`. */
export class UsageError extends Error {
  /**
   * @param what         the flag or argument
   * @param value        as typed; undefined if it was left out
   * @param expectation  reads after "expected"
   */
  constructor(what: string, value: string | undefined, expectation: string) {
    super(`${what} = ${value === undefined ? '(not given)' : JSON.stringify(value)}; expected ${expectation}`);
    this.name = 'UsageError';
  }
}

/** The run ended and its result is wrong or incomplete: labels that differ, a benchmark cell that failed. */
export class FailureError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'FailureError';
  }
}

/** A flag needs a package that is not installed. The message has the line that installs it. */
export class MissingPackageError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'MissingPackageError';
  }
}

const INPUT_CODES: ReadonlySet<ErrorCode> = new Set([
  'INVALID_PARAMETER',
  'INVALID_POINTS',
  'UNSUPPORTED_DIMENSION',
] as const);

/** File-system errors that another path avoids. */
const PATH_CODES: ReadonlySet<string> = new Set(['ENOENT', 'EACCES', 'EISDIR', 'ENOTDIR', 'EPERM', 'EROFS']);

/** The exit code for an error that a command threw. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError || error instanceof MissingPackageError) return EXIT.usage;
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (error instanceof InterruptedError) return error.exitCode;
  if (error instanceof EpsballError) return INPUT_CODES.has(error.code) ? EXIT.usage : EXIT.failure;
  const code = codeOf(error);
  return code === 'DATASET_FORMAT' || PATH_CODES.has(code) ? EXIT.usage : EXIT.failure;
}

/** The line for stderr. Undefined if commander has printed the help instead. */
export function lineOf(error: unknown): string | undefined {
  if (error instanceof CommanderError)
    return error.code === 'commander.help' ? undefined : commanderLine(error.message);
  const message = error instanceof Error ? error.message : String(error);
  return oneLine(refusedAccess(error) ?? message);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function oneLine(message: string): string {
  return message.trim().replaceAll(/\s*\n\s*/g, ' ');
}

/** A message of commander in our form: what, value, expectation. */
function commanderLine(message: string): string {
  const line = oneLine(message).replace(/^error: /, '');
  const suggestion = /\(Did you mean (.*)\?\)/.exec(line)?.[1];
  const expected = suggestion === undefined ? '' : `${suggestion}, or `;
  const forms: readonly (readonly [RegExp, (name: string) => string])[] = [
    [/^unknown option '(.*?)'/, (name) => `option = "${name}"; expected ${expected}one that --help lists`],
    [/^unknown command '(.*?)'/, (name) => `command = "${name}"; expected ${expected}one that --help lists`],
    [/^missing required argument '(.*?)'/, (name) => `${name} = (not given); expected a value; see --help`],
    [
      /^too many arguments for '.*?'\..* (?:argument|arguments) but got \d+: (.*)\.$/,
      (list) => `arguments = "${list}"; expected fewer; see --help`,
    ],
    [/^option '.*?(--[a-z-]+).*' argument missing/, (name) => `${name} = (not given); expected a value; see --help`],
  ];
  for (const [pattern, form] of forms) {
    const name = pattern.exec(line)?.[1];
    if (name !== undefined) return form(name);
  }
  return line;
}
