import {InvalidParameterError} from '@epsball/clustering';
import {DatasetFormatError} from './errors.ts';
import {extensionIn} from './extensions.ts';

const DELIMITERS = [',', ';', '\t', '|'] as const;
/** A space stands for any white space. */
const WHITE_SPACE = ' ';
const SEPARATORS: readonly string[] = [...DELIMITERS, WHITE_SPACE];

/** Rows that tell columns of numbers from others. The first two decide the delimiter. */
const HEAD_ROWS = 64;
/** The first row must end within this. */
const HEAD_BYTES = 2 ** 16;

/**
 * A decimal number. `Number` alone also takes '', '0x10' and 'Infinity'. No two parts can match the same text: linear.
 */
const DECIMAL_POINT = /^[ \t]*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?[ \t]*$/i;
const DECIMAL_COMMA = /^[ \t]*[+-]?(?:\d+(?:,\d*)?|,\d+)(?:e[+-]?\d+)?[ \t]*$/i;

/** How rows and numbers are written. */
export interface CsvFormat {
  /**
   * The character between cells; a space stands for any white space. Default: the most frequent of `,` `;` `|` and
   * tab outside quotes in the first row, tab for `.tsv`, or white space where there is none of them.
   */
  readonly delimiter?: string | undefined;
  /** The decimal mark of numbers. Default: `.` */
  readonly decimal?: '.' | ',' | undefined;
}

