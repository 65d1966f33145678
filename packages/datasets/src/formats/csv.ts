import {parse} from 'csv-parse';
import type {PointSet} from '@epsball/clustering';
import {notANumber, readCsvLayout, wrongCellCount, type CsvLayout} from './csvColumns.ts';
import {DatasetFormatError} from './errors.ts';
import {withOpenFile, writeAtomically, writeBytes, type OpenFile} from './files.ts';
import {allocate, type Coords, type ReadPrecision} from './numbers.ts';
import {parseDecimal} from './numberText.ts';

/**
 * CSV in two readers. Plain rows, without a quote, are split here, byte by byte, into the coordinates: a million rows of
 * two numbers take 0.12 s of processor time, where csv-parse, which makes a string of every cell, takes 0.87 s (Node 24,
 * 5 decimals). The first quote in a data row hands the whole file to csv-parse, which knows every rule.
 */

const CHUNK_BYTES = 2 ** 20;
/** A power of two times the chunk, as the buffer doubles. */
const LINE_BYTES_MAX = 2 ** 26;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const QUOTE = 0x22;
const HASH = 0x23;
const SPACE = 0x20;
const TAB = 0x09;

/**
 * Reads rows of numbers. Blank lines and lines that start with `#` are skipped.
 *
 * @param columns  names or numbers of the columns, axis by axis; all unless given
 * @throws DatasetFormatError  if a column is missing, or a chosen cell is no finite number (names the line), or a row has
 *                             another number of cells than the first
 */
export function readCsv(
  path: string,
  columns: readonly (string | number)[] | undefined,
  dim: number | undefined,
  precision: ReadPrecision,
): Promise<PointSet> {
  return withOpenFile(path, async (file) => {
    const layout = await readCsvLayout(file, columns);
    if (dim !== undefined && dim !== layout.dim) {
      throw new DatasetFormatError(
        path,
        `has ${layout.dim} columns (${layout.names.join(', ')}); expected dim = ${dim}`,
      );
    }
    const wanted = precision === 'float32' ? 'float32' : 'float64';
    const plain = new PlainReader(layout, file.size, allocate(0, wanted));
    const coords = (await plain.read(file)) ?? (await readQuoted(layout, file, allocate(0, wanted)));
    return {coords, dim: layout.dim};
  });
}

/** Coordinates that grow. `bytesDone` of `size` bytes foretell how many there will be. */
class GrowingCoords {
  values: Coords;
  length = 0;
  readonly #size: number;

  constructor(empty: Coords, size: number) {
    this.values = empty;
    this.#size = size;
  }

