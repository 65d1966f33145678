import {FailureError} from '../errors.ts';

/** How lines become points. */
export interface LineFormat {
  /** Names of the coordinates, or positions from 1 on. Default: the first two columns of CSV. */
  readonly columns?: readonly string[] | undefined;
  readonly timeColumn?: string | undefined;
  /** Of CSV. */
  readonly delimiter: string;
}

interface LinePoint {
  readonly coords: readonly number[];
  readonly time: number | undefined;
}

/** Reads a line; undefined for the header and for empty lines. */
type LineReader = (text: string, number: number) => LinePoint | undefined;

/**
 * A reader of lines that are objects of JSON, or cells of CSV with a header; the first line tells which.
 *
 * @throws FailureError  from the reader: names the line, the column and what it holds
 */
export function lineReader({columns, timeColumn, delimiter}: LineFormat): LineReader {
  let names: readonly string[] | undefined;
  let isJson: boolean | undefined;
  const axes = columns ?? ['1', '2'];
  return (text, number) => {
    if (text.trim() === '') return undefined;
    isJson ??= text.trimStart().startsWith('{');
    if (!isJson && names === undefined) {
      names = cells(text, delimiter);
      return undefined;
    }
    const valueOf = isJson ? ofObject(text, number) : ofCells(text, number, names ?? [], delimiter);
    const coords = axes.map((axis) => numberIn(valueOf(axis), axis, number));
    return {coords, time: timeColumn === undefined ? undefined : timeIn(valueOf(timeColumn), timeColumn, number)};
  };
}

type ValueOf = (column: string) => unknown;

function ofObject(text: string, line: number): ValueOf {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw failure(line, 'expected an object of JSON, as in the first line');
  }
  const object = typeof parsed === 'object' && parsed !== null ? new Map(Object.entries(parsed)) : new Map();
  return (column) => object.get(column);
}

function ofCells(text: string, line: number, names: readonly string[], delimiter: string): ValueOf {
  const found = cells(text, delimiter);
  if (found.length !== names.length) {
    throw failure(line, `${found.length} cells; expected ${names.length}, as the header has`);
  }
  return (column) => {
    const k = names.indexOf(column);
    return found[k >= 0 ? k : Number(column) - 1];
  };
}

/** Cells without quotes around them. A delimiter inside quotes makes a cell too many, which is an error. */
function cells(text: string, delimiter: string): string[] {
  return text.split(delimiter).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
}

function numberIn(value: unknown, column: string, line: number): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && Number.isFinite(number)) return number;
  throw failure(line, `${column} = ${JSON.stringify(value)}; expected a finite number`);
}

/** A number as it is, or a date of ISO 8601 in seconds. */
function timeIn(value: unknown, column: string, line: number): number {
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value)) {
    const ms = Date.parse(value);
    if (Number.isFinite(ms)) return ms / 1000;
  }
  return numberIn(value, column, line);
}

function failure(line: number, told: string): FailureError {
  return new FailureError(`standard input, line ${line}: ${told}`);
}
