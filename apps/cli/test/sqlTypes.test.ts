import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {DuckDBInstance} from '@duckdb/node-api';
import {withDatabase} from '../src/sql/database.ts';
import {readQuery, type PointsWithKept, type ReadQueryOptions} from '../src/sql/readQuery.ts';

let folder: string;

/** The point (13, 52.5). */
const WKB = "from_hex('01010000000000000000002a400000000000404a40')";

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'epsball-sql-types-'));
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const rows = 'SELECT range / 8 AS x, {xmin: range, ymin: -range} AS bbox FROM range(3)';
  await connection.run(`COPY (SELECT range AS x, 2 AS y FROM range(3)) TO '${folder}/z.csv.zst' (COMPRESSION zstd)`);
  await connection.run(`COPY (${rows}) TO '${folder}/lz4.parquet' (COMPRESSION lz4_raw)`);
  const places = "SELECT unnest(['POINT (13 52.5)', 'POINT Z (14 2 3)'])::GEOMETRY AS place, 7 AS height, 'a' AS name";
  await connection.run(`COPY (${places}) TO '${folder}/geo.parquet'`);
  connection.closeSync();
  instance.closeSync();
});

afterAll(() => rmSync(folder, {recursive: true}));

function read(query: string, options: ReadQueryOptions = {}): Promise<PointsWithKept> {
  return withDatabase('--sql', (database) => readQuery(database, query.replaceAll('FOLDER', folder), options));
}