  /** Makes room for `count` more. */
  reserve(count: number, bytesDone: number): void {
    const needed = this.length + count;
    if (needed <= this.values.length) return;
    // The first lines may be shorter than most, and foretell too much.
    const foretold = bytesDone > 2 ** 16 ? Math.ceil((needed * this.#size * 1.02) / bytesDone) : 0;
    const precision = this.values instanceof Float32Array ? 'float32' : 'float64';
    const grown = allocate(Math.max(foretold, Math.ceil(needed * 1.5), 1024), precision);
    grown.set(this.values.subarray(0, this.length));
    this.values = grown;
  }

  finish(): Coords {
    return this.length === this.values.length ? this.values : this.values.slice(0, this.length);
  }
}

class PlainReader {
  readonly #layout: CsvLayout;
  readonly #coords: GrowingCoords;
  readonly #delimiter: number;
  #line = 0;
  #needsHeader: boolean;
  #bytesDone = 0;

  constructor(layout: CsvLayout, size: number, empty: Coords) {
    this.#layout = layout;
    this.#coords = new GrowingCoords(empty, size);
    this.#delimiter = layout.delimiter.charCodeAt(0);
    this.#needsHeader = layout.hasHeader;
  }

  /** @returns  nothing if a data row has a quote */
  async read(file: OpenFile): Promise<Coords | undefined> {
    let buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    let filled = 0;
    for (let position = 0; ;) {
      const {bytesRead} = await file.handle.read(buffer, filled, buffer.length - filled, position);
      position += bytesRead;
      filled += bytesRead;
      const isLast = bytesRead === 0;
      // The last line needs no newline.
      const end = isLast ? filled : buffer.lastIndexOf(NEWLINE, filled - 1) + 1;
      if (!this.#readLines(buffer, end)) return undefined;
      if (isLast) return this.#coords.finish();
      buffer.copy(buffer, 0, end, filled);
      filled -= end;
      if (filled === LINE_BYTES_MAX) {
        throw new DatasetFormatError(file.path, `has a line of over ${LINE_BYTES_MAX} bytes; expected rows of numbers`);
      }
      if (filled === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafe(buffer.length)]);
    }
  }

  /** Reads the lines in the first `end` bytes; false if one has a quote. */
  #readLines(buffer: Buffer, end: number): boolean {
    for (let start = 0; start < end;) {
      let lineEnd = start;
      while (lineEnd < end && buffer[lineEnd] !== NEWLINE) lineEnd++;
      const next = lineEnd + 1;
      this.#line++;
      this.#bytesDone += next - start;
      if (this.#line === 1) start = afterMark(buffer, start);
      if (lineEnd > start && buffer[lineEnd - 1] === RETURN) lineEnd--;
      if (!isSkipped(buffer, start, lineEnd)) {
        if (this.#needsHeader) this.#needsHeader = false;
        else if (!this.#readRow(buffer, start, lineEnd)) return false;
      }
      start = next;
    }
    return true;
  }

  #readRow(buffer: Buffer, start: number, end: number): boolean {
    const {axisOfColumn, dim} = this.#layout;
    const coords = this.#coords;
    const delimiter = this.#delimiter;
    coords.reserve(dim, this.#bytesDone);
    let column = 0;
    for (let cell = start; cell <= end; column++) {
      let cellEnd = cell;
      while (cellEnd < end && buffer[cellEnd] !== delimiter) if (buffer[cellEnd++] === QUOTE) return false;
      const axis = column < axisOfColumn.length ? axisOfColumn[column] : -1;
      if (axis >= 0) {
        const value = parseDecimal(buffer, cell, cellEnd);
        // x − x is 0 for finite x only.
        if (value - value !== 0) {
          throw notANumber(this.#layout, column, buffer.toString('utf8', cell, cellEnd), this.#line);
        }
        coords.values[coords.length + axis] = value;
      }
      cell = cellEnd + 1;
    }
    if (column !== axisOfColumn.length) throw wrongCellCount(this.#layout, column, this.#line);
    coords.length += dim;
    return true;
  }
}

/** Blank, or a comment. */
function isSkipped(buffer: Buffer, start: number, end: number): boolean {
  if (buffer[start] === HASH && end > start) return true;
  let at = start;
  while (at < end && (buffer[at] === SPACE || buffer[at] === TAB)) at++;
  return at === end;
}

/** Past the byte order mark, if there is one. */
function afterMark(buffer: Buffer, start: number): number {
  return buffer[start] === 0xef && buffer[start + 1] === 0xbb && buffer[start + 2] === 0xbf ? start + 3 : start;
}

/** Any CSV, by csv-parse. */
async function readQuoted(layout: CsvLayout, file: OpenFile, empty: Coords): Promise<Coords> {
  const {axisOfColumn, delimiter, dim} = layout;
  const coords = new GrowingCoords(empty, file.size);
  const parser = parse({
    bom: true,
    comment: '#',
    comment_no_infix: true,
    delimiter,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
  });
  const source = file.handle.createReadStream({start: 0, autoClose: false});
  source.on('error', (error) => parser.destroy(error));
  let needsHeader = layout.hasHeader;
  try {
    for await (const {record, info} of source.pipe(parser) as AsyncIterable<QuotedRow>) {
      if (needsHeader) {
        needsHeader = false;
        continue;
      }
      if (record.length !== axisOfColumn.length) throw wrongCellCount(layout, record.length, info.lines);
      coords.reserve(dim, info.bytes);
      for (const [column, text] of record.entries()) {
        const bytes = Buffer.from(text, 'utf8');
        const value = axisOfColumn[column] < 0 ? 0 : parseDecimal(bytes, 0, bytes.length);
        if (!Number.isFinite(value)) throw notANumber(layout, column, text, info.lines);
        if (axisOfColumn[column] >= 0) coords.values[coords.length + axisOfColumn[column]] = value;
      }
      coords.length += dim;
    }
  } catch (error) {
    if (error instanceof DatasetFormatError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new DatasetFormatError(layout.path, `is malformed (${reason}); expected CSV`, {cause: error});
  }
  return coords.finish();
}

interface QuotedRow {
  readonly record: readonly string[];
  readonly info: {readonly lines: number; readonly bytes: number};
}

/** Rows formatted before they are written together. */
const ROWS_PER_WRITE = 8192;

/**
 * Writes a header and n rows.
 *
 * @param row     text of row i, without the end of line
 * @param signal  looked at between blocks
 */
export async function writeRows(
  path: string,
  header: string,
  n: number,
  row: (i: number) => string,
  signal?: AbortSignal,
): Promise<void> {
  await writeAtomically(
    path,
    async (handle) => {
      await writeBytes(handle, Buffer.from(`${header}\n`));
      for (let start = 0; start < n; start += ROWS_PER_WRITE) {
        signal?.throwIfAborted();
        let text = '';
        for (let i = start; i < Math.min(n, start + ROWS_PER_WRITE); i++) text += `${row(i)}\n`;
        await writeBytes(handle, Buffer.from(text));
      }
    },
    signal,
  );
}

/** Names of the axes in a written file: x, y, z, or x0, x1 … from four dimensions on. */
export function axisNames(dim: number): string[] {
  return Array.from({length: dim}, (_, d) => (dim <= 3 ? 'xyz'[d] : `x${d}`));
}

/** Writes points with every digit they need: reading them back gives the same numbers. */
export function writeCsv(
  path: string,
  {coords, dim}: PointSet,
  delimiter: string,
  signal?: AbortSignal,
): Promise<void> {
  return writeRows(
    path,
    axisNames(dim).join(delimiter),
    coords.length / dim,
    (i) => {
      let text = formatNumber(coords[i * dim]);
      for (let d = 1; d < dim; d++) text += delimiter + formatNumber(coords[i * dim + d]);
      return text;
    },
    signal,
  );
}

function formatNumber(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}
