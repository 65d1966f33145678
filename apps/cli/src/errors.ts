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
  override readonly name = 'FailureError';
}

/** A flag needs a package that is not installed. The message has the line that installs it. */
export class MissingPackageError extends Error {
  override readonly name = 'MissingPackageError';
}

/** Codes of errors that another flag, input or path avoids. */
const USAGE_CODES: ReadonlySet<unknown> = new Set(
  'INVALID_PARAMETER INVALID_POINTS UNSUPPORTED_DIMENSION DATASET_FORMAT ENOENT EACCES EISDIR ENOTDIR EPERM EROFS'.split(
    ' ',
  ),
);

export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError || error instanceof MissingPackageError) return EXIT.usage;
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (error instanceof InterruptedError) return error.exitCode;
  return USAGE_CODES.has(codeOf(error)) ? EXIT.usage : EXIT.failure;
}

/** The code of an error, such as `ENOENT`; empty if it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** The line for stderr about a command line. Undefined if commander has printed the help instead. */
export function lineOf(error: unknown, args: readonly string[] = []): string | undefined {
  if (error instanceof CommanderError && error.code === 'commander.help') return undefined;
  const message = error instanceof Error ? error.message : String(error);
  const line = error instanceof CommanderError ? commanderLine(message, args) : (refusedAccess(error) ?? message);
  return line.trim().replaceAll(/\s*\n\s*/g, ' ');
}

/** Messages of commander, and the same in our form: what, value, expectation. */
const FORMS: readonly (readonly [RegExp, (first: string, second: string, third: string) => string])[] = [
  [/^unknown (option|command) '(.*?)'/, (what, name) => `${what} = "${name}"; expected one that --help lists`],
  [/^missing required argument '(.*?)'/, (name) => `${name} = (not given); expected a value; see --help`],
  [/^option '.*?(--[a-z-]+)[^']*' argument missing/, (flag) => `${flag} = (not given); expected a value; see --help`],
  [/^too many arguments .* but got \d+: (.*)\.$/, (list) => `arguments = "${list}"; expected fewer; see --help`],
  [
    /^option '.*?(--[a-z-]+)[^']*' argument '(.*)' is invalid\. (.*)$/s,
    (flag, value, expectation) => new UsageError(flag, value, expectation).message,
  ],
  [
    /^command-argument value '(.*)' is invalid for argument '(.*?)'\. (.*)$/s,
    (value, name, expectation) => new UsageError(name, value, expectation).message,
  ],
  [
    /^option '.*?(--[a-z-]+).*?' cannot be used with option '.*?(--[a-z-]+)/,
    (flag, other) => `${flag} = (given); expected no ${other} beside it`,
  ],
];

const SCALE_RUN = 'epsball scale run INPUT --eps E --min-pts M --work DIR';

/** Former spellings, and the new ones. */
const MOVED: readonly (readonly [RegExp, string])[] = [
  [/^(worker|runs)$/, 'epsball scale $1 REDIS'],
  [/^cluster --(?:work|memory|concurrency|run|order)$/, SCALE_RUN],
  [/^cluster --(?:scale-out|workers)$/, `${SCALE_RUN} --redis URL`],
  [
    /^cluster --(?:(?:min|max)-cluster-size|min-samples|exclude-self|selection(?:-eps)?|allow-single-cluster|duplicates|tree)$/,
    'epsball hdbscan INPUT --min-cluster-size N',
  ],
];

function commanderLine(message: string, [command]: readonly string[]): string {
  const line = message.replace(/^error: /, '').replace(/Allowed choices are (.*)\.$/, 'one of $1');
  const [, kind, name] = /^unknown (option|command) '(.*?)'/.exec(line) ?? [];
  const typed = kind === 'option' ? `${command} ${name}` : name;
  const moved = MOVED.find(([former]) => typed !== undefined && former.test(typed));
  if (moved !== undefined) return `${kind} = "${name}"; expected ${typed.replace(...moved)}`;
  const suggestion = /\(Did you mean (.*)\?\)/.exec(line)?.[1];
  for (const [pattern, form] of FORMS) {
    const [, first, second, third] = pattern.exec(line) ?? [];
    if (first === undefined) continue;
    const found = form(first, second, third);
    return suggestion === undefined ? found : found.replace('expected ', `expected ${suggestion}, or `);
  }
  return line;
}
