import {mkdir, rename, stat} from 'node:fs/promises';
import {availableParallelism} from 'node:os';
import {join} from 'node:path';
import type {PointSet} from '@epsball/clustering';
import {DuckDBInstance, type DuckDBConnection} from '@duckdb/node-api';

const ROWS_PER_FILE = 10_000_000;
/** Side of the square that holds the centres. */
const SIDE = 1000;
const BLOBS = 2000;
const SIGMA = 3;

export type Precision = 'float32' | 'float64';

/** Skewed points of a size: always the same ones. */
export interface SkewedPoints {
  readonly folder: string;
  readonly rowCount: number;
  readonly precision: Precision;
}

/**
 * Writes skewed points as Parquet files: a tenth of them uniform in a square, the others in 2000 Gaussian blobs, of
 * which the largest have 300 times the points of the smallest. Files that exist stay.
 *
 * @returns  the pattern of the files
 */
export async function writeSkewedPoints(points: SkewedPoints, signal: AbortSignal): Promise<string> {
  const {folder, rowCount, precision} = points;
  await mkdir(folder, {recursive: true});
  await forEachFile(points, signal, async (connection, file, start, end) => {
    if ((await stat(file).catch(() => undefined)) !== undefined) return;
    const partial = `${file}.partial`;
    await connection.run(`COPY (${pointsQuery(start, end, precision)}) TO ${sqlText(partial)} (FORMAT parquet)`);
    await rename(partial, file);
  });
  return join(folder, `points-${rowCount}-${precision}-*.parquet`);
}

/** Reads all points into memory. */
export async function readSkewedPoints(points: SkewedPoints, signal: AbortSignal): Promise<PointSet> {
  const {rowCount, precision} = points;
  const coords = precision === 'float32' ? new Float32Array(2 * rowCount) : new Float64Array(2 * rowCount);
  await forEachFile(points, signal, async (connection, file, start) => {
    const result = await connection.stream(`SELECT x, y FROM read_parquet(${sqlText(file)})`);
    for (let row = start; ;) {
      const chunk = await result.fetchChunk();
      if (chunk === null || chunk.rowCount === 0) break;
      for (let axis = 0; axis < 2; axis++) {
        const vector = chunk.getColumnVector(axis);
        for (let k = 0; k < chunk.rowCount; k++) coords[2 * (row + k) + axis] = Number(vector.getItem(k));
      }
      row += chunk.rowCount;
    }
  });
  return {coords, dim: 2};
}

/** Calls `use` for each file of the points; as many at a time as there are processors, each on one thread. */
async function forEachFile(
  {folder, rowCount, precision}: SkewedPoints,
  signal: AbortSignal,
  use: (connection: DuckDBConnection, file: string, start: number, end: number) => Promise<void>,
): Promise<void> {
  const files = Math.ceil(rowCount / ROWS_PER_FILE);
  let next = 0;
  const work = async (): Promise<void> => {
    // One thread keeps the order of rows.
    const instance = await DuckDBInstance.create(':memory:', {threads: '1'});
    const connection = await instance.connect();
    try {
      while (next < files) {
        signal.throwIfAborted();
        const part = next++;
        const name = `points-${rowCount}-${precision}-${String(part).padStart(5, '0')}.parquet`;
        const start = part * ROWS_PER_FILE;
        await use(connection, join(folder, name), start, Math.min(rowCount, start + ROWS_PER_FILE));
      }
    } finally {
      connection.closeSync();
      instance.closeSync();
    }
  };
  await Promise.all(Array.from({length: Math.min(availableParallelism(), files)}, work));
}

function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A uniform number in [0, 1): the same on every machine and for every number of rows. */
function uniform(term: string): string {
  return `(hash(${term}) / 18446744073709551616.0::DOUBLE)`;
}

function pointsQuery(start: number, end: number, precision: Precision): string {
  const type = precision === 'float32' ? 'FLOAT' : 'DOUBLE';
  const radius = `${SIGMA} * sqrt(-2 * ln(greatest(u, 1e-300)))`;
  const axis = (name: string, wave: string, spread: string, center: string): string =>
    `(CASE WHEN w < 0.1 THEN ${uniform(spread)} * ${SIDE}
     ELSE ${uniform(center)} * ${SIDE} + ${radius} * ${wave}(2 * pi() * v) END)::${type} AS ${name}`;
  return `
    WITH draws AS (
      SELECT range AS i, ${uniform('range * 4')} AS u, ${uniform('range * 4 + 1')} AS v,
        ${uniform('range * 4 + 2')} AS w, ${uniform('range * 4 + 3')} AS z
      FROM range(${start}, ${end})
    ), blobs AS (SELECT *, floor(${BLOBS} * pow(z, 3))::BIGINT AS blob FROM draws)
    SELECT ${axis('x', 'cos', 'i * 7 + 5', 'blob * 11 + 3')}, ${axis('y', 'sin', 'i * 13 + 6', 'blob * 17 + 4')}
    FROM blobs`;
}
