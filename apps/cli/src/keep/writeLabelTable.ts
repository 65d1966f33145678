import type {LabelColumn, WriteOptions} from '@epsball/datasets';
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

/** Writes labels, with the kept columns of their rows. */
export async function writeLabelTable(
  out: string,
  {labels, coreMask, rows, columns, kept = {}}: LabelTable,
  options: WriteOptions,
): Promise<void> {
  const {writeLabels} = await import('@epsball/datasets');
  return writeLabels(out, labels, coreMask, {...options, rows, columns: {...columns, ...keptRows(kept, rows)}});
}
