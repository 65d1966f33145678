import {open, rename, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {mkdir} from 'node:fs/promises';
import {writeLabels} from '@epsball/datasets';
import type {RunFiles} from './runFiles.ts';
import {rangeCount, type GatherFacts, type MergeFacts} from './tasks/mergeTasks.ts';
import {viewAs} from './typedViews.ts';

/** The labels and core flags of consecutive rows. */
export interface LabelRange {
  readonly firstRow: number;
  readonly labels: Int32Array | Float64Array;
  readonly coreMask: Uint8Array;
}

/** What a finished run found. */
export interface RunResult {
  readonly rowCount: number;
  readonly clusterCount: number;
  readonly tileCount: number;
}

export async function runResult(files: RunFiles): Promise<RunResult> {
  const {rowCount} = await files.plan();
  const {clusterCount} = await files.facts<MergeFacts>({kind: 'merge', index: 0});
  const {finalTiling} = await import('./tilingRounds.ts');
  return {rowCount, clusterCount, tileCount: (await finalTiling(files)).tiling.tileCount};
}

/** The labels of a finished run, range by range in the order of rows. */
export async function* labelRanges(files: RunFiles): AsyncGenerator<LabelRange> {
  const plan = await files.plan();
  const {isWide} = await files.facts<MergeFacts>({kind: 'merge', index: 0});
  const labelBytes = isWide ? 8 : 4;
  for (let range = 0; range < rangeCount(plan); range++) {
    const task = {kind: 'gather', index: range} as const;
    const {rowCount} = await files.facts<GatherFacts>(task);
    const bytes = await files.readData(task, 0, rowCount * (labelBytes + 1));
    yield {
      firstRow: range * plan.rangeRows,
      labels: isWide ? viewAs(Float64Array, bytes, 0, rowCount) : viewAs(Int32Array, bytes, 0, rowCount),
      coreMask: bytes.subarray(rowCount * labelBytes),
    };
  }
}

/**
 * Writes the labels of a finished run: `labels.npy`, an int32 vector (int64 from 2^31 clusters on), or a folder of
 * Parquet files `part-00000.parquet` … with the columns label and core, in the order of rows.
 *
 * An older file is replaced when the new one is complete.
 */
export async function writeRunLabels(files: RunFiles, out: string): Promise<void> {
  if (out.toLowerCase().endsWith('.npy')) return writeNpyLabels(files, out);
  await mkdir(out, {recursive: true});
  let part = 0;
  for await (const {labels, coreMask} of labelRanges(files)) {
    if (!(labels instanceof Int32Array)) throw new RangeError('over 2^31 clusters; write the labels as .npy');
    const name = `part-${String(part++).padStart(5, '0')}.parquet`;
    await writeLabels(join(out, name), labels, coreMask);
  }
}

async function writeNpyLabels(files: RunFiles, out: string): Promise<void> {
  const {rowCount} = await files.plan();
  const {isWide} = await files.facts<MergeFacts>({kind: 'merge', index: 0});
  const partial = `${out}.${process.pid}.partial`;
  const file = await open(partial, 'wx');
  try {
    await file.appendFile(npyHeader(isWide ? '<i8' : '<i4', rowCount));
    for await (const {labels} of labelRanges(files)) {
      const words = labels instanceof Float64Array ? BigInt64Array.from(labels, (label) => BigInt(label)) : labels;
      await file.appendFile(new Uint8Array(words.buffer, words.byteOffset, words.byteLength));
    }
    await file.close();
    await rename(partial, out);
  } catch (error) {
    await file.close();
    await rm(partial, {force: true});
    throw error;
  }
}

/** The header of a vector, as `numpy.save` writes it. */
function npyHeader(descr: string, length: number): Uint8Array {
  const dictionary = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${length},), }`;
  const total = Math.ceil((10 + dictionary.length + 1) / 64) * 64;
  const header = Buffer.alloc(total, ' ');
  header.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0]);
  header.writeUInt16LE(total - 10, 8);
  header.write(dictionary, 10, 'latin1');
  header[total - 1] = 0x0a;
  return header;
}
