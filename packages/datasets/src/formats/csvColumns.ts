import type {LeftColumn} from '@epsball/clustering';
import {columnNumber, columnsToRead, findColumn, isColumn, type ColumnChoice} from './columnChoice.ts';
import {isMissingCell, toNumberWithComma} from './csvFormat.ts';
import {DatasetFormatError, listed} from './errors.ts';
import {secondsOf} from './times.ts';

/** The columns of a CSV file: what its first row and the options say. */
export interface CsvLayout {
  readonly hasHeader: boolean;
  /** Names from the header, or column numbers. */
  readonly names: readonly string[];
  /** The names of the chosen columns, axis by axis. */
  readonly chosenNames: readonly string[];
  /** Column of a row → axis of the point, or −1. */
  readonly axisOfColumn: Int32Array;
  readonly dim: number;
  /** Column of a row that holds times, or −1. */
  readonly timeColumn: number;
  /** Column of a row that holds groups, or −1. */
  readonly groupColumn: number;
  /** The columns that were not taken, where the names tell. */
  readonly left: readonly LeftColumn[] | undefined;
}

interface LayoutOptions extends ColumnChoice {
  readonly dim?: number | undefined;
  readonly missing?: 'error' | 'nan' | undefined;
}

/**
 * Decides whether the first row is a header, and finds the chosen columns. The row is a header unless every chosen cell
 * is a number; for a choice among the columns of numbers, unless it has a number and no column says otherwise.
 *
 * @param sample    rows after it
 * @param toNumber  reads a cell; NaN for what is no number
 */
export function readLayout(
  path: string,
  cells: readonly string[],
  sample: readonly (readonly string[])[],
  toNumber: (text: string) => number,
  {dim, missing, ...choice}: LayoutOptions,
): CsvLayout {
  const isNumber = numbersAmong(cells, toNumber, {missing, timeColumn: choice.timeColumn});
  if (choice.columns === 'place' && isNumber.every(Boolean)) {
    throw new DatasetFormatError(
      path,
      'has no header; expected a latitude and a longitude chosen by columns 0,1 or 1,0',
    );
  }
  const trimmed = cells.map((cell) => cell.trim());
  const {columns: choose, ...others} = choice;
  const {isHeaded, labels, kindOf} = headOf(trimmed, isNumber, sample, toNumber);
  const ofNumbers = labels.filter((_, k) => kindOf(k) === undefined);
  const named = typeof choose === 'function' ? choose(ofNumbers) : choose;
  const found = columnsToRead(path, named === 'auto' ? labels : trimmed, {columns: named, ...others}, kindOf);
  const {wanted} = found;
  const chosenByName = wanted.some((column) => columnNumber(column) === undefined);
  const chosen = wanted.map((column) => columnNumber(column) ?? -1);
  const hasHeader =
    named === 'auto'
      ? isHeaded
      : chosenByName
        ? !isNumber.every(Boolean)
        : !chosen.every((k) => k >= cells.length || isNumber[k] || isColumn('', k, others.groupColumn)) ||
          isNumber.every((claim) => !claim);
  const names = hasHeader ? trimmed : Object.keys(cells);
  const axisOfColumn = new Int32Array(cells.length).fill(-1);
  const chosenNames: string[] = [];
  const expected = hasHeader ? undefined : `a number from 0 to ${names.length - 1}, as the file has no header`;
  for (const [axis, column] of wanted.entries()) {
    const k = findColumn(path, names, column, expected);
    if (axisOfColumn[k] >= 0) throw new DatasetFormatError(path, `column ${column} is chosen twice; expected once`);
    axisOfColumn[k] = axis;
    chosenNames.push(names[k]);
  }
  const positionOf = (one: string | number | undefined): number => names.findIndex((name, k) => isColumn(name, k, one));
  if (dim !== undefined && dim !== wanted.length) {
    throw new DatasetFormatError(path, `has ${wanted.length} columns (${listed(chosenNames)}); expected dim = ${dim}`);
  }
  return {
    hasHeader,
    names,
    chosenNames,
    axisOfColumn,
    dim: wanted.length,
    timeColumn: positionOf(others.timeColumn),
    groupColumn: positionOf(others.groupColumn),
    left: found.left,
  };
}

function cellsAt(rows: readonly (readonly string[])[], column: number): readonly string[] {
  return rows.map((row) => row[column] ?? '');
}

/** The names of the columns between white space. R writes none above those of the rows. */
export function withRowNames(
  cells: readonly string[],
  sample: readonly (readonly string[])[],
  toNumber: (text: string) => number,
): readonly string[] {
  const isShort = sample.length > 0 && sample.every((row) => row.length === cells.length + 1);
  return isShort && cells.every((cell) => Number.isNaN(toNumber(cell))) ? ['', ...cells] : cells;
}

/** What the first rows say of columns. */
interface Head {
  readonly isHeaded: boolean;
  /** Names, or positions without a header. */
  readonly labels: readonly string[];
  /** What a column holds instead of numbers. Without a row of values: numbers, and the reader says what lacks. */
  readonly kindOf: (column: number) => string | undefined;
}

/** The first row is a header if it has no number, or a name above a column of numbers. */
function headOf(
  cells: readonly string[],
  isNumber: readonly boolean[],
  sample: readonly (readonly string[])[],
  toNumber: (text: string) => number,
): Head {
  const kindIn = (rows: readonly (readonly string[])[], k: number): string | undefined =>
    rows.length === 0 ? undefined : kindOfCells(cellsAt(rows, k), toNumber);
  const isName = (cell: string, k: number): boolean =>
    !isNumber[k] && !isMissingCell(cell) && kindIn(sample, k) === undefined;
  const isHeaded = !isNumber.some(Boolean) || (sample.length > 0 && cells.some(isName));
  const rows = isHeaded ? sample : [cells, ...sample];
  return {isHeaded, labels: isHeaded ? cells : Object.keys(cells), kindOf: (k) => kindIn(rows, k)};
}

/** What the cells of a column hold instead of numbers. A few others among numbers are mistakes that rows report. */
function kindOfCells(cells: readonly string[], toNumber: (text: string) => number): string | undefined {
  const held = cells.filter((cell) => !isMissingCell(cell));
  // A number with the other mark is an error that says so.
  const isNumber = (cell: string): boolean =>
    Number.isFinite(toNumber(cell)) || Number.isFinite(toNumberWithComma(cell));
  const count = held.filter(isNumber).length;
  if (held.length === 0) return 'empty';
  if (2 * count >= held.length) return undefined;
  return held.every((cell) => Number.isFinite(secondsOf(cell))) ? 'timestamps' : 'text';
}

/** Which cells hold a value, or lack one in a row with others. */
function numbersAmong(
  cells: readonly string[],
  toNumber: (text: string) => number,
  {missing, timeColumn}: Pick<LayoutOptions, 'missing' | 'timeColumn'>,
): boolean[] {
  // A timestamp in a row without names may lie in any column.
  const isTime = (cell: string): boolean => timeColumn !== undefined && Number.isFinite(secondsOf(cell));
  const isNumber = cells.map((cell) => Number.isFinite(toNumber(cell)) || isTime(cell));
  if (missing !== 'nan' || !isNumber.some(Boolean)) return isNumber;
  return cells.map((cell, k) => isNumber[k] || isMissingCell(cell));
}
