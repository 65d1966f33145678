import {DuckDBInstance} from '@duckdb/node-api';
import type {ProgressListener} from '@epsball/clustering';
import {readPoints, writePoints} from '@epsball/datasets';
import {mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {exitCodeOf} from '../src/errors.ts';
import {withDatabase} from '../src/sql/database.ts';
import {readQuery} from '../src/sql/readQuery.ts';
import {runEpsball, signalWhen, type Ended} from './runEpsball.ts';
import {runMain} from './runMain.ts';

let folder: string;

const PARAMS = ['--eps', '1', '--min-pts', '2'];
const CSV = 'lat,lon,city,id\n52.5,13.4,Berlin,7\n48.1,11.6,Munich,8\n52.5,13.4,Berlin,9\n';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'epsball-sql-test-'));
  writeFileSync(at('trips.csv'), CSV);
  writeFileSync(
    at('trips.json'),
    '[{"lat": 52.5, "lon": 13.4}, {"lat": 48.1, "lon": 11.6}, {"lat": 52.5, "lon": 13.4}]',
  );
  writeFileSync(at('deep.json'), '{"x": {"y": 1}, "name": "a"}\n');
  writeFileSync(at('trips.xlsx'), 'no');
  writeFileSync(at('trips 2.xlsx'), 'no');
  writeFileSync(at('trips.sqlite'), 'no');
  // As SQLite files begin.
  writeFileSync(at('trips.db'), 'SQLite format 3\0'.padEnd(100, '\0'));
  await runSql(at('one.duckdb'), `CREATE TABLE trips AS FROM '${at('trips.csv')}'`);
  await runSql(at('own.db'), `CREATE TABLE trips AS FROM '${at('trips.csv')}'`, 'CREATE TABLE sqlite_sequence (a INT)');
  await runSql(at('none.duckdb'), 'SELECT 1');
  await runSql(at('two.duckdb'), 'CREATE TABLE a AS SELECT 1 AS x', 'CREATE TABLE b AS SELECT 1 AS x, 2 AS y');
});

afterAll(() => rmSync(folder, {recursive: true}));

function at(name: string): string {
  return join(folder, name);
}

async function runSql(file: string, ...statements: readonly string[]): Promise<void> {
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  for (const statement of statements) await connection.run(statement);
  connection.closeSync();
  instance.closeSync();
}

function epsball(...args: readonly string[]): Promise<Ended> {
  return runMain(args, {cwd: folder});
}

