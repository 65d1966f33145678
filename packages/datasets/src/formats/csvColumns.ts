import {parse} from 'csv-parse/sync';
import {DatasetFormatError} from './errors.ts';
import {readBytes, type OpenFile} from './files.ts';
import {parseDecimal} from './numberText.ts';

/** The first line must end within this. */
const HEAD_BYTES = 2 ** 16;
const DELIMITERS = [',', ';', '\t'] as const;

/** How a CSV file is to be read: what its first line, and the caller, say. */
export interface CsvLayout {
  readonly path: string;
  readonly delimiter: string;
  readonly hasHeader: boolean;
  /** Names from the header, or column numbers. */
  readonly names: readonly string[];
  /** Columns of a row → axis of the point, or −1. */
  readonly axisOfColumn: Int32Array;
  readonly dim: number;
}

/**
 * Looks at the first line: the delimiter is the most frequent of `,` `;` and tab; the line is a header unless every
 * chosen cell is a number.
 *
 * @param columns  names, or numbers from 0; all columns unless given
 * @throws DatasetFormatError  if there is no line, or no such column (lists the columns)
 */
export async function readCsvLayout(
  file: OpenFile,
  columns: readonly (string | number)[] | undefined,
): Promise<CsvLayout> {
  const line = await firstLine(file);
  const delimiter = mostFrequent(line);
  const cells = splitLine(file.path, line, delimiter);
  const isNumber = cells.map(isDecimal);
  const chosenByName = columns?.some((column) => columnNumber(column) === undefined) ?? false;
  const chosen = columns?.map((column) => columnNumber(column) ?? -1) ?? cells.map((_, k) => k);
  const hasHeader = chosenByName
    ? !isNumber.every(Boolean)
    : !chosen.every((k) => k >= cells.length || isNumber[k]) || isNumber.every((claim) => !claim);
  const names = hasHeader ? cells.map((cell) => cell.trim()) : cells.map((_, k) => String(k));
  const axisOfColumn = new Int32Array(cells.length).fill(-1);
  const wanted = columns ?? names.map((_, k) => k);
  for (const [axis, column] of wanted.entries()) {
    const k = findColumn(file.path, names, hasHeader, column);
    if (axisOfColumn[k] >= 0)
      throw new DatasetFormatError(file.path, `column ${column} is chosen twice; expected once`);
    axisOfColumn[k] = axis;
  }
  return {path: file.path, delimiter, hasHeader, names, axisOfColumn, dim: wanted.length};
}

/** The error for a cell that is no number. */
export function notANumber(layout: CsvLayout, column: number, text: string, line: number): DatasetFormatError {
  const shown = JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
  const name = layout.hasHeader ? layout.names[column] : `column ${column}`;
  return new DatasetFormatError(layout.path, `${name} = ${shown}; expected a finite number`, {line});
}

/** The error for a row with more or fewer cells than the first line. */
export function wrongCellCount(layout: CsvLayout, cellCount: number, line: number): DatasetFormatError {
  const message = `has ${cellCount} cells; expected ${layout.names.length}, as in the first line`;
  return new DatasetFormatError(layout.path, message, {line});
}

/** A column given by its number: 2, or '2'. */
function columnNumber(column: string | number): number | undefined {
  if (typeof column === 'number') return column;
  return /^\d+$/.test(column) ? Number(column) : undefined;
}

function findColumn(path: string, names: readonly string[], hasHeader: boolean, column: string | number): number {
  const byName = hasHeader && typeof column === 'string' ? names.indexOf(column) : -1;
  if (byName >= 0) return byName;
  const k = columnNumber(column);
  if (k !== undefined && Number.isInteger(k) && k >= 0 && k < names.length) return k;
  const expected = hasHeader
    ? `one of ${names.join(', ')}`
    : `a number from 0 to ${names.length - 1}, as the file has no header`;
  throw new DatasetFormatError(path, `has no column ${JSON.stringify(column)}; expected ${expected}`);
}

/** The first line that is neither blank nor a comment. */
async function firstLine(file: OpenFile): Promise<string> {
  const head = Buffer.alloc(Math.min(HEAD_BYTES, file.size));
  await readBytes(file, head, 0);
  // A multi-byte character cut at the end can only be in a later line, or the line is too long anyway.
  const lines = head
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .split('\n');
  const isWhole = file.size <= HEAD_BYTES;
  const index = lines.findIndex((line) => line.trim() !== '' && !line.startsWith('#'));
  if (index >= 0 && (isWhole || index < lines.length - 1)) return lines[index].replace(/\r$/, '');
  if (isWhole) throw new DatasetFormatError(file.path, 'has no rows; expected points');
  throw new DatasetFormatError(file.path, `has no end of line in ${HEAD_BYTES} bytes; expected rows of numbers`);
}

function mostFrequent(line: string): string {
  let best: string = DELIMITERS[0];
  for (const delimiter of DELIMITERS) {
    if (line.split(delimiter).length > line.split(best).length) best = delimiter;
  }
  return best;
}

function splitLine(path: string, line: string, delimiter: string): string[] {
  try {
    return parse(line, {delimiter, relax_quotes: true})[0];
  } catch (error) {
    throw new DatasetFormatError(path, 'has a malformed first line; expected a header or numbers', {cause: error});
  }
}

function isDecimal(text: string): boolean {
  const bytes = Buffer.from(text, 'utf8');
  return Number.isFinite(parseDecimal(bytes, 0, bytes.length));
}
