import {addAbortSignal, type Readable} from 'node:stream';
import {finished, pipeline} from 'node:stream/promises';
import {promisify} from 'node:util';
import {CsvError, parse, type Info, type Parser} from 'csv-parse';
import type {ColumnChoice} from './columnChoice.ts';
import {readLayout, type CsvLayout} from './csvColumns.ts';
import {
  cellsOf,
  checkCsvFormat,
  chooseDelimiter,
  parserDelimiters,
  readHead,
  toNumber,
  toNumberWithComma,
  type CsvFormat,
} from './csvFormat.ts';
import {DatasetFormatError, listed, quoted, systemReason} from './errors.ts';
import {GrowingCoords} from './growingCoords.ts';
import {fileBlocks, openFile, withOpenFile} from './inputFile.ts';
import type {LoadedPoints, ReadPrecision} from './numbers.ts';

/** Bytes of one row. */
const ROW_BYTES_MAX = 2 ** 24;

export interface CsvOptions extends ColumnChoice, CsvFormat {
  /** Number of columns that the file must have. */
  readonly dim?: number | undefined;
  /** Default: `'source'`, which is float64. */
  readonly precision?: ReadPrecision | undefined;
  /** Ends the reading early. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads rows of numbers from a file. Lines end in LF, CR LF or CR. Blank lines and lines that start with `#` are
 * skipped.
 *
 * @throws InvalidParameterError  if the delimiter or the decimal mark is not valid
 * @throws DatasetFormatError   if a column is missing, a chosen cell is not a finite number, a row has another number
 *                              of cells than the first (names the line), or no data row follows the header
 * @throws the signal's reason  if `signal` fires
 */
export function readCsvFile(path: string, options: CsvOptions): Promise<LoadedPoints> {
  checkCsvFormat(options);
  return withOpenFile(path, (file) => readRows(path, fileBlocks(file), {...options, size: file.size}));
}

/**
 * Reads rows of numbers from a stream, as `readPoints` reads them from a CSV file.
 *
 * @param stream        bytes of UTF-8 text; destroyed at the end
 * @param options.name  names the stream in error messages. Default: `standard input`
 * @param options.size  bytes that will come, where known; saves copies of the result while it grows
 * @throws InvalidParameterError, DatasetFormatError  as `readPoints` does, and if the stream fails
 * @throws the signal's reason                        if `options.signal` fires
 */
export async function readCsvStream(
  stream: Readable,
  options: CsvOptions & {readonly name?: string | undefined; readonly size?: number | undefined} = {},
): Promise<LoadedPoints> {
  const {name: path = 'standard input', signal} = options;
  try {
    checkCsvFormat(options);
    signal?.throwIfAborted();
    // Ends the wait for bytes.
    if (signal !== undefined) addAbortSignal(signal, stream);
    return await readRows(path, (stream as AsyncIterable<Buffer>)[Symbol.asyncIterator](), options);
  } finally {
    stream.destroy();
  }
}

async function readRows(
  path: string,
  chunks: AsyncIterator<Uint8Array>,
  options: CsvOptions & {readonly size?: number | undefined},
): Promise<LoadedPoints> {
  const {signal} = options;
  try {
    signal?.throwIfAborted();
    const head = await readHead(path, chunks);
    const delimiter = chooseDelimiter(head.rows, path, options);
    const rows = new RowReader(path, delimiter, options);
    // `on_record` keeps every row, so nothing comes out of the parser.
    await pipeline(joined(head.bytes, chunks), openParser(delimiter, rows).resume(), {signal});
    return rows.finish();
  } catch (error) {
    signal?.throwIfAborted();
    throw named(path, error);
  }
}

/**
 * Reads rows of numbers from a file in batches, as `readCsvFile` reads them at once.
 *
 * @param batchPoints  least number of points in a batch; only the last has fewer
 * @returns            batches, each with its own arrays, and the names of the columns
 * @throws InvalidParameterError, DatasetFormatError  as `readCsvFile` does
 * @throws the signal's reason                        if `signal` fires
 */
export async function* readCsvBatches(
  path: string,
  options: CsvOptions,
  batchPoints: number,
): AsyncGenerator<LoadedPoints> {
  checkCsvFormat(options);
  const file = await openFile(path);
  try {
    const chunks = fileBlocks(file);
    const head = await readHead(path, chunks);
    const delimiter = chooseDelimiter(head.rows, path, options);
    const rows = new RowReader(path, delimiter, options);
    const parser = openParser(delimiter, rows).resume();
    // The callback of `write` receives the same error.
    parser.on('error', () => undefined);
    for await (const chunk of joined(head.bytes, chunks)) {
      options.signal?.throwIfAborted();
      await promisify((done: (error?: Error | null) => void) => parser.write(chunk, done))();
      if (rows.pointCount >= batchPoints) yield rows.take();
    }
    parser.end();
    await finished(parser);
    yield rows.finish();
  } catch (error) {
    options.signal?.throwIfAborted();
    throw named(path, error);
  } finally {
    await file.handle.close();
  }
}

function openParser(delimiter: string, rows: RowReader): Parser {
  return parse({
    bom: true,
    comment: '#',
    comment_no_infix: true,
    delimiter: parserDelimiters(delimiter),
    max_record_size: ROW_BYTES_MAX,
    on_record: rows.read,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  });
}

/** Turns rows of text into coordinates. */
class RowReader {
  readonly #path: string;
  readonly #delimiter: string;
  readonly #options: CsvOptions;
  readonly #toNumber: (text: string) => number;
  readonly #coords: GrowingCoords;
  #layout: CsvLayout | undefined;
  #wasTaken = false;

