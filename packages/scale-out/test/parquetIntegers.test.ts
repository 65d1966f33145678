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

it('integers below 2^53 in magnitude are exact', async () => {
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
    `row 1: x = ${value}; expected integers below 2^53 in magnitude, which float64 holds`,
  );
});

it('a name with the signs of patterns is the file of that name', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'epsball-patterns-'));
  onTestFinished(() => rmSync(folder, {recursive: true}));
  // Each of the first matches the one after it as a pattern.
  const names = ['a[1].parquet', 'a1.parquet', 'b*.parquet', 'bc.parquet', 'd?.parquet', 'de.parquet', '[[]].parquet'];
  await withDuckDB(async (connection) => {
    for (const [k, name] of names.entries()) {
      await connection.run(`COPY (SELECT ${k} AS x) TO ${sqlText(join(folder, name))} (FORMAT parquet)`);
    }
  });
  for (const [k, name] of names.entries()) {
    const layout = await describeParquet(join(folder, name));
    expect(layout.rowCount, name).toBe(1);
    expect([...(await readParquetRows(join(folder, name), layout, [[0, 1]])).coords], name).toEqual([k]);
  }
});
