import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, it, onTestFinished} from 'vitest';
import {sqlText, withDuckDB} from '../src/input/duckdb.ts';
import {describeParquet, readParquetRows} from '../src/input/parquetRows.ts';

/** Writes one column x, and reads it as a run does. */
async function readColumn(type: string, values: readonly (bigint | null)[]): Promise<number[]> {
  const folder = mkdtempSync(join(tmpdir(), 'epsball-integers-'));
  onTestFinished(() => rmSync(folder, {recursive: true}));
  const path = join(folder, 'x.parquet');
  const rows = values.map((value) => `(${value ?? 'NULL'}::${type})`).join(', ');
  await withDuckDB((connection) =>
    connection.run(`COPY (SELECT x FROM (VALUES ${rows}) AS rows(x)) TO ${sqlText(path)} (FORMAT parquet)`),
  );
  const layout = await describeParquet(path);
  return [...(await readParquetRows(path, layout, [[0, layout.rowCount]])).coords];
}

it('integers within ±2^53 are exact', async () => {
  const most = 2n ** 53n - 1n;
  expect(await readColumn('BIGINT', [-most, most, null])).toEqual([-Number(most), Number(most), NaN]);
  expect(await readColumn('UBIGINT', [0n, most])).toEqual([0, Number(most)]);
});

it.for<[type: string, value: bigint]>([
  ['BIGINT', -(2n ** 53n) - 1n],
  ['BIGINT', 2n ** 60n],
  ['UBIGINT', 2n ** 64n - 1n],
])('%s: %s is refused with its row', async ([type, value]) => {
  await expect(readColumn(type, [1n, value, 1n])).rejects.toThrow(
    `row 1: x = ${value}; expected integers within ±2^53, which float64 holds`,
  );
});
