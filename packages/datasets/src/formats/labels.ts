import {InvalidParameterError} from '@epsball/clustering';
import {writeRows} from './csvWriter.ts';
import {DatasetFormatError} from './errors.ts';
import {writeAtomically, writeBytes} from './files.ts';
import {extensionOf, LABEL_EXTENSIONS} from './extensions.ts';
import {readNpyLabels, writeNpyLabels} from './npy.ts';

/** Labels turned into text at a time. */
const LABELS_PER_WRITE = 2 ** 16;

/**
 * Writes labels, in the format of the extension: `.npy` a plain int32 vector; `.csv` and `.tsv` columns index, label, core;
 * `.json` `{clusterCount, labels, coreMask?}`; `.parquet` columns label, core. Without a core mask, core is left out.
 *
 * The old file at the path stays whole until the new one is complete.
 *
 * @param labels    n labels, −1 = noise
 * @param coreMask  n flags, 1 = core
 * @throws InvalidParameterError  if `coreMask` has another length than `labels`
 * @throws DatasetFormatError     if the extension is unknown (lists the known)
 * @throws DatasetWriteError      if the file cannot be written
 */
export async function writeLabels(path: string, labels: Int32Array, coreMask?: Uint8Array): Promise<void> {
  if (coreMask !== undefined && coreMask.length !== labels.length) {
    throw new InvalidParameterError('coreMask.length', coreMask.length, `${labels.length}, as many as labels`);
  }
  switch (extensionOf(path, LABEL_EXTENSIONS)) {
    case '.npy':
      return writeNpyLabels(path, labels);
    case '.csv':
      return writeTable(path, labels, coreMask, ',');
    case '.tsv':
      return writeTable(path, labels, coreMask, '\t');
    case '.json':
      return writeJson(path, labels, coreMask);
    case '.parquet': {
      const {writeParquetLabels} = await import('./parquetWriter.ts');
      return writeParquetLabels(path, labels, coreMask);
    }
  }
}

/**
 * Reads labels from an `.npy` vector of integers.
 *
 * @throws DatasetFormatError  if the file is no such vector, or a label does not fit int32
 */
export async function readLabels(path: string): Promise<Int32Array> {
  if (!path.toLowerCase().endsWith('.npy')) {
    throw new DatasetFormatError(path, 'has an extension that labels are not read from; expected .npy');
  }
  return readNpyLabels(path);
}

function writeTable(path: string, labels: Int32Array, coreMask: Uint8Array | undefined, tab: string): Promise<void> {
  const header = ['index', 'label', ...(coreMask === undefined ? [] : ['core'])].join(tab);
  return writeRows(path, header, labels.length, (i) => {
    const row = `${i}${tab}${labels[i]}`;
    return coreMask === undefined ? row : `${row}${tab}${coreMask[i]}`;
  });
}

async function writeJson(path: string, labels: Int32Array, coreMask: Uint8Array | undefined): Promise<void> {
  let clusterCount = 0;
  for (const label of labels) clusterCount = Math.max(clusterCount, label + 1);
  await writeAtomically(path, async (handle) => {
    const write = (text: string): Promise<void> => writeBytes(handle, Buffer.from(text));
    const writeArray = async (values: Int32Array | Uint8Array): Promise<void> => {
      for (let start = 0; start < values.length; start += LABELS_PER_WRITE) {
        const block = values.subarray(start, start + LABELS_PER_WRITE).join(',');
        await write(start === 0 ? block : `,${block}`);
      }
    };
    await write(`{"clusterCount":${clusterCount},"labels":[`);
    await writeArray(labels);
    if (coreMask !== undefined) {
      await write('],"coreMask":[');
      await writeArray(coreMask);
    }
    await write(']}\n');
  });
}
