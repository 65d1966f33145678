import {writeAtomically, writeBytes} from './outputFile.ts';

/** Rows of one write. */
const ROWS_PER_WRITE = 8192;

/** The text of a file of rows. */
export interface FileRows {
  /** Text before the rows. */
  readonly head: string;
  /** Text after the rows. */
  readonly tail?: string;
  /** Number of rows. */
  readonly n: number;
  /** Text of row i, without the end of line. */
  readonly row: (i: number) => string;
}

/**
 * Writes a file of rows, block by block.
 *
 * @param signal  checked between blocks
 */
export async function writeFileRows(
  path: string,
  {head, tail = '', n, row}: FileRows,
  signal?: AbortSignal,
): Promise<void> {
  await writeAtomically(
    path,
    async (handle) => {
      await writeBytes(handle, Buffer.from(head));
      for (let start = 0; start < n; start += ROWS_PER_WRITE) {
        signal?.throwIfAborted();
        let text = '';
        for (let i = start; i < Math.min(n, start + ROWS_PER_WRITE); i++) text += `${row(i)}\n`;
        await writeBytes(handle, Buffer.from(text));
      }
      await writeBytes(handle, Buffer.from(tail));
    },
    signal,
  );
}
