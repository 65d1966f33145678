import {InvalidParameterError} from '@epsball/clustering';
import {DatasetFormatError, withOpenFile, type CsvFormat} from '@epsball/datasets';
import {extname} from 'node:path';
import {DATABASE_FILE, SQL_INPUT} from '../options.ts';
import {sqlName, sqlText, withDatabase, type Database} from './database.ts';
import {readQuery, type PointsWithKept, type ReadQueryOptions} from './readQuery.ts';
import {sheetQuery} from './sheetQuery.ts';

/** What is read by SQL: a query, or all of a file that DuckDB opens. */
export interface SqlSource {
  /** A file, or `--sql`. */
  readonly input: string;
  readonly sql?: string | undefined;
  /** A table of a database, or a sheet of an Excel file. */
  readonly dataset?: string | undefined;
}

/** Name of the opened database in queries. */
const SOURCE = 'epsball_source';

/** Reads points by SQL, as `readPoints` reads them from a file. */
export async function readSql(source: SqlSource, options: ReadQueryOptions & CsvFormat): Promise<PointsWithKept> {
  const what = source.sql === undefined ? source.input : SQL_INPUT;
  for (const name of ['delimiter', 'decimal'] as const) {
    const value = options[name];
    if (value !== undefined) throw new InvalidParameterError(name, value, `no ${name} for ${what}`);
  }
  const {keep = [], groupColumn} = options;
  const besides = groupColumn === undefined ? keep : [...keep, String(groupColumn)];
  const read = async (database: Database): Promise<PointsWithKept> =>
    readQuery(database, await openSource(database, source, besides), options);
  return withDatabase(what, read, options);
}

/**
 * Opens the database of a source, for reading only.
 *
 * @param besides  columns of a sheet that are beside the points
 * @returns  the query for its points
 * @throws DatasetFormatError  if the file is missing, unreadable or not a regular file, or has several tables
 */
export async function openSource(
  database: Database,
  {input, sql, dataset}: SqlSource,
  besides: readonly string[] = [],
): Promise<string> {
  const extension = extname(input).toLowerCase();
  if (dataset !== undefined && (sql !== undefined || !(DATABASE_FILE.test(input) || extension === '.xlsx'))) {
    const where = sql === undefined ? `a ${extension} file` : 'a query, which names its tables';
    throw new InvalidParameterError('dataset', dataset, `no dataset for ${where}`);
  }
  if (input === SQL_INPUT) return sql ?? '';
  await withOpenFile(input, async () => undefined);
  if (DATABASE_FILE.test(input)) {
    // The first bytes of other files tell whether they are of SQLite, but for an empty one.
    const type = extension.startsWith('.sqlite') ? 'TYPE sqlite, ' : '';
    await database.rows(`ATTACH ${sqlText(input)} AS ${SOURCE} (${type}READ_ONLY)`);
    await database.rows(`USE ${SOURCE}`);
    return sql ?? `FROM ${sqlName(await tableOf(database, dataset))}`;
  }
  // DuckDB takes these characters of a path for patterns.
  const file = sqlText(input.replaceAll(/[*?[]/g, '[$&]'));
  return extension === '.xlsx' ? sheetQuery(database, file, dataset, besides) : `FROM read_json(${file})`;
}

async function tableOf(database: Database, wanted: string | undefined): Promise<string> {
  const found = await database.rows(
    `SELECT table_name FROM information_schema.tables WHERE table_catalog = ${sqlText(SOURCE)} ` +
      // Names of SQLite's own tables, such as those of counters.
      "AND NOT starts_with(table_name, 'sqlite_') ORDER BY ALL",
  );
  const tables = found.map(([name]) => String(name));
  if (wanted !== undefined && tables.includes(wanted)) return wanted;
  if (wanted === undefined && tables.length === 1) return tables[0];
  if (tables.length === 0) throw new DatasetFormatError(database.what, 'has no tables; expected one of points');
  const has = wanted === undefined ? `has ${tables.length} tables` : `has no table ${wanted}`;
  throw new DatasetFormatError(database.what, `${has}; expected a name, one of: ${tables.join(', ')}`);
}
