import type {PointSet} from '@epsball/clustering';
import {writeAtomically, writeBytes} from './outputFile.ts';

/** Rows of one write. */
const ROWS_PER_WRITE = 8192;

/**
 * Writes a header and n rows.
 *
 * @param row     text of row i, without the end of line
 * @param signal  checked between blocks
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

/** Writes points with enough digits to read back the same numbers. */
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
