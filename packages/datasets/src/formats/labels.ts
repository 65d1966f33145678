import type {FileHandle} from 'node:fs/promises';
import {checkKnownOptions, InvalidParameterError} from '@epsball/clustering';
import {writeFileRows} from './fileRows.ts';
import {DatasetFormatError} from './errors.ts';
import {writeAtomically, writeBytes} from './outputFile.ts';
import {extensionOf, LABEL_EXTENSIONS} from './extensions.ts';
import type {LabelColumn, LabelColumns} from './labelColumns.ts';
import {readNpyLabels, writeNpyLabels} from './npy.ts';

/** Labels of one JSON block. */
const LABELS_PER_WRITE = 2 ** 16;

export interface WriteLabelsOptions {
  /** Checked between blocks. */
  readonly signal?: AbortSignal | undefined;
  /** More columns by name: n finite numbers, or n integers of 64 bits, each. An `.npy` file has labels only. */
  readonly columns?: Readonly<Record<string, LabelColumn>> | undefined;
}

/**
 * Writes labels in the format of the extension: `.npy` an int32 vector; `.csv` and `.tsv` columns index, label, core;
 * `.json` `{clusterCount, labels, coreMask?}`; `.parquet` columns label, core. Without a core mask there is no column
 * core.
 *
 * An old file at the path is unchanged until the new one is complete.
 *
 * @param labels    n labels, −1 = noise
 * @param coreMask  n flags, 1 = core
 * @throws InvalidParameterError  if `coreMask` or a column has another length than `labels`
 * @throws DatasetFormatError     if the extension is unknown (lists the known extensions)
 * @throws DatasetWriteError      if the file cannot be written
 * @throws the signal's reason    if `options.signal` fires; nothing of the new file remains
 */
export async function writeLabels(
  path: string,
  labels: Int32Array,
  coreMask?: Uint8Array,
  options: WriteLabelsOptions = {},
): Promise<void> {
  checkKnownOptions(options, ['signal', 'columns'], 'options', 'an object such as {signal}');
  const {signal, columns = {}} = options;
  for (const [name, values] of Object.entries({coreMask, ...columns})) {
    if (values !== undefined && values.length !== labels.length) {
      throw new InvalidParameterError(`${name}.length`, values.length, `${labels.length}, as many as labels`);
    }
  }
  switch (extensionOf(path, LABEL_EXTENSIONS)) {
    case '.npy':
      return writeNpyLabels(path, labels, signal);
    case '.csv':
      return writeTable(path, {labels, coreMask, columns}, ',', signal);
    case '.tsv':
      return writeTable(path, {labels, coreMask, columns}, '\t', signal);
    case '.json':
      return writeJson(path, {labels, coreMask, columns}, signal);
    case '.parquet': {
      const {writeParquetLabels} = await import('./parquetWriter.ts');
      return writeParquetLabels(path, {labels, coreMask, columns}, signal);
    }
  }
}

/**
 * Reads labels from an `.npy` vector of integers.
 *
 * @throws DatasetFormatError  if the file is not such a vector, or a label does not fit int32
 */
export async function readLabels(path: string): Promise<Int32Array> {
  if (!path.toLowerCase().endsWith('.npy')) {
    throw new DatasetFormatError(path, 'is not an .npy file; expected labels as .npy');
  }
  return readNpyLabels(path);
}

function writeTable(
  path: string,
  {labels, coreMask, columns}: LabelColumns,
  delimiter: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const more = [...(coreMask === undefined ? [] : [coreMask]), ...Object.values(columns)];
  const names = [...(coreMask === undefined ? [] : ['core']), ...Object.keys(columns)];
  const header = ['index', 'label', ...names].join(delimiter);
  const row = (i: number): string => {
    let text = `${i}${delimiter}${labels[i]}`;
    for (const values of more) text += `${delimiter}${values[i]}`;
    return text;
  };
  return writeFileRows(path, {head: `${header}\n`, n: labels.length, row}, signal);
}

async function writeJson(
  path: string,
  {labels, coreMask, columns}: LabelColumns,
  signal: AbortSignal | undefined,
): Promise<void> {
  let clusterCount = 0;
  for (const label of labels) clusterCount = Math.max(clusterCount, label + 1);
  const write = async (handle: FileHandle): Promise<void> => {
    const writeText = (text: string): Promise<void> => writeBytes(handle, Buffer.from(text));
    const writeArray = async (values: Int32Array | Uint8Array | LabelColumn): Promise<void> => {
      for (let start = 0; start < values.length; start += LABELS_PER_WRITE) {
        signal?.throwIfAborted();
        const block = values.subarray(start, start + LABELS_PER_WRITE).join(',');
        await writeText(start === 0 ? block : `,${block}`);
      }
    };
    await writeText(`{"clusterCount":${clusterCount},"labels":[`);
    await writeArray(labels);
    if (coreMask !== undefined) {
      await writeText('],"coreMask":[');
      await writeArray(coreMask);
    }
    for (const [name, values] of Object.entries(columns)) {
      await writeText(`],${JSON.stringify(name)}:[`);
      await writeArray(values);
    }
    await writeText(']}\n');
  };
  await writeAtomically(path, write, signal);
}
