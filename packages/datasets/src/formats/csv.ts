import {parserChunks} from '#host';
import {parse, type Info, type Parser} from '#csv-parse';
import {withoutCounters} from './counters.ts';
import {dimWithOthers, precisionWithOthers, splitColumns, type ColumnChoice} from './columnChoice.ts';
import {readLayout, withRowNames, type CsvLayout} from './csvColumns.ts';
import {
  cellsOf,
  checkCsvFormat,
  chooseDelimiter,
  hasNoNumber,
  isMissingCell,
  parserDelimiters,
  readHead,
  splitAt,
  toNumber,
  toNumberWithComma,
  type CsvFormat,
} from './csvFormat.ts';
import {named} from './csvErrors.ts';
import {DatasetFormatError, listed, quoted} from './errors.ts';
import {GroupNames, groupNameOf} from './groups.ts';
import {GrowingCoords} from './growingCoords.ts';
import {inflated} from './inflate.ts';
import type {LoadedColumns, LoadedPoints, ReadPrecision} from './numbers.ts';
import {fileBlocks, openFile, type Input} from './openFile.ts';
import {expectedTime, timeOf} from './times.ts';

/** Bytes of one row. */
const ROW_BYTES_MAX = 2 ** 24;

export interface CsvOptions extends ColumnChoice, CsvFormat {
  /** Number of columns that the file must have. */
  readonly dim?: number | undefined;
  /** Default: `'source'`, which is float64. */
  readonly precision?: ReadPrecision | undefined;
  /** As for `readPoints`. */
  readonly missing?: 'error' | 'nan' | undefined;
  /** Ends the reading early. */
  readonly signal?: AbortSignal | undefined;
}

/** Bytes of UTF-8 text, such as a `Readable` of Node. */
export interface CsvStream extends AsyncIterable<Uint8Array> {
  destroy?(error?: Error): void;
}

/**
 * Reads rows of numbers from a file. Lines end in LF, CR LF or CR. Blank lines and lines that start with `#` are
 * skipped.
 */
export function readCsvFile(input: Input, options: CsvOptions): Promise<LoadedPoints> {
  return onlyOf(readCsvBatches(input, options, Infinity));
}

/**
 * Reads rows of numbers from a stream, as `readPoints` reads them from a CSV file.
 *
 * @param stream        destroyed at the end
 * @param options.name  names the stream in error messages. Default: `standard input`
 * @param options.size  bytes that will come, where known; saves copies of the result while it grows
 * @throws InvalidParameterError, DatasetFormatError  as `readPoints` does, and if the stream fails
 * @throws the signal's reason                        if `options.signal` fires
 */
export async function readCsvStream(
  stream: CsvStream,
  options: CsvOptions & {readonly name?: string | undefined; readonly size?: number | undefined} = {},
): Promise<LoadedPoints> {
  const {name: path = 'standard input', signal} = options;
  // Ends the wait for bytes.
  const abort = (): void => stream.destroy?.(signal?.reason);
  signal?.addEventListener('abort', abort);
  try {
    checkCsvFormat(options);
    const points = await onlyOf(readBatches(path, stream[Symbol.asyncIterator](), options, Infinity));
    return withoutCounters(points, options.columns);
  } finally {
    signal?.removeEventListener('abort', abort);
    stream.destroy?.();
  }
}

/**
 * Reads rows of numbers from a file in batches, as `readPoints` reads them at once.
 *
 * @param batchPoints  least number of points in a batch; only the last has fewer
 * @returns            batches, each with its own arrays, and the names of the columns
 * @throws InvalidParameterError, DatasetFormatError  as `readPoints` does
 * @throws the signal's reason                        if `signal` fires
 */
export async function* readCsvBatches(
  input: Input,
  options: CsvOptions,
  batchPoints: number,
): AsyncGenerator<LoadedPoints> {
  checkCsvFormat(options);
  const file = await openFile(input);
  try {
    const isPacked = file.path.toLowerCase().endsWith('.gz');
    const blocks = isPacked ? inflated(fileBlocks(file)) : fileBlocks(file);
    yield* readBatches(file.path, blocks, {...options, size: isPacked ? undefined : file.size}, batchPoints);
  } finally {
    await file.close?.();
  }
}

async function* readBatches(
  path: string,
  chunks: AsyncIterator<Uint8Array>,
  options: CsvOptions & {readonly size?: number | undefined},
  batchPoints: number,
): AsyncGenerator<LoadedPoints> {
  const {signal} = options;
  try {
    signal?.throwIfAborted();
    const head = await readHead(path, chunks);
    const read = {...options, precision: precisionWithOthers(options), dim: dimWithOthers(options)};
    const rows = new RowReader(path, chooseDelimiter(head.rows, path, options), head.rows, read);
    // `on_record` keeps every row, so nothing comes out of the parser. `write` gets the errors, too.
    const parser = openParser(rows)
      .resume()
      .on('error', () => undefined);
    const toChunk = parserChunks();
    for (let chunk: Uint8Array | undefined = head.bytes; chunk !== undefined; chunk = await nextOf(chunks)) {
      signal?.throwIfAborted();
      await written(parser, toChunk(chunk));
      if (rows.pointCount >= batchPoints) yield splitColumns(rows.take(), options);
    }
    await new Promise((resolve, reject) => parser.on('end', resolve).on('error', reject).end());
    yield splitColumns(rows.finish(), options);
  } catch (error) {
    signal?.throwIfAborted();
    throw named(path, error, ROW_BYTES_MAX);
  }
}

