import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {sqlText, withDatabase} from '../src/sql/database.ts';
import {readQuery, type PointsWithKept, type ReadQueryOptions} from '../src/sql/readQuery.ts';
import {openSource} from '../src/sql/readSql.ts';

let folder: string;
let file: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'epsball-sheets-test-'));
  file = join(folder, 'a.xlsx');
  writeFileSync(file, 'a');
});

afterAll(() => rmSync(folder, {recursive: true}));

/**
 * Reads a sheet through a macro in place of the function of the extension `excel`, which is not installed: it has the
 * types of the first cells, or with `all_varchar` the texts of the cells.
 */
function readSheet(
  columns: Readonly<Record<string, string>>,
  cells: readonly (readonly (string | null)[])[],
  options: ReadQueryOptions = {},
): Promise<PointsWithKept> {
  return withDatabase('a.xlsx', async (database) => {
    const names = Object.keys(columns);
    await database.rows(`CREATE TABLE typed (${names.map((name) => `"${name}" ${columns[name]}`).join(', ')})`);
    await database.rows(`CREATE TABLE cells (${names.map((name) => `"${name}" VARCHAR`).join(', ')})`);
    for (const row of cells) {
      const values = row.map((cell) => (cell === null ? 'NULL' : sqlText(cell)));
      await database.rows(`INSERT INTO cells VALUES (${values.join(', ')})`);
    }
    await database.rows(
      `CREATE MACRO read_xlsx(file, stop_at_empty) AS TABLE (FROM typed WHERE NOT stop_at_empty),
       (file, stop_at_empty, all_varchar) AS TABLE (FROM cells WHERE all_varchar AND NOT stop_at_empty)`,
    );
    return readQuery(database, await openSource(database, {input: file}, options.keep), {columns: 'auto', ...options});
  });
}

describe('a sheet', () => {
  it('is read to its end, without its blank rows', async () => {
    const cells = [
      ['1', '2'],
      [null, ' '],
      ['3', '4.5'],
    ];
    const {coords, columns} = await readSheet({x: 'DOUBLE', y: 'DOUBLE'}, cells);
    expect([[...coords], columns]).toEqual([
      [1, 2, 3, 4.5],
      ['x', 'y'],
    ]);
  });

  it('may have any cells in a column that is not read, and a column of text or of numbers that begins empty', async () => {
    const types = {no: 'DOUBLE', lat: 'DOUBLE', note: 'DOUBLE', lon: 'DOUBLE'};
    const cells = [
      ['12', '1', null, null],
      ['12a', '3', 'late', '4'],
    ];
    const {coords, left, kept} = await readSheet(types, cells, {missing: 'nan', keep: ['note']});
    expect([...coords]).toEqual([1, NaN, 3, 4]);
    expect(left).toEqual([{name: 'no', why: 'beside lat, lon'}]);
    expect(kept).toEqual({note: [null, 'late']});
    const mixed = await readSheet(types, cells, {missing: 'nan', keep: ['no']});
    expect(mixed.kept).toEqual({no: ['12', '12a']});
  });

  it('has dates and times', async () => {
    const cells = [['1', '45413.520833333336', '45413', '0.5', '1']];
    const types = {x: 'DOUBLE', at: 'TIMESTAMP', day: 'DATE', noon: 'TIME', open: 'BOOLEAN'};
    const {times, kept} = await readSheet(types, cells, {timeColumn: 'at', keep: ['at', 'day', 'noon', 'open']});
    expect(times).toEqual(Float64Array.of(Date.UTC(2024, 4, 1, 12, 30) / 1000));
    expect(kept).toEqual({at: ['2024-05-01 12:30:00'], day: ['2024-05-01'], noon: ['12:00:00'], open: ['true']});
  });

  it.for([
    [[['1'], ['#DIV/0!']], 'a.xlsx: column x has the cell #DIV/0!; expected a finite number'],
    [[['1'], [null], ['n/a']], 'a.xlsx: column x has the cell n/a; expected a finite number'],
    [
      [[null], ['text']],
      'a.xlsx: has the first row x, and no numbers below; expected numbers, another sheet by --data',
    ],
    [[], 'a.xlsx: returns no row; expected points'],
  ] as const)('is refused: %j', async ([cells, message]) => {
    await expect(readSheet({x: 'DOUBLE'}, cells)).rejects.toThrow(message);
  });
});
