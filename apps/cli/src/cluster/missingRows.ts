import {
  filled,
  scatterRows,
  takeComplete,
  type MetricOptions,
  type MissingOptions,
  type MissingRule,
} from '@epsball/clustering';
import type {LoadedPoints} from '@epsball/datasets';
import {UsageError} from '../errors.ts';
import type {MetricFlags} from '../flags.ts';

/** Rows of a file that lack a value, where `--missing` does not refuse them. */
export interface MissingRows {
  readonly rule: Exclude<MissingRule, 'error'>;
  /** The file as it was read. */
  readonly read: LoadedPoints;
  /** Number of rows in the file. */
  readonly n: number;
  /** The rows of the points that are clustered, ascending. */
  readonly rows: Int32Array;
}

export interface CompleteInput {
  readonly points: LoadedPoints;
  /** Undefined if no row lacks anything. */
  readonly missing: MissingRows | undefined;
}

/** The rows as a report shows them. */
export interface MissingReport {
  rule: 'noise' | 'drop';
  rows: number;
}

/** What outputs have a row for. */
interface Labelled {
  readonly labels: Int32Array;
  readonly coreMask?: Uint8Array | undefined;
  readonly columns?: Readonly<Record<string, Float64Array>> | undefined;
}

/** Values of a row without a place. Other columns have 0. */
const FILLS: Readonly<Record<string, number>> = {outlier_score: 1};

/** Takes the rows of a file that lack nothing, by the rule of `--missing`. */
export function completeInput(
  read: LoadedPoints,
  {
    metric,
    angles = 'degrees',
    missing: rule = 'error',
  }: Pick<MetricFlags, 'metric'> & Pick<MetricOptions, 'angles'> & MissingOptions,
): CompleteInput {
  if (rule === 'error') return {points: read, missing: undefined};
  const {weights, times, groups} = read;
  const of = groups && filled(new Float64Array(groups.of.length), (i) => (groups.of[i] < 0 ? NaN : groups.of[i]));
  const globe = metric === 'haversine' ? ({metric, angles, epsUnit: 'rad'} as const) : {metric};
  const {n, points, rows, others} = takeComplete(read, globe, {weights, times, of});
  if (rows === undefined) return {points: read, missing: undefined};
  const at = <Value>(values: readonly Value[]): Value[] => Array.from(rows, (i) => values[i]);
  const taken = {
    ...points,
    ...(others.weights && {weights: Float64Array.from(others.weights)}),
    ...(others.times && {times: Float64Array.from(others.times)}),
    ...(groups && others.of && {groups: {names: groups.names, of: Int32Array.from(others.of)}}),
    ...(read.properties && {properties: at(read.properties)}),
    ...(read.members && {members: at(read.members)}),
    ...(read.altitudes && {altitudes: at(read.altitudes)}),
  };
  return {points: taken, missing: {rule, read, n, rows}};
}

/** @throws UsageError  if the output has no place for the numbers of rows */
export function checkDrop(rule: MissingRule | undefined, outputs: Readonly<Record<string, string | undefined>>): void {
  if (rule !== 'drop') return;
  for (const [flag, file] of Object.entries(outputs)) {
    if (file?.toLowerCase().endsWith('.npy') !== true) continue;
    throw new UsageError(flag, file, 'a table with --missing drop: .npy has no numbers of rows');
  }
}

/** Labels of the clustered points as the rule wants them: of all rows, or with the rows that they belong to. */
export function labelsOfRows<Given extends Labelled>(
  found: Given,
  missing: MissingRows | undefined,
): Given & {readonly rows?: Int32Array} {
  if (missing === undefined) return found;
  const {rule, rows, n} = missing;
  if (rule === 'drop') return {...found, rows};
  const {labels, coreMask, columns} = found;
  const more = Object.entries(columns ?? {}).map(([name, values]) => {
    return [name, scatterRows(values, rows, n, FILLS[name] ?? 0)];
  });
  return {
    ...found,
    labels: scatterRows(labels, rows, n, -1),
    ...(coreMask && {coreMask: scatterRows(coreMask, rows, n, 0)}),
    ...(columns && {columns: Object.fromEntries(more)}),
  };
}

/** The clustered points among rows of the file. */
export function pointsOfRows(
  rows: readonly number[] | undefined,
  missing: MissingRows | undefined,
): readonly number[] | undefined {
  if (missing === undefined || rows === undefined) return rows;
  return rows.map((row) => {
    const point = missing.rows.indexOf(row);
    if (point >= 0) return point;
    const expectation = row < missing.n ? 'rows that lack no value' : `rows from 0 to ${missing.n - 1}`;
    throw new UsageError('--explain', `${row}`, expectation);
  });
}

/** What was explained, by the rows of the file. */
export function inRows<Explained extends {readonly row: number}>(
  explained: readonly Explained[],
  missing: MissingRows | undefined,
): readonly Explained[] {
  return missing === undefined ? explained : explained.map((one) => ({...one, row: missing.rows[one.row]}));
}

export function missingReportOf(missing: MissingRows | undefined): MissingReport | null {
  return missing === undefined ? null : {rule: missing.rule, rows: missing.n - missing.rows.length};
}
