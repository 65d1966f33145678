import {findInput, writeFileAtomically} from '@epsball/datasets';
import {createHash} from 'node:crypto';
import {existsSync} from 'node:fs';
import {mkdir} from 'node:fs/promises';
import {join} from 'node:path';
import {withProgress} from '../cluster/progressBar.ts';
import {UsageError} from '../errors.ts';
import type {PointFlags} from '../flags.ts';
import {inputFiles} from '../inputFiles.ts';
import {SQL_FILE, SQL_INPUT} from '../options.ts';
import {sqlText, withDatabase, type Database} from '../sql/database.ts';
import {planQuery, selectOf} from '../sql/planQuery.ts';
import {openSource} from '../sql/readSql.ts';

interface QueryRunFlags extends Pick<PointFlags, 'sql' | 'columns' | 'dim' | 'precision'> {
  readonly work: string;
  readonly out?: string;
}

/**
 * The file that a run out of core reads: the input, or the points of a query as a Parquet file in the folder of the
 * run. A run that continues reads the file that it began with.
 *
 * @param name  of the run
 */
export async function runInput(
  input: string,
  {sql, columns, dim, precision, work, out}: QueryRunFlags,
  name: string,
  signal: AbortSignal,
): Promise<string> {
  if (sql === undefined && !SQL_FILE.test(input)) return input;
  if (work.startsWith('s3://')) throw new UsageError('--work', work, 'a folder, which holds the points of the query');
  const read = out === undefined ? undefined : await findInput(out, await inputFiles(input, sql));
  if (read !== undefined) throw new UsageError('--out', out, `another file than the input ${read}`);
  const identity = JSON.stringify([name, input, sql, columns, dim, precision]);
  const folder = join(work, 'queries');
  const path = join(folder, `${createHash('sha256').update(identity).digest('hex').slice(0, 16)}.parquet`);
  if (existsSync(path)) return path;
  await mkdir(folder, {recursive: true});
  const what = sql === undefined ? input : SQL_INPUT;
  const write = async (database: Database): Promise<void> => {
    const query = await openSource(database, {input, sql});
    const plan = await planQuery(database, query, {columns, dim, precision});
    const type = plan.precision === 'float32' ? 'FLOAT' : 'DOUBLE';
    const axes = plan.axes.map((axis) => ({name: axis.name, sql: `CAST(${axis.sql} AS ${type})`}));
    const copy = async (to: string): Promise<void> => {
      await database.rows(`COPY (${selectOf(axes)}) TO ${sqlText(to)} (FORMAT parquet)`);
    };
    await writeFileAtomically(path, copy, signal);
  };
  await withProgress('query', (onProgress) => withDatabase(what, write, {signal, onProgress}));
  return path;
}
