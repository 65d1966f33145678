import {DuckDBInstance, type DuckDBConnection} from '@duckdb/node-api';

/** For Parquet, DuckDB holds some row groups: part of the base of a process, not of `--memory`. */
const MEMORY_LIMIT = '256MB';

/**
 * Opens DuckDB in memory for the duration of `use`, on one thread: rows then come in the order of the file.
 *
 * @throws what `use` throws
 */
export async function withDuckDB<Result>(use: (connection: DuckDBConnection) => Promise<Result>): Promise<Result> {
  const instance = await DuckDBInstance.create(':memory:', {threads: '1', memory_limit: MEMORY_LIMIT});
  try {
    const connection = await instance.connect();
    try {
      return await use(connection);
    } finally {
      connection.closeSync();
    }
  } finally {
    instance.closeSync();
  }
}

export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A path as `read_parquet` takes it, which reads `*`, `?` and `[` as a pattern. */
export function sqlPath(path: string): string {
  return sqlText(path.replaceAll(/[*?[]/g, '[$&]'));
}

export function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
