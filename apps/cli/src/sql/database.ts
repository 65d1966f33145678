import type {DuckDBConnection, DuckDBDataChunk, StatementType} from '@duckdb/node-api';
import type {RunOptions} from '@epsball/clustering';
import {DatasetFormatError, memoryBytes} from '@epsball/datasets';
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {codeOf, MissingPackageError, UsageError} from '../errors.ts';
import {loadOptional} from '../installLine.ts';

/** Every version of the package is a prerelease, which no range of versions names. */
const PACKAGE = '@duckdb/node-api@1.5.6-r.1';

/** Nothing is downloaded, and no file is kept in memory after it has been read. */
const SETTINGS = {
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  allow_community_extensions: 'false',
  enable_external_file_cache: 'false',
};

/** Times without a zone are in UTC, as in text files. The engine counts for a bar of progress, and prints none. */
const OF_CONNECTION = "SET TimeZone = 'UTC'; SET enable_progress_bar = true; SET enable_progress_bar_print = false";

/** Messages of DuckDB that name an extension. */
const EXTENSIONS = [/\bINSTALL "?(\w+)/, /\brequires the extension (\w+)/];
/** Messages about an Excel file, missing or present, without the extension that opens it. */
const EXCEL_FILE = /(?:Table with name |capable of reading the file ").+\.xlsx(?: does not exist|")/i;

/** Advice that a single SELECT cannot follow. */
const SETTING_ADVICE = /\s*\n\s*\* SET [^\n]*/g;

/** Begins of messages that do not help. */
const NO_REASON = /^(?:Failed to extract statements|Invalid Input Error): /;

/** Milliseconds between two interruptions of a query. */
const INTERRUPT_MS = 20;

/** Milliseconds between two reports of the part of a query that is done. */
const REPORT_MS = 250;

/** Longest part of a query, or of a message of DuckDB, in a line for people. */
const SHOWN_LENGTH = 400;
const QUERY_LENGTH = 60;

/** An empty DuckDB in memory, which reads files and writes none. Its errors name what it reads for. */
export interface Database {
  /** What is read: `--sql`, or a file. */
  readonly what: string;
  /** The rows of a short result. */
  readonly rows: (sql: string) => Promise<readonly (readonly unknown[])[]>;
  /** A long result, chunk by chunk, in the order of its rows. */
  readonly chunks: (sql: string) => AsyncGenerator<DuckDBDataChunk>;
  /** @throws UsageError  unless the text is one statement, and that a SELECT */
  readonly requireSelect: (query: string) => Promise<void>;
}

/**
 * Opens DuckDB, passes it to `use` and closes it. An extension that a query needs is loaded if the user has installed
 * it. Sorts and joins beyond a quarter of the memory go to a temporary folder.
 *
 * @param what     what is read, for errors: `--sql`, or a file
 * @param options  `signal` ends a query at any time; `onProgress` hears of the share that the engine expects to be done
 * @throws MissingPackageError  if the package or an extension is not installed; it has the line to type
 * @throws DatasetFormatError   if DuckDB refuses a query or cannot read a file
 */
export async function withDatabase<Result>(
  what: string,
  use: (database: Database) => Promise<Result>,
  {signal, onProgress}: RunOptions = {},
): Promise<Result> {
  const duckdb = await loadOptional(what, PACKAGE, () => import('@duckdb/node-api'));
  const folder = await mkdtemp(join(tmpdir(), 'epsball-sql-'));
  try {
    const limits = {memory_limit: `${Math.ceil(memoryBytes() / 4 / 2 ** 20)}MiB`, temp_directory: folder};
    const instance = await duckdb.DuckDBInstance.create(':memory:', {...SETTINGS, ...limits});
    const connection = await instance.connect();
    const doing = {phase: 'query'};
    const database = databaseOf(what, connection, duckdb.StatementType.SELECT, doing);
    const run = async (): Promise<Result> => database.rows(OF_CONNECTION).then(() => use(database));
    const report = (): void => {
      const {percentage} = connection.progress;
      // Negative between queries.
      if (percentage >= 0) onProgress?.({...doing, done: Math.min(100, percentage), total: 100});
    };
    const reporting = onProgress && setInterval(report, REPORT_MS);
    return await interruptible(connection, run, signal).finally(() => {
      clearInterval(reporting);
      connection.closeSync();
      instance.closeSync();
    });
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
}

/** Ends the queries of a connection when the signal fires. */
async function interruptible<Result>(
  connection: DuckDBConnection,
  run: () => Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  signal?.throwIfAborted();
  // A query that has not begun would forget it, so it is said until the end.
  let interrupting: NodeJS.Timeout | undefined;
  const interrupt = (): void => {
    interrupting = setInterval(() => connection.interrupt(), INTERRUPT_MS);
  };
  signal?.addEventListener('abort', interrupt);
  try {
    return await run();
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', interrupt);
    clearInterval(interrupting);
  }
}

/** @param doing  its phase becomes `read` with the first long result */
function databaseOf(
  what: string,
  connection: DuckDBConnection,
  select: StatementType,
  doing: {phase: string},
): Database {
  const attempt = <Result>(run: () => Promise<Result>): Promise<Result> => withExtensions(what, connection, run);
  return {
    what,
    rows: (sql) => attempt(async () => (await connection.runAndReadAll(sql)).getRows()),
    chunks: async function* (sql) {
      doing.phase = 'read';
      const result = await attempt(() => connection.stream(sql));
      for (;;) {
        const chunk = await attempt(() => result.fetchChunk());
        if (chunk === null || chunk.rowCount === 0) return;
        yield chunk;
      }
    },
    requireSelect: async (query) => {
      const isOne = await attempt(async () => {
        // The library fails for a text without a statement.
        if (query.replaceAll(/--.*|\/\*[^]*?\*\/|[\s;]/g, '') === '') return false;
        const statements = await connection.extractStatements(query);
        if (statements.count !== 1) return false;
        const statement = await statements.prepare(0);
        const {statementType} = statement;
        statement.destroySync();
        return statementType === select;
      });
      if (!isOne) throw new UsageError(what, shortened(query, QUERY_LENGTH), 'one SELECT');
    },
  };
}

/** Runs a query; again where an extension was missing that the user has installed. */
async function withExtensions<Result>(
  what: string,
  connection: DuckDBConnection,
  run: () => Promise<Result>,
): Promise<Result> {
  const loaded = new Set<string>();
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof Error) || codeOf(error) !== '') throw error;
      const {message} = error;
      const name = EXTENSIONS.map((pattern) => pattern.exec(message)?.[1]).find((found) => found !== undefined);
      const extension = EXCEL_FILE.test(message) ? 'excel' : name;
      if (extension === undefined || loaded.has(extension)) throw inOneLine(what, error);
      loaded.add(extension);
      await connection.run(`LOAD ${extension}`).catch((cause: Error) => refuseExtension(what, extension, cause));
    }
  }
}

function refuseExtension(what: string, extension: string, cause: Error): never {
  // Installed, but for another version, or damaged.
  if (!cause.message.includes('" not found')) throw inOneLine(what, cause);
  const version = /\/extensions\/v([\d.]+)\//.exec(cause.message)?.[1] ?? '';
  const line = `duckdb -c "INSTALL ${extension}"`;
  throw new MissingPackageError(`${what} needs the extension ${extension} of DuckDB: ${line}, with DuckDB ${version}`, {
    cause,
  });
}

/** Without the lines that show a place in the query. */
function inOneLine(what: string, cause: Error): DatasetFormatError {
  const reason = cause.message
    .replace(/\s*\n\s*LINE \d[^]*/, '')
    .replaceAll(SETTING_ADVICE, '')
    .replaceAll(/\s*\n\s*/g, ' ');
  return new DatasetFormatError(what, shortened(reason.replace(NO_REASON, ''), SHOWN_LENGTH), {
    cause,
  });
}

/** Text of at most this length, and a sign where it is cut. */
export function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

/** Text as a literal of SQL. */
export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A name in SQL. */
export function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