  constructor(path: string, delimiter: string, options: CsvOptions & {readonly size?: number | undefined}) {
    this.#path = path;
    this.#delimiter = delimiter;
    this.#options = options;
    this.#toNumber = options.decimal === ',' ? toNumberWithComma : toNumber;
    const precision = options.precision === 'float32' ? 'float32' : 'float64';
    this.#coords = new GrowingCoords(path, precision, options.size);
  }

  /** Takes one row. Returns null, so that the parser does not keep it. */
  readonly read = (parsed: readonly string[], info: Info): null => {
    const cells = cellsOf(parsed, this.#delimiter);
    // A line of spaces is blank.
    if (cells.length === 0 || (cells.length === 1 && cells[0].trim() === '')) return null;
    if (this.#layout === undefined) {
      this.#refuseOtherMark(cells, info);
      this.#layout = readLayout(this.#path, cells, this.#toNumber, this.#options);
      if (this.#layout.hasHeader) return null;
    }
    this.#readRow(this.#layout, cells, info);
    return null;
  };

  #readRow({axisOfColumn, dim, names, hasHeader}: CsvLayout, cells: readonly string[], info: Info): void {
    if (cells.length !== axisOfColumn.length) {
      const message = `has ${cells.length} cells; expected ${axisOfColumn.length}, as in the first row`;
      throw new DatasetFormatError(this.#path, message, {line: info.lines});
    }
    const coords = this.#coords;
    coords.reserve(dim, info.bytes);
    for (let column = 0; column < cells.length; column++) {
      const axis = axisOfColumn[column];
      if (axis < 0) continue;
      const value = this.#toNumber(cells[column]);
      // x − x is 0 for finite x only.
      if (value - value !== 0) {
        const name = hasHeader ? names[column] : `column ${column}`;
        throw new DatasetFormatError(this.#path, this.#noNumber(name, cells[column]), {line: info.lines});
      }
      coords.values[coords.length + axis] = value;
    }
    coords.length += dim;
  }

  /** Numbers with a decimal comma are no header. */
  #refuseOtherMark(cells: readonly string[], info: Info): void {
    const other = cells.findIndex((cell) => Number.isNaN(this.#toNumber(cell)));
    if (other < 0 || cells.some((cell) => Number.isNaN(toNumberWithComma(cell)))) return;
    throw new DatasetFormatError(this.#path, this.#noNumber(`column ${other}`, cells[other]), {line: info.lines});
  }

  #noNumber(name: string, cell: string): string {
    const isOther = this.#options.decimal !== ',' && !Number.isNaN(toNumberWithComma(cell));
    const advice = isOther ? ', or the option decimal = ","' : '';
    return `${name} = ${quoted(cell)}; expected a finite number${advice}`;
  }

  /** Number of points since the last `take`. */
  get pointCount(): number {
    return this.#layout === undefined ? 0 : this.#coords.length / this.#layout.dim;
  }

  /** Returns the points so far, and forgets them. */
  take(): LoadedPoints {
    const coords = this.#coords;
    const taken = coords.values.slice(0, coords.length);
    coords.length = 0;
    this.#wasTaken = true;
    return {coords: taken, dim: this.#layout?.dim ?? 1, columns: this.#layout?.chosenNames ?? []};
  }

  /** @throws DatasetFormatError  if there was no data row */
  finish(): LoadedPoints {
    const layout = this.#layout;
    if (layout === undefined) throw new DatasetFormatError(this.#path, 'has no rows; expected rows of numbers');
    if (this.#coords.length === 0 && !this.#wasTaken) {
      const header = listed(layout.names);
      throw new DatasetFormatError(
        this.#path,
        `has no data row after the header (${header}); expected rows of numbers`,
      );
    }
    return {coords: this.#coords.finish(), dim: layout.dim, columns: layout.chosenNames};
  }
}

async function* joined(head: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield head;
  for (;;) {
    const {value, done} = await rest.next();
    if (done === true) return;
    yield value;
  }
}

/** Puts the file's name before an error of the parser or of the system. */
function named(path: string, error: unknown): DatasetFormatError {
  if (error instanceof DatasetFormatError) return error;
  if (!(error instanceof CsvError)) {
    return new DatasetFormatError(path, `cannot be read (${systemReason(error)})`, {cause: error});
  }
  if (error.code === 'CSV_MAX_RECORD_SIZE') {
    return new DatasetFormatError(path, `has a row of over ${ROW_BYTES_MAX} bytes; expected rows of numbers`);
  }
  return new DatasetFormatError(path, `is malformed (${error.message}); expected CSV`, {cause: error});
}
