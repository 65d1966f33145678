import {ADAPTER_VARIABLE} from '@epsball/gpu/adapter-choice';
import {InvalidArgumentError, Option, type Command} from 'commander';
import {existsSync, statSync} from 'node:fs';
import {dirname, extname, resolve} from 'node:path';
import {codeOf, UsageError} from './errors.ts';
import {abortOnInterrupt} from './interrupt.ts';

export const STANDARD_INPUT = '-';

/** What `--out -` names: the file of standard output, which receives CSV. */
export const STANDARD_OUTPUT = '/dev/stdout';

/** In place of a file of points, where `--sql` says what is read. */
export const SQL_INPUT = '--sql';

/** Files that DuckDB opens as a database. */
export const DATABASE_FILE: RegExp = /\.(?:duckdb|db|sqlite3?)$/i;

/** Files that are read through DuckDB. */
export const SQL_FILE: RegExp = /\.(?:duckdb|db|sqlite3?|xlsx|json|jsonl|ndjson)$/i;

/** An input's name in text for people. */
export function nameOfInput(input: string): string {
  if (input === SQL_INPUT) return 'the query';
  return input === STANDARD_INPUT ? 'standard input' : input;
}

/** Where the points come from: a file, or `--sql`. */
export function inputOf(input: string | undefined, sql: string | undefined): string {
  if (sql === undefined) return required('INPUT', input, 'a value: a file of points, or --sql with a query');
  if (input === undefined || DATABASE_FILE.test(input)) return input ?? SQL_INPUT;
  throw new UsageError('INPUT', input, 'a database beside --sql: .duckdb, .sqlite or .db; the query names other files');
}

/** `inFlags` until a signal comes. */
export function runCommand(
  command: Command,
  work: (signal: AbortSignal) => Promise<void>,
  flags?: Readonly<Record<string, string>>,
): Promise<void> {
  return abortOnInterrupt((signal) => inFlags(command, () => work(signal), flags));
}

/**
 * Does the work of a command. Errors about parameters of the libraries name the flag or argument: `--dim` for `dim`,
 * `--weight-column, row 3` for `sampleWeight[3]`.
 *
 * @param flags  of parameters that the command calls by another name
 */
async function inFlags(
  command: Command,
  work: () => Promise<void>,
  flags: Readonly<Record<string, string>> = {},
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (codeOf(error) !== 'INVALID_PARAMETER') throw error;
    const {InvalidParameterError} = await import('@epsball/clustering');
    if (!(error instanceof InvalidParameterError)) throw error;
    const {parameter, value, expectation} = error;
    const [name, row] = parameter.split(/[[\]]/);
    const place = flags[name] ?? placeOf(command, parameter);
    if (place === undefined) throw error;
    const flag = row === undefined ? place : `${place}, row ${row}`;
    if (value === undefined) throw new UsageError(flag, undefined, expectation);
    throw new InvalidParameterError(flag, value, expectation);
  }
}

function placeOf(command: Command, parameter: string): string | undefined {
  if (parameter === 'adapter' && command.getOptionValueSource(parameter) === 'default') return ADAPTER_VARIABLE;
  const argument = command.registeredArguments.find((one) => one.name().toLowerCase() === parameter);
  return argument?.name() ?? command.options.find((option) => option.attributeName() === parameter)?.long;
}

/** An option that takes one of a few words. */
export function choice(flags: string, description: string, choices: readonly string[], initial?: string): Option {
  const option = new Option(flags, description).choices(choices);
  return initial === undefined ? option : option.default(initial);
}

export type Parser<Value> = (text: string) => Value;

/** A decimal number. `Number` alone also takes '', ' ', '0x10' and 'Infinity'. */
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

function numberThat(holds: (value: number) => boolean, expectation: string): Parser<number> {
  return (text) => {
    const value = DECIMAL.test(text) ? Number(text) : NaN;
    if (!Number.isFinite(value) || !holds(value)) throw new InvalidArgumentError(expectation);
    return value;
  };
}

export const positiveNumber: Parser<number> = numberThat((value) => value > 0, 'a finite number > 0');

