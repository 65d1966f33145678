import {mkdir, rename, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {DuckDBInstance} from '@duckdb/node-api';

const ROWS_PER_FILE = 10_000_000;
/** Side of the square that holds the centres. */
const SIDE = 1000;
const BLOBS = 2000;
const SIGMA = 3;

/** A uniform number in [0, 1) for row i: the same on every machine and for every number of rows. */
function uniform(term: string): string {
  return `(hash(${term}) / 18446744073709551616.0::DOUBLE)`;
}

/**
 * Writes skewed points as Parquet files: a tenth of them uniform in a square, the others in 2000 Gaussian blobs, of
 * which the largest have 300 times the points of the smallest. Files that exist stay.
 *
 * @returns  the pattern of the files
 */
export async function writeSkewedPoints(folder: string, rowCount: number): Promise<string> {
  await mkdir(folder, {recursive: true});
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  for (let start = 0, part = 0; start < rowCount; start += ROWS_PER_FILE, part++) {
    const file = join(folder, `points-${rowCount}-${String(part).padStart(5, '0')}.parquet`);
    if ((await stat(file).catch(() => undefined)) !== undefined) continue;
    const end = Math.min(rowCount, start + ROWS_PER_FILE);
    const partial = `${file}.partial`;
    await connection.run(`COPY (${pointsQuery(start, end)}) TO '${partial.replaceAll("'", "''")}' (FORMAT parquet)`);
    await rename(partial, file);
  }
  connection.closeSync();
  instance.closeSync();
  return join(folder, `points-${rowCount}-*.parquet`);
}

function pointsQuery(start: number, end: number): string {
  const radius = `${SIGMA} * sqrt(-2 * ln(greatest(u, 1e-300)))`;
  const axis = (name: string, wave: string, spread: string, center: string): string =>
    `CASE WHEN w < 0.1 THEN ${uniform(spread)} * ${SIDE}
     ELSE ${uniform(center)} * ${SIDE} + ${radius} * ${wave}(2 * pi() * v) END AS ${name}`;
  return `
    WITH draws AS (
      SELECT range AS i, ${uniform('range * 4')} AS u, ${uniform('range * 4 + 1')} AS v,
        ${uniform('range * 4 + 2')} AS w, ${uniform('range * 4 + 3')} AS z
      FROM range(${start}, ${end})
    ), blobs AS (SELECT *, floor(${BLOBS} * pow(z, 3))::BIGINT AS blob FROM draws)
    SELECT ${axis('x', 'cos', 'i * 7 + 5', 'blob * 11 + 3')}, ${axis('y', 'sin', 'i * 13 + 6', 'blob * 17 + 4')}
    FROM blobs ORDER BY i`;
}