describe('coordinates of a query', () => {
  const floats = (...values: readonly number[]): Float32Array => Float32Array.from(values);
  const doubles = (...values: readonly number[]): Float64Array => Float64Array.from(values);
  it.for<readonly [query: string, coords: Float32Array | Float64Array, columns: readonly string[]]>([
    ['SELECT 0.1::FLOAT AS x', floats(0.1), ['x']],
    ['SELECT 1::TINYINT AS a, 2::USMALLINT AS b', floats(1, 2), ['a', 'b']],
    ['SELECT 0.1::FLOAT AS x, 3 AS y', doubles(Math.fround(0.1), 3), ['x', 'y']],
    ['SELECT 0.1::DOUBLE AS x', doubles(0.1), ['x']],
    ['SELECT 9007199254740991 AS x, -5::HUGEINT AS y', doubles(2 ** 53 - 1, -5), ['x', 'y']],
    ['SELECT 7::UBIGINT AS x, 8::UINTEGER AS y', doubles(7, 8), ['x', 'y']],
    ["SELECT '0.3'::DECIMAL(9, 2) AS x", doubles(0.3), ['x']],
    [
      "SELECT '12345678901234567890.123456'::DECIMAL(38, 6) AS x",
      doubles(Number('12345678901234567890.123456')),
      ['x'],
    ],
    ['SELECT [1, 2.5]::FLOAT[] AS v', floats(1, 2.5), ['v[1]', 'v[2]']],
    ['SELECT [1, 2]::DOUBLE[2] AS v, 3 AS z', doubles(1, 2, 3), ['v[1]', 'v[2]', 'z']],
    ["SELECT bbox.ymin, x FROM 'FOLDER/lz4.parquet'", doubles(0, 0, -1, 0.125, -2, 0.25), ['ymin', 'x']],
    ["SELECT 1 AS z, 'POINT (0.1 -1e300)'::GEOMETRY AS p", doubles(1, 0.1, -1e300), ['z', 'p.lon', 'p.lat']],
    [`SELECT ST_GeomFromWKB(${WKB}) AS p`, doubles(13, 52.5), ['p.lon', 'p.lat']],
    ["SELECT place FROM 'FOLDER/geo.parquet'", doubles(13, 52.5, 14, 2), ['place.lon', 'place.lat']],
    [`SELECT 'POINT (13 52.5)'::GEOMETRY('{"type":"ProjectedCRS"}') AS p`, doubles(13, 52.5), ['p.x', 'p.y']],
    ["FROM 'FOLDER/z.csv.zst'", doubles(0, 2, 1, 2, 2, 2), ['x', 'y']],
    ['VALUES (1.5), (2.5)', doubles(1.5, 2.5), ['col0']],
    ['WITH t AS (SELECT 2 AS x) SELECT x, x FROM t', doubles(2, 2), ['x', 'x_1']],
    ['SELECT range AS x FROM range(5) ORDER BY x % 3, x DESC', doubles(3, 0, 4, 1, 2), ['x']],
  ])('%s', async ([query, coords, columns]) => {
    const found = await read(query);
    expect([found.coords, found.columns, found.dim]).toEqual([coords, columns, columns.length]);
  });

  it('are the numbers nearest to decimals, as their text is', async () => {
    for (const [width, scale] of [
      [15, 7],
      [18, 9],
      [38, 20],
    ]) {
      const digits = `hash(range)::UHUGEINT * hash(range + 1) % ${10n ** BigInt(Math.min(width, 37))}`;
      const decimal = `(${digits})::DECIMAL(38, 0)::VARCHAR`;
      const text = `left(${decimal}, -${scale}) || '.' || right(${decimal}, ${scale})`;
      const query = `SELECT CAST(${text} AS DECIMAL(${width}, ${scale})) AS x, CAST(x AS VARCHAR) AS t FROM range(2000)`;
      const {coords, kept = {}} = await read(query, {keep: ['t']});
      expect(coords).toEqual(Float64Array.from(kept['t'], Number));
    }
  });

  it('are of one array in any number of chunks, and of every row of a random sample', async () => {
    const {coords} = await read('SELECT range AS x, range + 0.5 AS y FROM range(5000)');
    expect(coords).toEqual(Float64Array.from({length: 10_000}, (_, k) => k / 2));
    // The rows are counted by another draw.
    for (let k = 0; k < 8; k++) {
      const found = await read('SELECT random() AS x, random() AS y FROM range(20000) WHERE random() < 0.5', {
        keep: [],
      });
      expect(found.coords.length % 2).toBe(0);
      expect(found.coords.every((x) => x > 0 && x < 1)).toBe(true);
    }
  });

  it('are of points, which names tell, and which may miss or be kept', async () => {
    const query = "FROM 'FOLDER/geo.parquet'";
    expect((await read(query, {columns: 'auto'})).columns).toEqual(['place.lon', 'place.lat']);
    expect((await read(query, {columns: 'place'})).coords).toEqual(doubles(52.5, 13, 2, 14));
    const {coords, kept} = await read(query, {columns: ['place'], keep: ['place', 'name']});
    expect(coords).toEqual(doubles(13, 52.5, 14, 2));
    expect(kept).toEqual({place: ['POINT (13 52.5)', 'POINT Z (14 2 3)'], name: ['a', 'a']});
    const gaps = "SELECT unnest(['POINT EMPTY', NULL, 'POINT (1 2)'])::GEOMETRY AS p";
    await expect(read(gaps)).rejects.toThrow('row 0: p.lon = NULL; expected a number in every row');
    expect((await read(gaps, {missing: 'nan'})).coords).toEqual(doubles(NaN, NaN, NaN, NaN, 1, 2));
    const line = read("SELECT 'LINESTRING (1 2, 3 4)'::GEOMETRY AS p");
    await expect(line).rejects.toThrow('p = LINESTRING (1 2, 3 4); expected points');
  });

  it('are chosen by name or number, and by place', async () => {
    const query = "SELECT 13 AS pickup_lon, 52 AS pickup_lat, 'a' AS name, 5 AS w";
    expect((await read(query, {columns: ['3', 'pickup_lat']})).columns).toEqual(['w', 'pickup_lat']);
    expect((await read(query, {columns: 'place'})).columns).toEqual(['pickup_lat', 'pickup_lon']);
    const {columns, coords} = await read(query, {columns: ['pickup_lat', 'w'], precision: 'float32'});
    expect([columns, coords]).toEqual([['pickup_lat', 'w'], Float32Array.of(52, 5)]);
    await expect(read(query, {columns: ['none']})).rejects.toThrow('has no column "none"; expected one of pickup_lon');
    await expect(read(query, {columns: ['w', 'w']})).rejects.toThrow('a column chosen twice');
    await expect(read(query, {columns: ['w'], dim: 2})).rejects.toThrow('has 1 columns chosen; expected dim = 2');
  });
});

