import {filled, type PartListener} from '@epsball/clustering';
import {closeSync, openSync, writeSync} from 'node:fs';
import {writeLabels} from '@epsball/datasets';
import {packError, type CarriedError} from './carriedError.ts';
import {labelPart, rangeLabels} from './results.ts';
import {RunFiles} from './runFiles.ts';
import {openStore} from './store/openStore.ts';
import {tellPart} from './threadPool.ts';

/** Where a part of the labels goes: a file of its own, or a vector whose first label is at byte `start`. */
export interface PartPlace {
  readonly path: string;
  readonly start?: number;
}

/** What a thread gets: a part, and where its run is. */
export interface PartOrder {
  readonly work: string;
  readonly name: string;
  readonly part: number;
  readonly place: PartPlace;
}

/** A part of `writeRunLabels` on a thread of its own. Returns the error, if there is one. */
export default async function writeOnThread({work, name, part, place}: PartOrder): Promise<CarriedError | undefined> {
  try {
    await writePart(new RunFiles(await openStore(work), name), part, place, (done) => tellPart(part, done));
    return undefined;
  } catch (error) {
    return packError(error);
  }
}

/** Writes the labels of a range of rows, or of a tile. */
export async function writePart(
  files: RunFiles,
  part: number,
  {path, start}: PartPlace,
  onPart: PartListener,
): Promise<void> {
  if (start !== undefined) return writeToVector(files, part, path, start);
  const {labels, coreMask, columns} = await labelPart(files, part);
  if (!(labels instanceof Int32Array)) throw new RangeError('over 2^31 clusters; write the labels as .npy');
  await writeLabels(path, labels, coreMask, {
    columns,
    onProgress: ({done, total}) => onPart(done / Math.max(1, total)),
  });
}

async function writeToVector(files: RunFiles, range: number, path: string, start: number): Promise<void> {
  const {firstRow, labels} = await rangeLabels(files, range);
  const words =
    labels instanceof Int32Array ? labels : filled(new BigInt64Array(labels.length), (k) => BigInt(labels[k]));
  const bytes = new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
  const file = openSync(path, 'r+');
  try {
    const first = start + firstRow * words.BYTES_PER_ELEMENT;
    for (let done = 0; done < bytes.length;) {
      done += writeSync(file, bytes, done, Math.min(2 ** 30, bytes.length - done), first + done);
    }
  } finally {
    closeSync(file);
  }
}
