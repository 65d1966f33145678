import type {LeftColumn} from '@epsball/clustering';
import {
  columnsToRead,
  DatasetFormatError,
  findColumn,
  type NamedChoice,
  pointAxes,
  withPointAxes,
  type PointColumns,
  type ReadPointsOptions,
} from '@epsball/datasets';
import {UsageError} from '../errors.ts';
import {checkBeside} from '../keep/readKept.ts';
import {shortened, sqlName, type Database} from './database.ts';
import {
  coordinateOf,
  groupOf,
  keptOf,
  numberColumn,
  timeOf,
  type NumberColumn,
  type QueryColumn,
  type SqlValue,
} from './numbers.ts';

/** Which columns of a query hold coordinates, and which ones other values: as for `readPoints`. */
export interface QueryChoice extends Omit<NamedChoice, 'besides'>, Pick<ReadPointsOptions, 'dim' | 'precision'> {
  /** Columns that stand beside the labels. */
  readonly keep?: readonly string[] | undefined;
}

/** What a query gives for each row. */
export interface QueryPlan {
  readonly rowCount: number;
  readonly precision: 'float32' | 'float64';
  /** Coordinates, axis by axis. */
  readonly axes: readonly SqlValue[];
  readonly weight: SqlValue | undefined;
  readonly time: SqlValue | undefined;
  readonly group: SqlValue | undefined;
  readonly kept: readonly SqlValue[];
  /** Columns that their names exclude. */
  readonly left: readonly LeftColumn[];
}

/** The query. Behind a view, text of the user needs no brackets: it may end in `;` or in a comment. */
const QUERY = 'epsball_query';
/** The query with two coordinates in place of each column of points. */
const VIEW = 'epsball_points';

/** Points in the plane, and their coordinate reference system. */
const POINTS = /^GEOMETRY(?:\('(.*)'\))?$/;

/** Nested types are long. */
const TYPE_LENGTH = 40;

/** Values of the rows of the planned query. */
export function selectOf(values: readonly SqlValue[], view: string = VIEW): string {
  return `SELECT ${values.map(({name, sql}) => `${sql} AS ${sqlName(name)}`).join(', ')} FROM ${view}`;
}

/**
 * Checks a query, describes its columns, chooses among them and counts its rows. It reads no values but the lengths of
 * lists.
 *
 * @throws UsageError          if the text is not one SELECT
 * @throws DatasetFormatError  if a chosen column is missing or has no numbers, or the query returns no row
 */
export async function planQuery(database: Database, query: string, choice: QueryChoice): Promise<QueryPlan> {
  const {columns, points} = await viewQuery(database, query, choice);
  const find = (name: string | number): QueryColumn => columns[findColumn(database.what, namesOf(columns), name)];
  const found = (name: string | number | undefined): QueryColumn | undefined =>
    name === undefined ? undefined : find(name);
  const [weight, time, group] = [choice.weightColumn, choice.timeColumn, choice.groupColumn].map(found);
  const kept = (choice.keep ?? []).map(find);
  const others = [weight, time, group].filter((column) => column !== undefined);
  const {numbers, left} = chooseNumbers(database.what, columns, others, {
    ...choice,
    columns: withPointAxes(choice.columns, points),
  });
  const {rowCount, lengths} = await countRows(database, numbers);
  const axes = numbers.flatMap(({column: {name}, at}, k): SqlValue[] => {
    if (lengths[k] === 0) return [{name, sql: at(0)}];
    return Array.from({length: lengths[k]}, (_, d) => ({name: `${name}[${d + 1}]`, sql: at(d + 1)}));
  });
  if (choice.dim !== undefined && choice.dim !== axes.length) {
    throw new DatasetFormatError(database.what, `has ${axes.length} columns chosen; expected dim = ${choice.dim}`);
  }
  const own = numbers.every(({isSingle}) => isSingle) ? 'float32' : 'float64';
  const {precision = 'source'} = choice;
  return {
    rowCount,
    precision: precision === 'source' ? own : precision,
    axes,
    weight: weight && {name: weight.name, sql: requireNumbers(database.what, weight).at(0)},
    time: time && {name: time.name, sql: timeOf(time) ?? refuse(database.what, time, 'numbers or timestamps')},
    group: group && {name: group.name, sql: groupOf(group)},
    kept: kept.map((column) => ({name: column.name, sql: keptOf(column)})),
    left,
  };
}

/** Makes the view of a query. A column of points is kept as it is, in text. */
async function viewQuery(
  database: Database,
  query: string,
  {keep = [], groupColumn}: QueryChoice,
): Promise<{readonly columns: readonly QueryColumn[]; readonly points: PointColumns}> {
  const points = new Map<string, readonly string[]>();
  const found = (await describeQuery(database, query)).flatMap(({name, type}) => {
    const own = {name, type, sql: sqlName(name)};
    const [isPoints, crs] = POINTS.exec(type) ?? [];
    if (isPoints === undefined) return [own];
    const axes = pointAxes(name, crs);
    points.set(name, axes);
    const coordinates = axes.map((axis, k) => ({name: axis, type: 'DOUBLE', sql: coordinateOf(name, k + 1)}));
    return [...(keep.includes(name) || groupColumn === name ? [own] : []), ...coordinates];
  });
  await database.rows(`CREATE TEMP VIEW ${VIEW} AS ${selectOf(found, QUERY)}`);
  return {columns: found, points};
}

