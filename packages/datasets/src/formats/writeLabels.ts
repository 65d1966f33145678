import {checkKnownOptions, InvalidParameterError} from '@epsball/clustering';
import {extensionOf, LABEL_EXTENSIONS} from './extensions.ts';
import {npyHeader} from './npy.ts';
import {writeBlocks, type Block} from './outputFile.ts';
import {arrayBlocks, blockRanges, rowBlocks, type LabelColumn, type LabelColumns, type WriteOptions} from './rows.ts';

/** Labels of one JSON block. */
const LABELS_PER_BLOCK = 2 ** 16;

export interface WriteLabelsOptions extends WriteOptions {
  /**
   * More columns by name, n values each: finite numbers, integers of 64 bits, or values of one kind with null for gaps.
   * An `.npy` file has labels only.
   */
  readonly columns?: Readonly<Record<string, LabelColumn>> | undefined;
  /**
   * The row of each label, for labels of some rows: the column index of text, `row` of Parquet and Arrow, `rows` of
   * JSON. Refused for `.npy`. Default: 0, 1, …
   */
  readonly rows?: Int32Array | undefined;
}

/**
 * Writes labels in the format of the extension: `.npy` an int32 vector; `.csv` and `.tsv` columns index, label, core;
 * `.json` `{clusterCount, labels, coreMask?}`; `.parquet` and `.arrow` columns label, core. Without a core mask there
 * is no column core.
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
  checkKnownOptions(options, ['signal', 'onProgress', 'columns', 'rows'], 'options', 'an object such as {signal}');
  const {signal, onProgress, columns = {}, rows} = options;
  for (const [name, values] of Object.entries({coreMask, rows, ...columns})) {
    if (values !== undefined && values.length !== labels.length) {
      throw new InvalidParameterError(`${name}.length`, values.length, `${labels.length}, as many as labels`);
    }
  }
  const content = {labels, coreMask, columns, rows};
  const length = labels.length;
  const table = {...(rows && {row: rows}), label: labels, ...(coreMask && {core: coreMask}), ...columns};
  switch (extensionOf(path, LABEL_EXTENSIONS)) {
    case '.npy':
      if (rows !== undefined) throw new InvalidParameterError('rows', `${rows.length} rows`, 'no rows for a .npy file');
      return writeBlocks(
        path,
        arrayBlocks(npyHeader('<i4', [length]), length, (s, e) => labels.subarray(s, e), onProgress),
        signal,
      );
    case '.csv':
      return writeBlocks(path, tableBlocks(content, ',', onProgress), signal);
    case '.tsv':
      return writeBlocks(path, tableBlocks(content, '\t', onProgress), signal);
    case '.json':
      return writeBlocks(path, jsonBlocks(content, onProgress), signal);
    case '.arrow':
      return writeBlocks(path, (await import('./arrowWriter.ts')).arrowBlocks(table, onProgress), signal);
    case '.parquet':
      return (await import('./parquetWriter.ts')).writeParquetColumns(path, table, options);
  }
}

/** The text of a table of labels, in blocks: columns index, label, core and the others. */
export function tableBlocks(
  {labels, coreMask, columns, rows}: LabelColumns,
  delimiter: ',' | '\t',
  onProgress: WriteOptions['onProgress'],
): Iterable<string> {
  const more = Object.entries({core: coreMask, ...columns}).filter(([, values]) => values !== undefined);
  const row = (i: number): string => {
    let text = `${rows === undefined ? i : rows[i]}${delimiter}${labels[i]}`;
    for (const [, values] of more) text += `${delimiter}${cellOf(values?.[i], delimiter)}`;
    return text;
  };
  const names = more.map(([name]) => cellOf(name, delimiter));
  return rowBlocks(['index', 'label', ...names].join(delimiter), labels.length, row, {onProgress});
}

function cellOf(value: string | number | bigint | null | undefined, delimiter: string): string {
  if (typeof value !== 'string') return `${value ?? ''}`;
  const isPlain = !/["\r\n]|^\s|\s$/.test(value) && !value.includes(delimiter);
  return isPlain ? value : `"${value.replaceAll('"', '""')}"`;
}

function* jsonBlocks(
  {labels, coreMask, columns, rows}: LabelColumns,
  onProgress: WriteOptions['onProgress'],
): Generator<Block> {
  let clusterCount = 0;
  for (const label of labels) clusterCount = Math.max(clusterCount, label + 1);
  yield `{"clusterCount":${clusterCount}`;
  const entries = Object.entries({rows, labels, coreMask, ...columns}).filter((entry) => entry[1] !== undefined);
  for (const [k, [name, values = []]] of entries.entries()) {
    yield `,${JSON.stringify(name)}:[`;
    const report: WriteOptions['onProgress'] = ({phase, done, total}) =>
      onProgress?.({phase, done: k * total + done, total: entries.length * total});
    for (const [start, end] of blockRanges(values.length, LABELS_PER_BLOCK, report)) {
      const block = jsonItems(values.slice(start, end));
      yield start === 0 ? block : `,${block}`;
    }
    yield ']';
  }
  yield '}\n';
}

function jsonItems(values: Int32Array | Uint8Array | LabelColumn): string {
  // JSON has no NaN and no infinity.
  if (values instanceof Float64Array) return values.join(',').replaceAll(/NaN|-?Infinity/g, 'null');
  if (ArrayBuffer.isView(values)) return values.join(',');
  return values.map((value) => (typeof value === 'bigint' ? String(value) : JSON.stringify(value))).join(',');
}
