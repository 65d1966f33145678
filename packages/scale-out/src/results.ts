import {join} from 'node:path';
import {DatasetWriteError, writeLabels, writeNpyLabels} from '@epsball/datasets';
import {checkRun, checkText} from './checks.ts';
import {partName, replaceParts} from './labelFolder.ts';
import {isVector, refuseInput, requireOrder} from './labelOutput.ts';
import type {LabelOrder} from './run.ts';
import type {RunFiles} from './runFiles.ts';
import {StoreError} from './store/store.ts';
import {rangeCount, type GatherFacts, type MergeFacts, type TileLabelFacts} from './tasks/mergeTasks.ts';
import {finalTiling} from './tilingRounds.ts';
import {labelsOf, viewAs} from './typedViews.ts';

/** The labels and core flags of consecutive rows. */
export interface LabelRange {
  readonly firstRow: number;
  readonly labels: Int32Array | Float64Array;
  readonly coreMask: Uint8Array;
}

/** The labels and core flags of the points that a tile owns. */
export interface TileLabels extends Omit<LabelRange, 'firstRow'> {
  readonly tile: number;
  /** Ascending. */
  readonly rows: Float64Array;
}

/** What a finished run found. */
export interface RunResult {
  readonly rowCount: number;
  readonly clusterCount: number;
  readonly tileCount: number;
}

export async function runResult(files: RunFiles): Promise<RunResult> {
  checkRun(files);
  const {rowCount} = await files.plan();
  const {clusterCount} = await files.facts<MergeFacts>({kind: 'merge', index: 0});
  return {rowCount, clusterCount, tileCount: (await finalTiling(files)).tiling.tileCount};
}

/**
 * The labels of a finished run, range by range in the order of rows.
 *
 * @throws InvalidParameterError  if the run's order is `tile`
 */
export async function* labelRanges(files: RunFiles): AsyncGenerator<LabelRange> {
  await checkOrder(files, 'input');
  const plan = await files.plan();
  const {isWide} = await files.facts<MergeFacts>({kind: 'merge', index: 0});
  const type = labelsOf(isWide);
  for (let range = 0; range < rangeCount(plan); range++) {
    const task = {kind: 'gather', index: range} as const;
    const {rowCount} = await files.facts<GatherFacts>(task);
    const bytes = await files.readData(task, 0, rowCount * (type.BYTES_PER_ELEMENT + 1));
    yield {
      firstRow: range * plan.rangeRows,
      labels: viewAs(type, bytes, 0, rowCount),
      coreMask: bytes.subarray(rowCount * type.BYTES_PER_ELEMENT),
    };
  }
}

/**
 * The labels of a finished run of the order `tile`, tile by tile. Each row is in one of them.
 *
 * @throws InvalidParameterError  if the run's order is `input`
 */
export async function* labelTiles(files: RunFiles): AsyncGenerator<TileLabels> {
  await checkOrder(files, 'tile');
  const {tileCount} = await runResult(files);
  const {isWide} = await files.facts<MergeFacts>({kind: 'merge', index: 0});
  const type = labelsOf(isWide);
  for (let tile = 0; tile < tileCount; tile++) {
    const task = {kind: 'label', index: tile} as const;
    const {rowCount: n} = await files.facts<TileLabelFacts>(task);
    const bytes = await files.readData(task, 0, n * (8 + type.BYTES_PER_ELEMENT + 1));
    yield {
      tile,
      rows: viewAs(Float64Array, bytes, 0, n),
      labels: viewAs(type, bytes, 8 * n, n),
      coreMask: bytes.subarray(n * (8 + type.BYTES_PER_ELEMENT)),
    };
  }
}

async function checkOrder(files: RunFiles, expected: LabelOrder): Promise<void> {
  checkRun(files);
  requireOrder(await files.request(), expected);
}

/**
 * Writes the labels of a finished run: `labels.npy`, an int32 vector (int64 from 2^31 clusters on), or a folder of
 * Parquet files `part-00000.parquet` … with the columns label and core, in the order of rows. Of the order `tile`, a
 * folder only: a file for each tile, with the column row, too.
 *
 * An older file, or all parts of an older run, are replaced when the new ones are complete.
 *
 * @throws InvalidParameterError  if the run's order is `tile`, and `out` is not a folder; if `out` is an input of the
 *                                run, or a folder that has one, or other files than parts
 * @throws DatasetWriteError      if a file cannot be written
 */
export async function writeRunLabels(files: RunFiles, out: string): Promise<void> {
  checkRun(files);
  checkText('out', out, 'a folder, or a file .npy');
  if (isVector(out)) return writeVector(files, out);
  const {inputs} = await files.request();
  await replaceParts(out, inputs, async (folder) => {
    let part = 0;
    for await (const {labels, coreMask, columns} of partsOf(files)) {
      if (!(labels instanceof Int32Array)) throw new RangeError('over 2^31 clusters; write the labels as .npy');
      await writeLabels(join(folder, partName(part++)), labels, coreMask, {columns});
    }
  });
}

/** What each file of a folder of labels holds. */
async function* partsOf(
  files: RunFiles,
): AsyncGenerator<Pick<LabelRange, 'labels' | 'coreMask'> & {readonly columns: Record<string, BigInt64Array>}> {
  if ((await files.request()).order !== 'tile') {
    for await (const range of labelRanges(files)) yield {...range, columns: {}};
    return;
  }
  for await (const {rows, ...tile} of labelTiles(files)) {
    yield {...tile, columns: {row: BigInt64Array.from(rows, (row) => BigInt(row))}};
  }
}

async function writeVector(files: RunFiles, out: string): Promise<void> {
  const request = await files.request();
  requireOrder(request, 'input');
  await refuseInput(out, request.inputs);
  const {rowCount} = await files.plan();
  const {isWide} = await files.facts<MergeFacts>({kind: 'merge', index: 0});
  const words = async function* (): AsyncGenerator<Int32Array | BigInt64Array> {
    for await (const {labels} of labelRanges(files)) {
      yield labels instanceof Float64Array ? BigInt64Array.from(labels, (label) => BigInt(label)) : labels;
    }
  };
  try {
    await writeNpyLabels(out, isWide ? '<i8' : '<i4', rowCount, words());
  } catch (error) {
    // What the run's files lack is no fault of the output.
    throw error instanceof DatasetWriteError && error.cause instanceof StoreError ? error.cause : error;
  }
}
