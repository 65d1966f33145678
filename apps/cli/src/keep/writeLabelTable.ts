import type {LabelColumn} from '@epsball/datasets';
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

/** Writes labels in the format of the extension; `.arrow`, too. */
export async function writeLabelTable(
  out: string,
  {labels, coreMask, rows, columns: own, kept = {}}: LabelTable,
  signal: AbortSignal,
): Promise<void> {
  const columns = {...own, ...keptRows(kept, rows)};
  const {writeContent, writeLabels} = await import('@epsball/datasets');
  if (!out.toLowerCase().endsWith('.arrow')) return writeLabels(out, labels, coreMask, {signal, columns, rows});
  const {arrowTable} = await import('./arrowTable.ts');
  return writeContent(out, await arrowTable({labels, coreMask, rows, columns}), signal);
}
