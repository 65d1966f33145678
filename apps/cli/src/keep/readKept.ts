import {readPoints, type LoadedPoints, type ReadPointsOptions} from '@epsball/datasets';
import {UsageError} from '../errors.ts';
import {STANDARD_INPUT} from '../options.ts';
import {KeptValues, type Kept} from './keptValues.ts';

/** Formats whose columns of text are read. */
const TABLE = /\.(?:parquet|(?:csv|tsv|txt)(?:\.gz)?)$/i;

/**
 * Reads columns that stand beside the labels from a table. Each takes a pass over the file. Values come as text, as
 * those of groups do; a column of integers alone becomes integers again, and one of numbers alone numbers.
 */
export async function readKept(
  input: string,
  names: readonly string[],
  {columns = ['0']}: LoadedPoints,
  {delimiter, decimal, signal}: Pick<ReadPointsOptions, 'delimiter' | 'decimal' | 'signal'>,
): Promise<Kept> {
  if (input === STANDARD_INPUT || !TABLE.test(input)) {
    const what = input === STANDARD_INPUT ? 'standard input, which is read once' : input;
    throw new UsageError('--keep', names.join(','), `a CSV or Parquet file, or --sql, not ${what}`);
  }
  const format = {...(delimiter === undefined ? {} : {delimiter}), ...(decimal === undefined ? {} : {decimal})};
  const kept: [string, Kept[string]][] = [];
  for (const groupColumn of names) {
    const chosen = {columns: columns.slice(0, 1), groupColumn, missing: 'nan', signal} as const;
    const {groups} = await readPoints(input, {...format, ...chosen});
    const values = new KeptValues();
    if (groups !== undefined) values.add(typedValues(groups.names, groups.of));
    kept.push([groupColumn, values.finish()]);
  }
  return Object.fromEntries(kept);
}

function typedValues(names: readonly string[], of: Int32Array): readonly (string | bigint | number | null)[] {
  const isInteger = names.every((name) => /^-?(?:0|[1-9]\d{0,17})$/.test(name));
  const isNumber = names.every((name) => String(Number(name)) === name && Number.isFinite(Number(name)));
  const typed = isInteger ? names.map(BigInt) : isNumber ? names.map(Number) : names;
  return Array.from(of, (k) => (k < 0 ? null : typed[k]));
}
