import {SQL_INPUT} from './options.ts';

/** The files that a command reads: its input, and those that a query names. */
export async function inputFiles(input: string, sql: string | undefined): Promise<readonly string[]> {
  const files = input === SQL_INPUT ? [] : [input];
  if (sql === undefined) return files;
  const {queryFiles} = await import('./sql/queryFiles.ts');
  return [...files, ...(await queryFiles(sql))];
}
