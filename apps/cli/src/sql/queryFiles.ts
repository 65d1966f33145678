import {stat} from 'node:fs/promises';
import {UsageError} from '../errors.ts';
import {SQL_INPUT} from '../options.ts';
import {sqlText, withDatabase} from './database.ts';

/**
 * The files that a query may read: those that a text or a name in it matches as a path or a pattern.
 *
 * @throws UsageError  if one of them is a pipe or a device, which cannot be read twice
 */
export async function queryFiles(query: string): Promise<readonly string[]> {
  const texts = [...query.matchAll(/'((?:[^']|'')+)'|"((?:[^"]|"")+)"/g)].map(
    ([, text, name = '']) => text?.replaceAll("''", "'") ?? name.replaceAll('""', '"'),
  );
  const paths = texts.filter((text) => !text.includes('://'));
  for (const path of paths) {
    const status = await stat(path).catch(() => undefined);
    if (status === undefined || status.isFile() || status.isDirectory()) continue;
    throw new UsageError(
      SQL_INPUT,
      path,
      'regular files: a query is run twice; epsball cluster - reads CSV from a pipe',
    );
  }
  if (paths.length === 0) return [];
  return withDatabase(SQL_INPUT, async ({rows}) => {
    // A text that is no pattern names no file.
    const found = paths.map((path) => rows(`SELECT file FROM glob(${sqlText(path)})`).catch(() => []));
    return (await Promise.all(found)).flat().map(([file]) => String(file));
  });
}