describe('other columns of a query', () => {
  it('are weights, times and groups', async () => {
    const query = `SELECT range AS x, range * 2 AS w, TIMESTAMP '2024-05-01 12:30:00.25' + range * INTERVAL 1 DAY AS t,
      CASE range WHEN 1 THEN 'b' ELSE 'a' END AS g FROM range(3)`;
    const {dim, weights, times, groups} = await read(query, {weightColumn: 'w', timeColumn: 't', groupColumn: 'g'});
    const first = Date.UTC(2024, 4, 1, 12, 30, 0, 250) / 1000;
    expect({dim, weights, times, groups}).toEqual({
      dim: 1,
      weights: Float64Array.of(0, 2, 4),
      times: Float64Array.of(first, first + 86_400, first + 172_800),
      groups: {names: ['a', 'b'], of: Int32Array.of(0, 1, 0)},
    });
  });

  it.for<readonly [time: string, seconds: number]>([
    ["DATE '1970-01-02'", 86_400],
    ["TIMESTAMPTZ '1970-01-01 01:00:00+01'", 0],
    ["'1970-01-01T00:00:30Z'", 30],
    ["'12.5'", 12.5],
    ['12.5', 12.5],
  ])('a time may be %s', async ([time, seconds]) => {
    expect((await read(`SELECT 1 AS x, ${time} AS t`, {timeColumn: 't'})).times).toEqual(Float64Array.of(seconds));
  });

  it.for<readonly [group: string, name: string]>([
    ["' a '", 'a'],
    ['7', '7'],
    ['1.5::DOUBLE', '1.5'],
    ['true', 'true'],
    ["DATE '2024-05-01'", '2024-05-01'],
    ["'x'::ENUM('x', 'y')", 'x'],
  ])('a group may be %s', async ([group, name]) => {
    expect((await read(`SELECT 1 AS x, ${group} AS g`, {groupColumn: 'g'})).groups?.names).toEqual([name]);
  });

  it('are missing by the rule', async () => {
    const query = `SELECT unnest([1, NULL, 3]) AS x, unnest([NULL, 2, 3]) AS w, unnest(['', 'a', NULL]) AS g`;
    const chosen = {weightColumn: 'w', groupColumn: 'g'};
    const {coords, weights, groups} = await read(query, {...chosen, missing: 'nan'});
    expect([coords, weights, groups?.of]).toEqual([
      Float64Array.of(1, NaN, 3),
      Float64Array.of(NaN, 2, 3),
      Int32Array.of(-1, 0, -1),
    ]);
    await expect(read(query, {weightColumn: 'w', columns: ['x']})).rejects.toThrow(
      'row 1: x = NULL; expected a number',
    );
    const named = {columns: ['x'], missing: 'nan', timeColumn: 't'} as const;
    await expect(read("SELECT 1 AS x, 'noon' AS t", named)).rejects.toThrow(
      'row 0: t = "noon"; expected a number or a',
    );
  });

  it('are kept: integers of 64 bits, numbers, and anything else as text', async () => {
    const query = `SELECT range AS x, 9007199254740993 + range AS id, range / 4 AS f, nullif(range, 1) AS gap,
      'k' || range AS name, DATE '2024-05-01' AS day, [range] AS list FROM range(3)`;
    const keep = ['id', 'f', 'gap', 'name', 'day', 'list'];
    const {dim, kept} = await read(query, {keep});
    expect([dim, kept]).toEqual([
      1,
      {
        id: BigInt64Array.of(9007199254740993n, 9007199254740994n, 9007199254740995n),
        f: Float64Array.of(0, 0.25, 0.5),
        gap: [0n, null, 2n],
        name: ['k0', 'k1', 'k2'],
        day: ['2024-05-01', '2024-05-01', '2024-05-01'],
        list: ['[0]', '[1]', '[2]'],
      },
    ]);
  });
});
