import type {RunOptions} from '@epsball/clustering';

const ROWS_PER_BLOCK = 8192;

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

/**
 * A file of rows: a line before them, n lines, and text after them.
 *
 * @param onProgress  hears of rows that are written
 */
export function* rowBlocks(
  head: string,
  n: number,
  row: (i: number) => string,
  {tail = '', onProgress}: Pick<WriteOptions, 'onProgress'> & {readonly tail?: string} = {},
): Generator<string> {
  yield `${head}\n`;
  for (let start = 0; start < n; start += ROWS_PER_BLOCK) {
    onProgress?.({phase: 'write', done: start, total: n});
    let text = '';
    for (let i = start; i < Math.min(n, start + ROWS_PER_BLOCK); i++) text += `${row(i)}\n`;
    yield text;
  }
  yield tail;
}