async function onlyOf(batches: AsyncGenerator<LoadedPoints>): Promise<LoadedPoints> {
  for await (const batch of batches) return batch;
  throw new Error('no batch');
}

async function nextOf(chunks: AsyncIterator<Uint8Array>): Promise<Uint8Array | undefined> {
  const {value, done} = await chunks.next();
  return done === true ? undefined : value;
}

function written(parser: Parser, chunk: Uint8Array | string): Promise<void> {
  return new Promise((resolve, reject) =>
    parser.write(chunk, (error?: Error | null) => (error ? reject(error) : resolve())),
  );
}

function openParser(rows: RowReader): Parser {
  return parse({
    bom: true,
    comment: '#',
    comment_no_infix: true,
    delimiter: parserDelimiters(rows.delimiter),
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
  readonly delimiter: string;
  readonly #path: string;
  /** Rows after the first, as many as there are in the head. */
  readonly #sample: readonly (readonly string[])[];
  readonly #options: CsvOptions;
  readonly #toNumber: (text: string) => number;
  readonly #coords: GrowingCoords;
  readonly #groups = new GroupNames();
  #layout: CsvLayout | undefined;
  #wasTaken = false;

  constructor(
    path: string,
    delimiter: string,
    headRows: readonly string[],
    options: CsvOptions & {readonly size?: number | undefined},
  ) {
    this.#path = path;
    this.delimiter = delimiter;
    this.#sample = headRows.slice(1).map((row) => splitAt(row, delimiter));
    this.#options = options;
    this.#toNumber = options.decimal === ',' ? toNumberWithComma : toNumber;
    const precision = options.precision === 'float32' ? 'float32' : 'float64';
    this.#coords = new GrowingCoords(path, precision, options.size);
  }

  /** Takes one row. Returns null, so that the parser does not keep it. */
  readonly read = (parsed: readonly string[], info: Info): null => {
    const cells = cellsOf(parsed, this.delimiter);
    // A line of spaces is blank.
    if (cells.length === 0 || (cells.length === 1 && cells[0].trim() === '')) return null;
    if (this.#layout === undefined) {
      this.#refuseOtherMark(cells, info);
      const names = this.delimiter === ' ' ? withRowNames(cells, this.#sample, this.#toNumber) : cells;
      this.#layout = readLayout(this.#path, names, this.#sample, this.#toNumber, this.#options);
      if (this.#layout.hasHeader) return null;
    }
    this.#readRow(this.#layout, cells, info);
    return null;
  };

  #readRow(layout: CsvLayout, cells: readonly string[], info: Info): void {
    const {axisOfColumn, dim} = layout;
    if (cells.length !== axisOfColumn.length) {
      const message = `has ${cells.length} cells; expected ${axisOfColumn.length}, as in the first row`;
      throw new DatasetFormatError(this.#path, message, {line: info.lines});
    }
    const coords = this.#coords;
    coords.reserve(dim, info.bytes);
    for (let column = 0; column < cells.length; column++) {
      const axis = axisOfColumn[column];
      if (axis < 0) continue;
      const value = this.#valueOf(layout, column, cells[column]);
      // x − x is 0 for finite x only.
      if (value - value !== 0 && !(this.#options.missing === 'nan' && isMissingCell(cells[column]))) {
        const isUnits = coords.length === 0 && layout.hasHeader && hasNoNumber(cells);
        const advice = isUnits && !isMissingCell(cells[column]) ? ', and no line of units' : '';
        const reason = this.#refusal(layout, column, cells[column]) + advice;
        throw new DatasetFormatError(this.#path, reason, {line: info.lines});
      }
      coords.values[coords.length + axis] = value;
    }
    coords.length += dim;
  }

  #valueOf({timeColumn, groupColumn}: CsvLayout, column: number, cell: string): number {
    if (column === timeColumn) return timeOf(cell, this.#toNumber);
    if (column !== groupColumn) return this.#toNumber(cell);
    const name = groupNameOf(cell);
    return name === undefined ? NaN : this.#groups.indexOf(name);
  }

  #refusal({names, hasHeader, timeColumn, groupColumn}: CsvLayout, column: number, cell: string): string {
    const name = hasHeader ? names[column] : `column ${column}`;
    if (column === groupColumn) return `${name} = ""; expected the name of a group`;
    return column === timeColumn ? expectedTime(name, cell) : this.#noNumber(name, cell);
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
  take(): LoadedColumns {
    const coords = this.#coords;
    const taken = coords.values.slice(0, coords.length);
    coords.length = 0;
    this.#wasTaken = true;
    return this.#columns(taken, this.#layout);
  }

  /** @throws DatasetFormatError  if there was no data row */
  finish(): LoadedColumns {
    const layout = this.#layout;
    if (layout === undefined) throw new DatasetFormatError(this.#path, 'has no rows; expected rows of numbers');
    if (this.#coords.length === 0 && !this.#wasTaken) {
      const header = listed(layout.names);
      throw new DatasetFormatError(
        this.#path,
        `has no data row after the header (${header}); expected rows of numbers`,
      );
    }
    return this.#columns(this.#coords.finish(), layout);
  }

  #columns(coords: LoadedPoints['coords'], layout?: CsvLayout): LoadedColumns {
    const groupNames = layout === undefined || layout.groupColumn < 0 ? {} : {groupNames: [...this.#groups.names]};
    const left = layout?.left === undefined ? {} : {left: layout.left};
    return {coords, dim: layout?.dim ?? 1, columns: layout?.chosenNames ?? [], ...left, ...groupNames};
  }
}