/** Describes the columns of a query. */
async function describeQuery(database: Database, query: string): Promise<readonly QueryColumn[]> {
  await database.requireSelect(query);
  try {
    await database.rows(`CREATE TEMP VIEW ${QUERY} AS ${query}`);
  } catch (error) {
    // DESCRIBE and SHOW are statements of the same kind.
    const isOther = error instanceof DatasetFormatError && error.reason.startsWith('Parser Error: syntax error');
    throw isOther ? new UsageError(database.what, query, 'one SELECT') : error;
  }
  const rows = await database.rows(`DESCRIBE ${QUERY}`);
  return rows.map(([name, type]) => ({name: String(name), type: String(type)}));
}

function namesOf(columns: readonly QueryColumn[]): readonly string[] {
  return columns.map(({name}) => name);
}

function chooseNumbers(
  what: string,
  columns: readonly QueryColumn[],
  others: readonly QueryColumn[],
  {columns: chosen, keep: besides = [], weightColumn, timeColumn, groupColumn}: QueryChoice,
): {readonly numbers: readonly NumberColumn[]; readonly left: readonly LeftColumn[]} {
  const isDefault = chosen === undefined || chosen === 'auto';
  const free = columns.filter((column) => !others.includes(column) && !besides.includes(column.name));
  if (isDefault && free.every((column) => numberColumn(column) === undefined)) {
    const all = columns.map(({name, type}) => `${name} (${shortened(type, TYPE_LENGTH)})`).join(', ');
    const advice = free.map(adviceOf).find((one) => one !== '') ?? '';
    throw new DatasetFormatError(what, `has the columns ${all}; expected a column of numbers${advice}`);
  }
  const kindOf = (k: number): string | undefined =>
    numberColumn(columns[k]) === undefined ? shortened(columns[k].type, TYPE_LENGTH) : undefined;
  const names = namesOf(columns);
  const choice = {columns: chosen, besides, weightColumn, timeColumn, groupColumn};
  const {wanted, left = []} = columnsToRead(what, names, choice, kindOf);
  const axes = wanted.slice(0, wanted.length - others.length).map((name) => columns[findColumn(what, names, name)]);
  if (new Set(axes).size < axes.length) {
    throw new DatasetFormatError(what, 'has a column chosen twice; expected once');
  }
  checkBeside(namesOf(axes), besides);
  return {numbers: axes.map((column) => requireNumbers(what, column, isDefault)), left};
}

function requireNumbers(what: string, column: QueryColumn, isByDefault = false): NumberColumn {
  const advice = isByDefault ? 'numbers, or --columns with the names of the coordinates' : 'numbers';
  return numberColumn(column) ?? refuse(what, column, advice);
}

function refuse(what: string, {name, type}: QueryColumn, expected: string): never {
  throw new DatasetFormatError(
    what,
    `column ${name} has the type ${shortened(type, TYPE_LENGTH)}; expected ${expected}${adviceOf({name, type})}`,
  );
}

/** Advice for a column without numbers. */
function adviceOf({name, type}: QueryColumn): string {
  const column = /^\w+$/.test(name) ? name : sqlName(name);
  if (type === 'VARCHAR') return `; in a query ${column}::DOUBLE reads numbers, and ${column}::GEOMETRY points of WKT`;
  // Columns of SQLite without a type are read as such, too.
  if (type !== 'BLOB') return '';
  return `; in a query ST_GeomFromWKB(${column}) reads points of WKB, and ${column}::VARCHAR::DOUBLE numbers`;
}

/** Counts rows, and the numbers of lists whose type does not tell. */
async function countRows(
  {what, rows}: Database,
  numbers: readonly NumberColumn[],
): Promise<{readonly rowCount: number; readonly lengths: readonly number[]}> {
  const lists = numbers.filter(({length}) => length === undefined);
  const ends = lists.flatMap(({column: {name}}) => ['min', 'max'].map((end) => `${end}(len(${sqlName(name)}))`));
  const [[count, ...found]] = await rows(`SELECT ${['count(*)', ...ends].join(', ')} FROM ${VIEW}`);
  const rowCount = Number(count);
  if (rowCount === 0) throw new DatasetFormatError(what, 'returns no row; expected points');
  const lengths = numbers.map(({column: {name}, length}) => {
    if (length !== undefined) return length;
    const [least, most] = found.splice(0, 2).map((end) => Number(end ?? 0));
    if (least === most && most > 0) return most;
    const has = most === 0 ? 'no numbers' : `${least} to ${most} numbers`;
    throw new DatasetFormatError(what, `column ${name} has lists of ${has}; expected lists of one length`);
  });
  return {rowCount, lengths};
}