describe('a query', () => {
  const queries: readonly (readonly [what: string, query: string, message: string])[] = [
    ['two statements', 'SELECT 1 AS x; SELECT 2 AS x', '--sql = "SELECT 1 AS x; SELECT 2 AS x"; expected one SELECT'],
    ['no statement', ' -- nothing', '--sql = " -- nothing"; expected one SELECT'],
    ['an empty text', '', '--sql = ""; expected one SELECT'],
    ['another statement', "COPY (SELECT 1) TO 'x.csv'", 'expected one SELECT'],
    ['a new table', 'CREATE TABLE t AS SELECT 1 AS x', 'expected one SELECT'],
    ['a description', 'DESCRIBE SELECT 1 AS x', 'expected one SELECT'],
    ['a setting', 'SET threads = 1', 'expected one SELECT'],
    ['an extension', 'INSTALL excel', 'expected one SELECT'],
    ['wrong SQL', 'SELEC 1', '--sql: Parser Error: syntax error at or near "SELEC"'],
    ['a missing column', "SELECT lat, lom FROM 'trips.csv'", 'Candidate bindings: "lon", "lat"'],
    ['a missing file', "FROM 'none.parquet'", '--sql: IO Error: No files found that match the pattern "none.parquet"'],
    ['a parameter', 'SELECT ? AS x', '--sql: '],
    [
      'no numeric column',
      "SELECT city FROM 'trips.csv'",
      'has the columns city (VARCHAR); expected a column of numbers',
    ],
    [
      'a column of text',
      "SELECT lat, city FROM 'trips.csv'",
      'column city has the type VARCHAR; expected numbers, or --col',
    ],
    ['no row', "SELECT lat, lon FROM 'trips.csv' WHERE lat > 90", '--sql: returns no row; expected points'],
    ['a NULL', 'SELECT unnest([1, NULL, 2]) AS x', '--sql: row 1: x = NULL; expected a number in every row'],
    ['a large integer', 'SELECT 9007199254740993 AS x', 'x = 9007199254740993; expected integers below 2^53'],
    [
      'lists of many lengths',
      'SELECT unnest([[1], [1, 2]]) AS v',
      'column v has lists of 1 to 2 numbers; expected lists of',
    ],
    [
      'an extension of functions',
      'SELECT ST_X(1) AS x',
      '--sql needs the extension spatial of DuckDB: duckdb -c "INSTALL sp',
    ],
    [
      'an Excel file',
      "SELECT x FROM 'a.xlsx'",
      '--sql needs the extension excel of DuckDB: duckdb -c "INSTALL excel", with',
    ],
    [
      'an Excel file that is there',
      "SELECT x FROM 'trips 2.xlsx'",
      '--sql needs the extension excel of DuckDB: duckdb -c',
    ],
    ['advice that no query can take', String.raw`SELECT error(E'no\n* SET a = true reads it')`, '--sql: no\n'],
    ['a file of the web', "FROM 'https://localhost/a.parquet'", 'needs the extension httpfs of DuckDB'],
  ];
  it.for(queries)('is refused in one line with exit code 2: %s', async ([, query, message]) => {
    const {code, stdout, stderr} = await epsball('cluster', '--sql', query, ...PARAMS);
    expect(stderr).toMatch(/^epsball: [^\n]+\n$/);
    expect(stderr).toContain(message);
    expect([code, stdout]).toEqual([2, '']);
    expect(readdirSync(folder)).not.toContain('x.csv');
  });

  it('of 10⁹ rows is refused by memory before it is read', async () => {
    const query = 'SELECT range AS x, range AS y FROM range(1000000000)';
    const failure: unknown = await withDatabase('--sql', (database) =>
      readQuery(database, query, {memory: 16e9}),
    ).catch((error: unknown) => error);
    expect(exitCodeOf(failure)).toBe(2);
    expect(String(failure)).toContain(
      '--sql: returns 1,000,000,000 rows, which take 41.0 GB or more; expected at most the memory, 16.0 GB: a LIMIT',
    );
  });

  it('without the package of DuckDB is refused with the line to type', async () => {
    const hook = `import {registerHooks} from 'node:module';
      registerHooks({resolve(specifier, context, next) {
        if (specifier !== '@duckdb/node-api') return next(specifier, context);
        throw Object.assign(new Error('absent'), {code: 'ERR_MODULE_NOT_FOUND'});
      }});`;
    const env = {NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}`};
    const {code, stderr} = await runEpsball(['cluster', '--sql', 'SELECT 1 AS x', ...PARAMS], {env});
    const line = 'epsball: --sql needs the npm package @duckdb/node-api: npm install @duckdb/node-api@1.5.6-r.1\n';
    expect([code, stderr]).toEqual([2, line]);
  });

  it('ends on Ctrl-C, and leaves no file', async () => {
    const endless = 'SELECT a.range AS x FROM range(1000000000) a, range(1000000000) b WHERE a.range * b.range % 7 = 8';
    const temporary = mkdtempSync(at('tmp-'));
    const {code, stderr} = await runEpsball(['cluster', '--sql', endless, ...PARAMS], {
      env: {TMPDIR: temporary},
      whenStarted: (child) => signalWhen(child, 'SIGINT', () => readdirSync(temporary).length > 0),
    });
    expect([code, stderr, readdirSync(temporary)]).toEqual([130, 'epsball: interrupted\n', []]);
  });

  it('never reads an output', async () => {
    const query = "SELECT lat, lon FROM 'tr*.csv' WHERE city NOT IN ('[', '**/a/**')";
    const {code, stderr} = await epsball('cluster', '--sql', query, ...PARAMS, '--out', 'trips.csv');
    expect([code, stderr]).toEqual([2, 'epsball: --out = "trips.csv"; expected another file than the input\n']);
    expect(readFileSync(at('trips.csv'), 'utf8')).toBe(CSV);
  });

  it('names the input of every summary, and stays in the line to type', async () => {
    const query = "SELECT lat, lon FROM 'trips.csv'";
    expect((await epsball('cluster', '--sql', query, ...PARAMS)).stdout).toMatch(
      /^points +3 × 2 float64 \(the query\)$/m,
    );
    const found = await epsball('hdbscan', '--sql', query, '--min-cluster-size', '2', '--json');
    expect(JSON.parse(found.stdout)).toMatchObject({input: '--sql', points: 3, columns: ['lat', 'lon']});
    await writePoints(at('moons.csv'), {coords: Float64Array.from({length: 40}, (_, k) => (k * k) % 17), dim: 2});
    const {stdout} = await epsball('suggest', '--sql', "SELECT x, y FROM 'moons.csv'");
    expect(stdout).toMatch(/^epsball \w+ --sql 'SELECT x, y FROM '\\''moons.csv'\\''' --/m);
  });
});

describe('a file that DuckDB opens', () => {
  it.for([
    [['one.duckdb', '--columns', 'lat,lon']],
    [['one.duckdb', '--dataset', 'trips', '--columns', 'lat,lon']],
    [['one.duckdb', '--sql', 'SELECT lat, lon FROM trips']],
    [['own.db', '--columns', 'lat,lon']],
    [['trips.json']],
    [['--sql', "FROM 'trips.json'"]],
    [['--sql', "SELECT lat, lon FROM read_csv('trips.csv'); -- all"]],
    [['trips.csv', '--columns', 'lat,lon']],
  ])('%s', async ([source]) => {
    const {stderr} = await epsball('cluster', ...source, ...PARAMS, '--out', 'found.csv');
    expect(stderr).toBe('');
    expect(readFileSync(at('found.csv'), 'utf8')).toBe('index,label,core\n0,0,1\n1,-1,0\n2,0,1\n');
  });

  it.for([
    [['two.duckdb'], 'two.duckdb: has 2 tables; expected --dataset with one of: a, b'],
    [['two.duckdb', '--dataset', 'c'], 'two.duckdb: has no table c; expected --dataset with one of: a, b'],
    [['none.duckdb'], 'none.duckdb: has no tables; expected one of points'],
    [['two.duckdb', '--sql', 'SELECT x FROM a', '--dataset', 'a'], '--dataset = "a"; expected no dataset for a query'],
    [['trips.json', '--dataset', 'a'], '--dataset = "a"; expected no dataset for a .json file'],
    [['trips.json', '--delimiter', ';'], '--delimiter = ";"; expected no delimiter for trips.json'],
    [['deep.json'], 'deep.json: has the columns x (STRUCT(y BIGINT)), name (VARCHAR); expected a column of numbers'],
    [['none.json'], 'none.json: cannot be read (ENOENT'],
    [['trips.xlsx'], 'trips.xlsx needs the extension excel of DuckDB: duckdb -c "INSTALL excel", with DuckDB 1.'],
    [['trips.sqlite'], 'trips.sqlite needs the extension sqlite of DuckDB: duckdb -c "INSTALL sqlite", with DuckDB 1.'],
    [['trips.db'], 'trips.db needs the extension sqlite of DuckDB: duckdb -c "INSTALL sqlite", with DuckDB 1.'],
    [['trips.csv', '--sql', 'SELECT 1 AS x'], 'INPUT = "trips.csv"; expected a database beside --sql'],
    [[], 'INPUT = (not given); expected a value: a file of points, or --sql with a query'],
  ] as const)('is refused in one line: %s', async ([source, message]) => {
    const {code, stderr} = await epsball('cluster', ...source, ...PARAMS);
    expect(stderr).toMatch(/^epsball: [^\n]+\n$/);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });
});

it('an extension that is installed, but cannot be loaded, is refused with the reason', async () => {
  const home = mkdtempSync(at('home-'));
  const [[version], [platform]] = await withDatabase('--sql', async ({rows}) => [
    ...(await rows('SELECT library_version FROM pragma_version()')),
    ...(await rows('SELECT platform FROM pragma_platform()')),
  ]);
  const extensions = join(home, '.duckdb', 'extensions', String(version), String(platform));
  mkdirSync(extensions, {recursive: true});
  writeFileSync(join(extensions, 'excel.duckdb_extension'), 'no'.padEnd(600));
  const {code, stderr} = await runEpsball(['cluster', at('trips.xlsx'), ...PARAMS], {env: {HOME: home}});
  expect(stderr).toMatch(/^epsball: [^\n]+trips\.xlsx: Failed to load 'excel', [^\n]+\n$/);
  expect(code).toBe(2);
});

describe('epsball scale run --sql', () => {
  it('gives the labels of epsball cluster, and continues with the rows that it began with', async () => {
    await runMain(['generate', 'moons:n=500', '--out', at('m.csv')]);
    const query = [
      '--sql',
      "SELECT y, [x]::FLOAT[] AS v FROM 'm.csv' WHERE x > -0.5",
      '--eps',
      '0.2',
      '--min-pts',
      '5',
    ];
    const work = ['--work', 'work', '--run', 'moons'];
    await epsball('cluster', ...query, '--out', 'in.npy');
    const {stdout, stderr} = await epsball('scale', 'run', ...query, ...work, '--out', 'out.npy');
    expect([stdout, stderr]).toEqual([expect.stringMatching(/^the query: \d+ points, 2 clusters\n/), '']);
    expect(readFileSync(at('out.npy'))).toEqual(readFileSync(at('in.npy')));
    writeFileSync(at('m.csv'), 'x,y\n1,1\n');
    await epsball('scale', 'run', ...query, ...work, '--out', 'again.npy');
    expect(readFileSync(at('again.npy'))).toEqual(readFileSync(at('in.npy')));
    const other = await epsball('scale', 'run', '--sql', 'SELECT 1 AS x', ...query.slice(2), ...work);
    expect(other.stderr).toContain('run moons exists with input');
  });

  it.for([
    [['--sql', 'SELECT 1 AS x; SELECT 2', '--work', 'w'], 'expected one SELECT'],
    [['--sql', "SELECT city FROM 'trips.csv'", '--work', 'w'], 'expected a column of numbers'],
    [['--sql', 'SELECT 1 AS x LIMIT 0', '--work', 'w'], '--sql: returns no row'],
    [['--sql', 'SELECT 1 AS x', '--work', 's3://bucket/w'], '--work = "s3://bucket/w"; expected a folder'],
    [['--sql', "SELECT lat FROM 'trips.*'", '--work', 'w', '--out', 'o'], '--sql: '],
    [['--work', 'w'], 'INPUT = (not given)'],
  ] as const)('refuses %s', async ([flags, message]) => {
    const {code, stderr} = await epsball('scale', 'run', ...flags, ...PARAMS);
    expect(stderr).toMatch(/^epsball: [^\n]+\n$/);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

it('is the advice for a codec that the reader of Parquet lacks', async () => {
  const fixture = join(import.meta.dirname, '../../../packages/datasets/test/fixtures/lz4-raw.parquet');
  const {code, stderr} = await epsball('cluster', fixture, ...PARAMS);
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/LZ4_RAW; expected .*; or --sql, which reads every codec\n$/),
  ]);
  expect((await epsball('cluster', '--sql', `FROM '${fixture}'`, ...PARAMS)).stderr).toBe('');
});

it('reads what the readers of files read, in their precision', async () => {
  const random = Float64Array.from({length: 3000}, (_, k) => Math.sin(k * k) * 10 ** ((k % 40) - 20));
  for (const coords of [random, Float32Array.from(random)]) {
    await writePoints(at('r.parquet'), {coords, dim: 3});
    const own = await readPoints(at('r.parquet'));
    const found = await withDatabase('--sql', (database) => readQuery(database, `FROM '${at('r.parquet')}'`, {}));
    expect([found.coords, found.columns, found.dim]).toEqual([own.coords, own.columns, own.dim]);
  }
  await writePoints(at('r.csv'), {coords: random, dim: 3});
  const found = await withDatabase('--sql', (database) => readQuery(database, `FROM '${at('r.csv')}'`, {}));
  expect(found.coords).toEqual((await readPoints(at('r.csv'))).coords);
});

it('counts for a bar of progress, and prints none itself', async () => {
  const shares: number[] = [];
  const onProgress: ProgressListener = ({phase, done, total}) => {
    expect(phase).toBe('query');
    shares.push(done / total);
  };
  const ask = (name: string): string => `current_setting('${name}')`;
  const [settings] = await withDatabase(
    '--sql',
    async ({rows}) => {
      await rows('SELECT sum(sin(a.range + b.range)) FROM range(6000) a, range(6000) b');
      return rows(`SELECT ${ask('enable_progress_bar')}, ${ask('enable_progress_bar_print')}, ${ask('TimeZone')}`);
    },
    {onProgress},
  );
  expect(settings).toEqual([true, false, 'UTC']);
  expect(shares.every((share) => share >= 0 && share <= 1)).toBe(true);
});
