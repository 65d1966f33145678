import type {LabelColumn} from '@epsball/datasets';
import {once} from 'node:events';
import {codeOf} from '../errors.ts';
import {STANDARD_OUTPUT} from '../options.ts';
import {keptRows, type Kept} from './keptValues.ts';

/** Labels, and what stands beside them. */
export interface LabelTable {
  readonly labels: Int32Array;
  readonly coreMask?: Uint8Array | undefined;
  /** The row of each label. Default: its index. */
  readonly rows?: Int32Array | undefined;
  readonly columns?: Readonly<Record<string, LabelColumn>> | undefined;
  /** Columns of the input, of all its rows. */
  readonly kept?: Kept | undefined;
}

/** Writes labels in the format of the extension; `.arrow`, and CSV to standard output, too. */
export async function writeLabelTable(
  out: string,
  {labels, coreMask, rows, columns: own, kept = {}}: LabelTable,
  signal: AbortSignal,
): Promise<void> {
  const columns = {...own, ...keptRows(kept, rows)};
  const {tableBlocks, writeContent, writeLabels} = await import('@epsball/datasets');
  if (out === STANDARD_OUTPUT) return print(tableBlocks({labels, coreMask, rows, columns}, ','), signal);
  if (!out.toLowerCase().endsWith('.arrow')) return writeLabels(out, labels, coreMask, {signal, columns, rows});
  const {arrowTable} = await import('./arrowTable.ts');
  return writeContent(out, await arrowTable({labels, coreMask, rows, columns}), signal);
}

async function print(blocks: Iterable<string>, signal: AbortSignal): Promise<void> {
  const {stdout} = process;
  try {
    for (const block of blocks) {
      signal.throwIfAborted();
      // The reader may have closed the pipe.
      if (stdout.destroyed) return;
      if (!stdout.write(block)) await once(stdout, 'drain', {signal});
    }
  } catch (error) {
    signal.throwIfAborted();
    if (codeOf(error) !== 'EPIPE') throw error;
  }
}
