import {ProgressMeter, type RunOptions} from '@epsball/clustering';

const ROWS_PER_BLOCK = 8192;

/** Values of one block of an array. */
const VALUES_PER_BLOCK = 2 ** 20;

/** A column beside labels: numbers, integers of 64 bits, or values of one kind with null for gaps. */
export type LabelColumn = Float64Array | BigInt64Array | readonly (string | number | bigint | null)[];

/** A column of a table of numbers. */
export type TableColumn = Int32Array | Float64Array | BigInt64Array;

/** A column to write: numbers, flags in bytes, or values with gaps. */
export type WrittenColumn = TableColumn | Uint8Array | LabelColumn;

export interface LabelColumns {
  readonly labels: Int32Array;
  readonly coreMask: Uint8Array | undefined;
  readonly columns: Readonly<Record<string, LabelColumn>>;
  /** The row of each label. Default: its index. */
  readonly rows: Int32Array | undefined;
}

/** Names of the axes in a written file: x, y, z, or x0, x1 … from four dimensions on. */
export function axisNames(dim: number): string[] {
  return Array.from({length: dim}, (_, d) => (dim <= 3 ? 'xyz'[d] : `x${d}`));
}

/** How a file is written. */
export interface WriteOptions extends Pick<RunOptions<'write'>, 'onProgress'> {
  /** Ends the writing early. Checked between blocks and before the new file replaces the old one. */
  readonly signal?: AbortSignal | undefined;
}

/** Divides n items into blocks. Reports the items that are written when the next block begins, and all at the end. */
export function* blockRanges(
  n: number,
  length: number,
  onProgress: WriteOptions['onProgress'],
): Generator<readonly [start: number, end: number]> {
  const meter = new ProgressMeter(n, onProgress);
  for (let start = 0; start < n; start += length) {
    meter.report('write', start);
    yield [start, Math.min(n, start + length)];
  }
  meter.report('write', n);
}

/** A file of an array: its head, and n values or rows. */
export function* arrayBlocks(
  head: ArrayBufferView,
  n: number,
  block: (start: number, end: number) => ArrayBufferView,
  onProgress: WriteOptions['onProgress'],
  length: number = VALUES_PER_BLOCK,
): Generator<ArrayBufferView> {
  yield head;
  for (const [start, end] of blockRanges(n, length, onProgress)) yield block(start, end);
}

/** A file of rows: a line before them, n lines, and text after them. */
export function* rowBlocks(
  head: string,
  n: number,
  row: (i: number) => string,
  {tail = '', onProgress}: Pick<WriteOptions, 'onProgress'> & {readonly tail?: string} = {},
): Generator<string> {
  yield `${head}\n`;
  for (const [start, end] of blockRanges(n, ROWS_PER_BLOCK, onProgress)) {
    let text = '';
    for (let i = start; i < end; i++) text += `${row(i)}\n`;
    yield text;
  }
  yield tail;
}