export const positiveInteger: Parser<number> = integerFrom(1);

export function numberFrom(least: number): Parser<number> {
  return numberThat((value) => value >= least, `a finite number ≥ ${least}`);
}

export const numberToOne: Parser<number> = numberThat((value) => value >= 0 && value <= 1, 'a number from 0 to 1');

export function integerFrom(least: number): Parser<number> {
  return numberThat((value) => Number.isSafeInteger(value) && value >= least, `an integer ≥ ${least}`);
}

/** Names with commas between, such as `a,b`. Spaces around them are dropped. */
export function names(text: string): readonly string[] {
  const list = text.split(',').map((name) => name.trim());
  if (list.includes('')) throw new InvalidArgumentError('names or positions with commas between, such as lon,lat');
  return list;
}

/** Rows from 0, with commas between. */
export function rowNumbers(text: string): readonly number[] {
  const rows = text.split(',').map((row) => (/^\s*\d+\s*$/.test(row) ? Number(row) : NaN));
  if (rows.every(Number.isSafeInteger)) return rows;
  throw new InvalidArgumentError('rows from 0 with commas between, such as 17,204');
}

/**
 * A path of a file to write, in a folder that exists, with one of some endings; none allows all. `-` is standard
 * output, if CSV is allowed.
 */
export function outputFile(extensions: readonly string[]): Parser<string> {
  return (text) => {
    const takesCsv = extensions.length === 0 || extensions.includes('.csv');
    if (takesCsv && (text === '-' || text === STANDARD_OUTPUT)) return STANDARD_OUTPUT;
    if (extensions.length > 0 && !extensions.includes(extname(text).toLowerCase())) {
      const endings = new Intl.ListFormat('en-GB', {type: 'disjunction'}).format(extensions);
      throw new InvalidArgumentError(`a file that ends in ${endings}`);
    }
    const folder = dirname(resolve(text));
    if (!existsSync(folder)) throw new InvalidArgumentError(`a file in a folder that exists (${folder} does not)`);
    if (!statSync(folder).isDirectory()) throw new InvalidArgumentError(`a file in a folder (${folder} is a file)`);
    if (existsSync(text) && statSync(text).isDirectory()) throw new InvalidArgumentError('a file, not a folder');
    return text;
  };
}

/** A folder to write to, which may not exist yet. */
export function outputFolder(text: string): string {
  // The nearest part of the path that exists must be a folder.
  let existing = resolve(text);
  while (!existsSync(existing)) existing = dirname(existing);
  if (text === '' || !statSync(existing).isDirectory()) throw new InvalidArgumentError('a folder, not a file');
  return text;
}

/** Prints what a command says of its work: on standard error if a file went to standard output. */
export function printSummary(text: string, ...outputs: readonly (string | undefined)[]): void {
  (outputs.includes(STANDARD_OUTPUT) ? process.stderr : process.stdout).write(text);
}

/** @throws UsageError  if a required option was left out */
export function required<Value>(flag: string, value: Value | undefined, expectation: string): Value {
  if (value === undefined) throw new UsageError(flag, undefined, expectation);
  return value;
}

/**
 * Checks the files that a command writes, by flag, before it reads any, which may take minutes: none is an input or
 * another output, also by another name, and each can be written.
 */
export async function checkOutputs(
  outputs: Readonly<Record<string, string | undefined>>,
  inputs: readonly string[],
): Promise<void> {
  const {checkWritable, findInput, identify} = await import('@epsball/datasets');
  const files = inputs.map((input) => (input === STANDARD_INPUT ? '/dev/stdin' : input));
  const written = new Map<string, {readonly flag: string; readonly output: string}>();
  for (const [flag, output] of Object.entries(outputs)) {
    if (output === undefined) continue;
    const input = await findInput(output, files);
    if (input !== undefined) throw new UsageError(flag, output, 'another file than the input');
    const file = await identify(output);
    const other = written.get(file);
    if (other !== undefined) throw new UsageError(flag, output, `another file than ${other.flag}`);
    written.set(file, {flag, output});
  }
  for (const {output} of written.values()) await checkWritable(output);
}
