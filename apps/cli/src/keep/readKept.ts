import type {LoadedPoints, PointGroups, ReadPointsOptions} from '@epsball/datasets';
import {FailureError, UsageError} from '../errors.ts';
import {STANDARD_INPUT} from '../options.ts';
import {KeptValues, type Kept} from './keptValues.ts';

/** Formats whose columns of text are read. */
const TABLE = /\.(?:parquet|(?:csv|tsv|txt)(?:\.gz)?)$/i;

/** @throws UsageError  if the columns of an input cannot be read beside its points */
export function checkKeepable(input: string, names: readonly string[]): void {
  if (input !== STANDARD_INPUT && TABLE.test(input)) return;
  const what = input === STANDARD_INPUT ? 'standard input, which is read once' : input;
  throw new UsageError('--keep', names.join(','), `a CSV or Parquet file, or --sql, not ${what}`);
}

/** @throws UsageError  if a kept column is a coordinate */
export function checkBeside(coordinates: readonly string[], keep: readonly string[]): void {
  const both = keep.find((name) => coordinates.includes(name));
  if (both !== undefined)
    throw new UsageError('--keep', both, `columns beside the coordinates ${coordinates.join(', ')}`);
}

/**
 * Reads columns that stand beside the labels from a table. Each takes a pass over the file. Values come as text, as
 * those of groups do; a column of integers alone becomes integers again, and one of numbers alone numbers.
 *
 * @param points  of the table
 * @param read    reads chosen columns of the table
 */
export async function readKept(
  names: readonly string[],
  {columns = [], coords, dim}: LoadedPoints,
  read: (chosen: Pick<ReadPointsOptions, 'columns' | 'groupColumn' | 'missing'>) => Promise<LoadedPoints>,
): Promise<Kept> {
  const kept: [string, Kept[string]][] = [];
  for (const groupColumn of names) {
    const {groups} = await read({columns: columns.slice(0, 1), groupColumn, missing: 'nan'});
    const values = new KeptValues();
    if (groups !== undefined) values.add(typedValues(groups));
    if (groups?.of.length !== coords.length / dim) throw new FailureError('the input changed while it was read');
    kept.push([groupColumn, values.finish()]);
  }
  return Object.fromEntries(kept);
}

function typedValues({names, of}: PointGroups): readonly (string | bigint | number | null)[] {
  const isInteger = names.every((name) => /^-?(?:0|[1-9]\d{0,17})$/.test(name));
  const isNumber = names.every((name) => String(Number(name)) === name && Number.isFinite(Number(name)));
  const typed = isInteger ? names.map(BigInt) : isNumber ? names.map(Number) : names;
  return Array.from(of, (k) => (k < 0 ? null : typed[k]));
}
