import {truncate, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {checkKnownOptions, type ProgressListener} from '@epsball/clustering';
import {DatasetWriteError, npyHeader, writeFileAtomically} from '@epsball/datasets';
import {unpackError, type CarriedError} from './carriedError.ts';
import {checkFunction, checkInteger, checkRun, checkText} from './checks.ts';
import {partName, replaceParts} from './labelFolder.ts';
import {isVector, refuseInput, requireOrder} from './labelOutput.ts';
import {PartialCount} from './partialCount.ts';
import type {LabelOrder} from './run.ts';
import type {RunFiles} from './runFiles.ts';
import {StoreError} from './store/store.ts';
import {rangeCount, type MergeFacts} from './tasks/mergeTasks.ts';
import {threadPool} from './threadPool.ts';
import {finalTiling} from './tilingRounds.ts';
import {labelsOf} from './typedViews.ts';
import {writePart, type PartOrder, type PartPlace} from './writePart.ts';

export interface WriteLabelsOptions {
  /** Parts of the labels at a time, with some 10 bytes for each label. Above 1, each has a thread. Default: 1. */
  readonly concurrency?: number | undefined;
  /** Hears of the parts that are written. */
  readonly onProgress?: ProgressListener<'labels'> | undefined;
}

/**
 * Writes the labels of a finished run: `labels.npy`, an int32 vector (int64 from 2^31 clusters on), or a folder of
 * Parquet files `part-00000.parquet` … with the columns label and core, in the order of rows. Of the order `tile`, a
 * folder only: a file for each tile, with the column row, too.
 *
 * An older file, or all parts of an older run, are replaced when the new ones are complete.
 *
 * @throws InvalidParameterError  if an option is unknown or out of range; if the run's order is `tile`, and `out` is
 *                                not a folder; if `out` is an input of the run, or a folder that has one, or other
 *                                files than parts
 * @throws DatasetWriteError      if a file cannot be written
 */
export async function writeRunLabels(files: RunFiles, out: string, options: WriteLabelsOptions = {}): Promise<void> {
  checkRun(files);
  checkText('out', out, 'a folder, or a file .npy');
  checkKnownOptions(options, ['concurrency', 'onProgress'], 'options', '{concurrency}');
  checkInteger('concurrency', options.concurrency);
  checkFunction('onProgress', options.onProgress);
  const {inputs, order} = await files.request();
  const count = await partCount(files, order);
  if (!isVector(out)) {
    return replaceParts(out, inputs, (folder) =>
      writeParts(files, count, options, (part) => ({path: join(folder, partName(part))})),
    );
  }
  requireOrder({order}, 'input');
  await refuseInput(out, inputs);
  const {rowCount} = await files.plan();
  const {isWide} = await files.facts<MergeFacts>({kind: 'merge', index: 0});
  const header = npyHeader(isWide ? '<i8' : '<i4', [rowCount]);
  try {
    await writeFileAtomically(out, async (path) => {
      await writeFile(path, header);
      await truncate(path, header.length + rowCount * labelsOf(isWide).BYTES_PER_ELEMENT);
      await writeParts(files, count, options, () => ({path, start: header.length}));
    });
  } catch (error) {
    // What the run's files lack is no fault of the output.
    throw error instanceof DatasetWriteError && error.cause instanceof StoreError ? error.cause : error;
  }
}

async function partCount(files: RunFiles, order: LabelOrder | undefined): Promise<number> {
  return order === 'tile' ? (await finalTiling(files)).tiling.tileCount : rangeCount(await files.plan());
}

async function writeParts(
  files: RunFiles,
  count: number,
  {concurrency = 1, onProgress}: WriteLabelsOptions,
  placeOf: (part: number) => PartPlace,
): Promise<void> {
  const parts = Array.from({length: count}, (_, part) => part);
  const written = new PartialCount(0, (done) => onProgress?.({phase: 'labels', done, total: count}));
  const threads = Math.min(concurrency, count);
  if (threads <= 1) {
    for (const part of parts) {
      written.begin(part);
      await writePart(files, part, placeOf(part), (done) => written.reach(part, done));
      written.end(part);
    }
    return;
  }
  const pool = threadPool('writePart', threads, (part, done) => written.reach(part, done));
  try {
    await Promise.all(
      parts.map(async (part) => {
        const order: PartOrder = {work: files.store.url, name: files.name, part, place: placeOf(part)};
        written.begin(part);
        const failure: CarriedError | undefined = await pool.run(order);
        if (failure !== undefined) throw unpackError(failure);
        written.end(part);
      }),
    );
  } finally {
    // Before what the threads write to is removed.
    await pool.destroy();
  }
}
