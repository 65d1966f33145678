import type {RunOptions} from '@epsball/clustering';
import {
  DatasetFormatError,
  groupNameOf,
  GroupNames,
  memoryBytes,
  timeOf,
  toNumber,
  withoutCounters,
  type LoadedPoints,
  type ReadPointsOptions,
} from '@epsball/datasets';
import {KeptValues, type Kept} from '../keep/keptValues.ts';
import {formatCount} from '../text.ts';
import {CoordColumns, type ValueColumn, type ValueKind} from './coordColumns.ts';
import type {Database} from './database.ts';
import type {SqlValue} from './numbers.ts';
import {planQuery, selectOf, type QueryChoice, type QueryPlan} from './planQuery.ts';

export interface ReadQueryOptions extends QueryChoice, RunOptions, Pick<ReadPointsOptions, 'missing'> {
  /** Bytes that the points may take. Default: the memory of the machine. */
  readonly memory?: number | undefined;
}

/** Points, and columns beside their labels. */
export interface PointsWithKept extends LoadedPoints {
  readonly kept?: Kept | undefined;
}

/** A column that is read, and where its values go. */
interface Reading extends SqlValue {
  readonly column: ValueColumn;
}

/**
 * Reads the points of a query, as `readPoints` reads those of a file. Columns come as vectors of DuckDB, chunk by
 * chunk, and go into the result at once.
 *
 * @throws UsageError           if the text is not one SELECT
 * @throws DatasetFormatError   if a column is missing, has no numbers or lacks a value, the query returns no row, or
 *                              its points do not fit in memory
 * @throws the signal's reason  if it fires
 */
export async function readQuery(database: Database, query: string, options: ReadQueryOptions): Promise<PointsWithKept> {
  const plan = await planQuery(database, query, options);
  requireMemory(database.what, plan, options.memory ?? memoryBytes());
  const {rowCount, axes, weight, time, group} = plan;
  const readings: Reading[] = [];
  const read = ({name, sql}: SqlValue, column: ValueColumn): number => readings.push({name, sql, column});
  const common = {what: database.what, expected: 'a number in every row', mayMiss: options.missing === 'nan'};
  const Coords = plan.precision === 'float32' ? Float32Array : Float64Array;
  const coords = new CoordColumns<Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer>>(Coords, axes.length, rowCount);
  for (const [d, axis] of axes.entries()) read(axis, coords.axis(d, {...common, name: axis.name}));
  const readOther = (value: SqlValue, kind: Partial<ValueKind> = {}): CoordColumns<Float64Array<ArrayBuffer>> => {
    const numbers = new CoordColumns(Float64Array, 1, rowCount);
    read(value, numbers.axis(0, {...common, ...kind, name: value.name}));
    return numbers;
  };
  const weights = weight && readOther(weight);
  const times = time && readOther(time, {expected: 'a number or a timestamp in every row', numberOf: timeNumber});
  const names = new GroupNames();
  const groups = group && readOther(group, {expected: 'a group in every row', numberOf: groupNumber(names)});
  const kept = plan.kept.map((value) => {
    const values = new KeptValues();
    read(value, {take: (vector) => values.add(vector.toArray())});
    return values;
  });
  const n = await readColumns(database, readings, options.signal);
  const points: PointsWithKept = {
    coords: coords.finish(n),
    dim: axes.length,
    columns: axes.map(({name}) => name),
    ...(plan.left.length === 0 ? {} : {left: plan.left}),
    ...(weights && {weights: weights.finish(n)}),
    ...(times && {times: times.finish(n)}),
    ...(groups && {groups: {names: names.names, of: Int32Array.from(groups.finish(n), (k) => (k >= 0 ? k : -1))}}),
    kept: Object.fromEntries(plan.kept.map(({name}, k) => [name, kept[k].finish()])),
  };
  return withoutCounters(points, options.columns);
}

function timeNumber(value: unknown): number {
  return timeOf(value, toNumber);
}

/** Numbers the names of groups, in the order in which they come. */
function groupNumber(names: GroupNames): (value: unknown) => number {
  return (value) => {
    const name = groupNameOf(value);
    return name === undefined ? NaN : names.indexOf(name);
  };
}

/** @returns  the number of rows: not the one counted before, where the query draws random rows */
async function readColumns(
  database: Database,
  readings: readonly Reading[],
  signal: AbortSignal | undefined,
): Promise<number> {
  let row = 0;
  for await (const chunk of database.chunks(selectOf(readings))) {
    signal?.throwIfAborted();
    for (const [k, {column}] of readings.entries()) column.take(chunk.getColumnVector(k), row);
    row += chunk.rowCount;
  }
  return row;
}

/** Refuses a result whose points, sorted points, positions, labels and core flags exceed the memory. */
function requireMemory(what: string, {rowCount, axes, precision, ...plan}: QueryPlan, memory: number): void {
  const coordBytes = axes.length * (precision === 'float32' ? 4 : 8);
  const others = [plan.weight, plan.time, plan.group, ...plan.kept].filter((value) => value !== undefined);
  const needed = rowCount * (2 * coordBytes + 9 + 8 * others.length);
  if (needed <= memory) return;
  const has = `returns ${formatCount(rowCount)} rows, which take ${gigabytes(needed)} or more`;
  const expected = `expected at most the memory, ${gigabytes(memory)}: a LIMIT or USING SAMPLE, or epsball scale run`;
  throw new DatasetFormatError(what, `${has}; ${expected}`);
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}
