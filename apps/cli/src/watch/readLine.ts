import {DatasetFormatError, timeOf, toNumber} from '@epsball/datasets';
import {UsageError} from '../errors.ts';

/** How lines become points. */
export interface LineFormat {
  /** Names of the coordinates, or positions from 0 on, as in files. Default: the first two columns of CSV. */
  readonly columns?: readonly string[] | undefined;
  readonly timeColumn?: string | undefined;
  /** Of CSV; a space stands for any white space. */
  readonly delimiter: string;
}

interface LinePoint {
  readonly coords: readonly number[];
  readonly time: number | undefined;
}

/** Reads a line; undefined for the header and for empty lines. */
type LineReader = (text: string, number: number) => LinePoint | undefined;

/** A carriage return at the end of a chunk may be the first half of one. */
const LINE_END = /\r?\n|\r(?=.)/s;

/** The lines that have arrived, chunk by chunk. `readline` would also end a line inside a text of JSON, at U+2028. */
export async function* linesOf(input: AsyncIterable<string>): AsyncGenerator<readonly string[]> {
  let rest: string[] = [];
  for await (const chunk of input) {
    rest.push(chunk);
    if (!/[\r\n]/.test(chunk)) continue;
    const lines = rest.join('').split(LINE_END);
    rest = lines.splice(-1);
    yield lines;
  }
  yield rest.join('').split(LINE_END);
}

/**
 * A reader of lines that are objects of JSON, or cells of CSV; the first line tells which. A first line of numbers
 * alone is no header, but a point.
 *
 * @throws DatasetFormatError  from the reader: names the line, the column and what it holds
 * @throws UsageError          from the reader, if the first line has no such column
 */
export function lineReader({columns, timeColumn, delimiter}: LineFormat): LineReader {
  let names: readonly string[] | undefined;
  let isJson: boolean | undefined;
  const axes = columns ?? ['0', '1'];
  const cells = splitterAt(delimiter);
  return (line, number) => {
    // A byte order mark.
    const text = isJson === undefined ? line.replace(/^\uFEFF/, '') : line;
    if (text.trim() === '') return undefined;
    isJson ??= text.trimStart().startsWith('{');
    if (!isJson && names === undefined) {
      const first = cells(text);
      const isHeader = first.some((cell) => Number.isNaN(toNumber(cell)));
      names = isHeader ? first : first.map((_, k) => String(k));
      checkNames(names, {'--columns': axes, '--time-column': timeColumn === undefined ? [] : [timeColumn]});
      if (isHeader) return undefined;
    }
    const valueOf = isJson ? ofObject(text, number) : ofCells(cells(text), number, names ?? []);
    const coords = axes.map((axis) => finite(valueOf(axis, numberOf), axis, number, 'a finite number'));
    if (timeColumn === undefined) return {coords, time: undefined};
    const time = finite(valueOf(timeColumn, timeOf), timeColumn, number, 'a finite number, or a timestamp');
    return {coords, time};
  };
}

/** A value as it stands, and as a number; NaN if it is none. */
type Cell = readonly [shown: unknown, value: number];
type ValueOf = (column: string, read: typeof timeOf) => Cell;

function numberOf(value: unknown): number {
  if (typeof value === 'string') return toNumber(value);
  return typeof value === 'number' ? value : Number.NaN;
}

function ofObject(text: string, line: number): ValueOf {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw failure(line, 'is no JSON; expected an object, as in the first line');
  }
  const object = typeof parsed === 'object' && parsed !== null ? new Map(Object.entries(parsed)) : new Map();
  return (column, read) => {
    const value: unknown = object.get(column);
    return [value, read(value, toNumber)];
  };
}

function ofCells(found: readonly string[], line: number, names: readonly string[]): ValueOf {
  if (found.length !== names.length) {
    throw failure(line, `has ${found.length} cells; expected ${names.length}, as in the first line`);
  }
  return (column, read) => {
    const cell = found[positionOf(names, column)];
    return [cell, read(cell, toNumber)];
  };
}

function checkNames(names: readonly string[], chosen: Readonly<Record<string, readonly string[]>>): void {
  for (const [flag, columns] of Object.entries(chosen)) {
    const unknown = columns.find((column) => !(positionOf(names, column) in names));
    if (unknown !== undefined) throw new UsageError(flag, unknown, `one of ${names.join(', ')}`);
  }
}

function positionOf(names: readonly string[], column: string): number {
  const k = names.indexOf(column);
  return k < 0 && /^\d+$/.test(column) ? Number(column) : k;
}

/** Splits a row into its cells. Quotes around a cell are taken off; delimiters inside them are text. */
function splitterAt(delimiter: string): (text: string) => string[] {
  if (delimiter === ' ') return (text) => text.trim().split(/\s+/);
  const mark = delimiter.replace(/[\\^$*+?.()|[\]{}-]/, String.raw`\$&`);
  const pattern = new RegExp(`(?<=^|${mark}) *(?:"((?:[^"]|"")*)" *(?=${mark}|$)|([^${mark}]*))`, 'g');
  const cellOf = ([, inQuotes, plain]: RegExpExecArray): string =>
    inQuotes === undefined ? plain.trim() : inQuotes.replaceAll('""', '"');
  return (text) => Array.from(text.matchAll(pattern), cellOf);
}

function finite([shown, value]: Cell, column: string, line: number, expectation: string): number {
  if (Number.isFinite(value)) return value;
  // 1e999 is a number of JSON.
  const shownAs = typeof shown === 'number' ? shown : (JSON.stringify(shown) ?? 'nothing');
  throw failure(line, `${column} = ${shownAs}; expected ${expectation}`);
}

/** An error of a line. */
export function failure(line: number, told: string): DatasetFormatError {
  return new DatasetFormatError('standard input', told, {line});
}