/** @throws InvalidParameterError  if the delimiter is not one character, or the decimal mark neither `.` nor `,` */
export function checkCsvFormat({delimiter, decimal}: CsvFormat): void {
  if (delimiter !== undefined && !/^[^"#\p{L}\p{N}\r\n.+-]$/u.test(delimiter)) {
    throw new InvalidParameterError('delimiter', delimiter, "one character, such as ',', ';', a tab or a space");
  }
  if (decimal !== undefined && decimal !== '.' && decimal !== ',') {
    throw new InvalidParameterError('decimal', decimal, "'.' or ','");
  }
  if (decimal === ',' && delimiter === ',') {
    throw new InvalidParameterError('delimiter', delimiter, 'another character than the decimal mark');
  }
}

/** Value of a decimal number, as `Number` rounds it; NaN for any other text. */
export function toNumber(text: string): number {
  return DECIMAL_POINT.test(text) ? Number(text) : NaN;
}

/** The same for a number with a decimal comma. */
export function toNumberWithComma(text: string): number {
  return DECIMAL_COMMA.test(text) ? Number(text.replace(',', '.')) : NaN;
}

/** Whether no cell is a number, with either mark. */
export function hasNoNumber(cells: readonly string[]): boolean {
  return cells.every((cell) => Number.isNaN(toNumber(cell)) && Number.isNaN(toNumberWithComma(cell)));
}

/** Whether a cell says that its value is missing. */
export function isMissingCell(cell: string): boolean {
  return /^\s*(?:nan|na|null)?\s*$/i.test(cell);
}

/** The delimiter of a file by its first rows, of which there is one at least. */
export function chooseDelimiter(rows: readonly string[], path: string, {delimiter, decimal}: CsvFormat): string {
  if (delimiter !== undefined) return delimiter;
  // The second tells numbers from names.
  const [first, last = first] = rows;
  if (extensionIn(path).startsWith('.tsv') && first.includes('\t')) return '\t';
  // Commas between digits are decimal marks where another delimiter separates nothing but numbers.
  const others = [';', '\t', '|', WHITE_SPACE];
  const withCommas = others.find((one) => {
    const cells = splitAt(last, one);
    return last.includes(',') && hasNumbersOnly(cells) && splitAt(first, one).length === cells.length;
  });
  if (withCommas !== undefined) return withCommas;
  const counts = DELIMITERS.filter((one) => one !== decimal).map((one) => [one, first.split(one).length] as const);
  const [best, cells] = counts.reduce((most, one) => (one[1] > most[1] ? one : most));
  return cells === 1 && isSpaced(first, last, decimal) ? WHITE_SPACE : best;
}

/** The cells of a row as `readHead` returns it. */
export function splitAt(row: string, delimiter: string): string[] {
  return delimiter === WHITE_SPACE ? row.trim().split(/\s+/) : row.split(delimiter);
}

/** Whether a row has several cells, each a number with a decimal comma or without a mark. */
function hasNumbersOnly(cells: readonly string[]): boolean {
  const isNumber = (cell: string): boolean => !Number.isNaN(toNumberWithComma(cell)) && !cell.trim().endsWith(',');
  return cells.length > 1 && cells.every(isNumber);
}

/** Whether white space separates as many cells in both rows, or one more below names, a number among them. */
function isSpaced(first: string, last: string, decimal: CsvFormat['decimal']): boolean {
  const cells = splitAt(last, WHITE_SPACE);
  const valueOf = decimal === ',' ? toNumberWithComma : toNumber;
  const hasNumber = cells.some((cell) => !Number.isNaN(valueOf(cell)));
  const above = splitAt(first, WHITE_SPACE).length;
  return cells.length > 1 && hasNumber && (above === cells.length || above + 1 === cells.length);
}

export function parserDelimiters(delimiter: string): string | string[] {
  return delimiter === WHITE_SPACE ? [' ', '\t'] : delimiter;
}

/** The cells of a row. A run of white space is one delimiter, so that the parser finds empty cells in it. */
export function cellsOf(cells: readonly string[], delimiter: string): readonly string[] {
  return delimiter === WHITE_SPACE ? cells.filter((cell) => cell !== '') : cells;
}

/** The begin of a text file. */
export interface CsvHead {
  /** All bytes read so far. */
  readonly bytes: Uint8Array;
  /** At most 64 rows, without blank lines and comments. Quotes are taken off, delimiters between them are `_`. */
  readonly rows: readonly string[];
}

/** Reads until the first rows are complete, or the stream ends. */
export async function readHead(path: string, chunks: AsyncIterator<Uint8Array>): Promise<CsvHead> {
  let bytes = new Uint8Array(0);
  for (;;) {
    const {value, done} = await chunks.next();
    if (done !== true) bytes = joined(bytes, value);
    const [first, second] = bytes;
    if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
      throw new DatasetFormatError(path, 'is UTF-16 text; expected UTF-8');
    }
    const isWhole = done === true && bytes.length <= HEAD_BYTES;
    // A character of several bytes that the cut splits lies in a later row, or the row is too long.
    const rows = headRows(new TextDecoder().decode(bytes.subarray(0, HEAD_BYTES)), isWhole);
    const isLong = bytes.length >= HEAD_BYTES;
    if (rows.length === HEAD_ROWS || (rows.length > 0 && (isWhole || isLong))) return {bytes, rows};
    if (isWhole) throw new DatasetFormatError(path, 'has no rows; expected rows of numbers');
    if (isLong) {
      throw new DatasetFormatError(
        path,
        `has no end of row in its first ${HEAD_BYTES} bytes; expected rows of numbers`,
      );
    }
  }
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(a.length + b.length);
  bytes.set(a);
  bytes.set(b, a.length);
  return bytes;
}

/** @param isWhole  whether the end of the text ends a row */
function headRows(text: string, isWhole: boolean): string[] {
  const rows: string[] = [];
  let row = '';
  let isQuoted = false;
  for (let k = 0; k <= text.length && rows.length < HEAD_ROWS; k++) {
    // Beyond the end it is ''.
    const char = text.charAt(k);
    if (isQuoted && char !== '') {
      if (char !== '"') row += SEPARATORS.includes(char) || char === '\n' || char === '\r' ? '_' : char;
      else if (text[k + 1] === '"') k++;
      else isQuoted = false;
    } else if (char === '"' && (row === '' || SEPARATORS.includes(row[row.length - 1]))) {
      isQuoted = true;
    } else if (char === '\n' || char === '\r' || char === '') {
      const isRow = row.trim() !== '' && !row.startsWith('#') && (char !== '' || isWhole);
      if (isRow) rows.push(row);
      row = '';
    } else if (row === '#') {
      // Quotes in a comment mean nothing.
      while (k + 1 < text.length && text[k + 1] !== '\n' && text[k + 1] !== '\r') k++;
    } else row += char;
  }
  return rows;
}
