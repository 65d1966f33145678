import {existsSync, statSync} from 'node:fs';
import {dirname, extname, resolve} from 'node:path';
import {UsageError} from './errors.ts';

/** The argument that means standard input. */
export const STANDARD_INPUT = '-';

/** An input's name in text for people. */
export function nameOfInput(input: string): string {
  return input === STANDARD_INPUT ? 'standard input' : input;
}

/** A decimal number. `Number` alone also takes '', ' ', '0x10' and 'Infinity'. */
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** A parser for commander: a finite number > 0. */
export function positiveNumber(flag: string): (text: string) => number {
  return (text) => {
    const value = DECIMAL.test(text) ? Number(text) : NaN;
    if (!Number.isFinite(value) || value <= 0) throw new UsageError(flag, text, 'a finite number > 0');
    return value;
  };
}

/** A parser for commander: a finite number ≥ `least`. */
export function numberFrom(flag: string, least: number): (text: string) => number {
  return (text) => {
    const value = DECIMAL.test(text) ? Number(text) : NaN;
    if (!Number.isFinite(value) || value < least) throw new UsageError(flag, text, `a finite number ≥ ${least}`);
    return value;
  };
}

/** A parser for commander: an integer ≥ 1. */
export function positiveInteger(flag: string): (text: string) => number {
  return (text) => {
    const value = DECIMAL.test(text) ? Number(text) : NaN;
    if (!Number.isSafeInteger(value) || value < 1) throw new UsageError(flag, text, 'an integer ≥ 1');
    return value;
  };
}

/** A parser for commander: one of a few words. */
export function oneOf<Choice extends string>(flag: string, choices: readonly Choice[]): (text: string) => Choice {
  return (text) => {
    const choice = choices.find((candidate) => candidate === text);
    if (choice === undefined) throw new UsageError(flag, text, `one of ${choices.join(', ')}`);
    return choice;
  };
}

/** A parser for commander: names with commas between, such as `a,b`. Spaces around them are dropped. */
export function names(flag: string): (text: string) => readonly string[] {
  return (text) => {
    const list = text.split(',').map((name) => name.trim());
    if (list.includes('')) throw new UsageError(flag, text, 'names or positions with commas between, such as lon,lat');
    return list;
  };
}

/**
 * A parser for commander: an output path. Checks the ending and the folder before the work begins.
 *
 * @param extensions  allowed endings with their dot; empty allows all
 */
export function outputFile(flag: string, extensions: readonly string[]): (text: string) => string {
  return (text) => {
    if (extensions.length > 0 && !extensions.includes(extname(text).toLowerCase())) {
      throw new UsageError(flag, text, `a file that ends in ${listWords(extensions)}`);
    }
    const folder = dirname(resolve(text));
    if (!existsSync(folder)) throw new UsageError(flag, text, `a file in a folder that exists (${folder} does not)`);
    if (!statSync(folder).isDirectory()) throw new UsageError(flag, text, `a file in a folder (${folder} is a file)`);
    if (existsSync(text) && statSync(text).isDirectory()) throw new UsageError(flag, text, 'a file, not a folder');
    return text;
  };
}

/** A parser for commander: a folder to write to, which may not exist yet. */
export function outputFolder(flag: string): (text: string) => string {
  return (text) => {
    // The nearest part of the path that exists must be a folder.
    let existing = resolve(text);
    while (!existsSync(existing)) existing = dirname(existing);
    if (text === '' || !statSync(existing).isDirectory()) throw new UsageError(flag, text, 'a folder, not a file');
    return text;
  };
}

/**
 * @throws UsageError  if a required option was left out
 */
export function required<Value>(flag: string, value: Value | undefined, expectation: string): Value {
  if (value === undefined) throw new UsageError(flag, undefined, expectation);
  return value;
}

function listWords(words: readonly string[]): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} or ${words[words.length - 1]}`;
}
