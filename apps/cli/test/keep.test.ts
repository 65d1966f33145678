import {readPoints} from '@epsball/datasets';
import {tableFromIPC} from 'apache-arrow';
import {spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {withDatabase} from '../src/sql/database.ts';
import {BIN, type Ended} from './runEpsball.ts';
import {runMain} from './runMain.ts';

let folder: string;

const PARAMS = ['--eps', '1', '--min-pts', '2'];
const QUERY = "SELECT x, y, id, name, w FROM 'in.csv'";
const SOURCES: readonly (readonly [string, readonly string[]])[] = [
  ['a CSV file', ['in.csv']],
  ['a query', ['--sql', QUERY]],
];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'epsball-keep-'));
  // Row 1 lacks a coordinate, row 2 a weight.
  writeFileSync(
    join(folder, 'in.csv'),
    'x,y,id,name,w\n0,0,9007199254740993,"a, ""b""",1.5\n,0,8,c,2\n0,1,7,d,\n9,9,6,"e\nf",0.1\n',
  );
  writeFileSync(join(folder, 'whole.csv'), 'x,y,id\n0,0,5\n0,1,4\n');
});

afterAll(() => rmSync(folder, {recursive: true}));

function epsball(...args: readonly string[]): Promise<Ended> {
  return runMain(args, {cwd: folder});
}

function textOf(name: string): string {
  return readFileSync(join(folder, name), 'utf8');
}

function rowsOf(query: string): Promise<readonly (readonly unknown[])[]> {
  return withDatabase('--sql', ({rows}) => rows(query));
}

describe.for(SOURCES)('--keep of %s', ([, source]) => {
  const keep = [...source, ...PARAMS, '--missing', 'noise', '--keep', 'id,name,w'];

  it('stands beside the labels of CSV, TSV and JSON', async () => {
    const {stderr} = await epsball('cluster', ...keep, '--out', 'labels.csv');
    expect(stderr).toBe('');
    expect(textOf('labels.csv')).toBe(
      'index,label,core,id,name,w\n0,0,1,9007199254740993,"a, ""b""",1.5\n1,-1,0,8,c,2\n2,0,1,7,d,\n3,-1,0,6,"e\nf",0.1\n',
    );
    await epsball('cluster', ...keep, '--out', 'labels.json');
    expect(textOf('labels.json')).toBe(
      '{"clusterCount":1,"labels":[0,-1,0,-1],"coreMask":[1,0,1,0],"id":[9007199254740993,8,7,6],' +
        '"name":["a, \\"b\\"","c","d","e\\nf"],"w":[1.5,2,null,0.1]}\n',
    );
    const hdbscan = ['hdbscan', ...source, '--min-cluster-size', '2', '--missing', 'drop', '--keep', 'name,w,id'];
    await epsball(...hdbscan, '--out', 'labels.tsv');
    expect(textOf('labels.tsv').split('\n').at(0)).toBe('index\tlabel\tprobability\toutlier_score\tname\tw\tid');
    expect(textOf('labels.tsv')).toMatch(/^3\t-1\t0\t\d\S*\t"e\nf"\t0\.1\t6$/m);
  });

  it('keeps its types in Parquet and in Arrow', async () => {
    const types = [
      ['row', 'INTEGER'],
      ['label', 'INTEGER'],
      ['core', 'BOOLEAN'],
      ['id', 'BIGINT'],
      ['name', 'VARCHAR'],
      ['w', 'DOUBLE'],
    ];
    const rows = [
      [0, 0, true, 9007199254740993n, 'a, "b"', 1.5],
      [2, 0, true, 7n, 'd', null],
      [3, -1, false, 6n, 'e\nf', 0.1],
    ];
    const drop = ['cluster', ...source, ...PARAMS, '--missing', 'drop', '--keep', 'id,name,w'];
    await epsball(...drop, '--out', 'labels.parquet');
    const file = `'${join(folder, 'labels.parquet')}'`;
    const described = await rowsOf(`DESCRIBE FROM ${file}`);
    expect(described.map(([name, type]) => [name, type])).toEqual(types);
    expect(await rowsOf(`FROM ${file}`)).toEqual(rows);
    await epsball(...drop, '--out', 'labels.arrow');
    const table = tableFromIPC(readFileSync(join(folder, 'labels.arrow')));
    expect(table.schema.fields.map(({name, type}) => [name, String(type)])).toEqual([
      ['row', 'Int32'],
      ['label', 'Int32'],
      ['core', 'Bool'],
      ['id', 'Int64'],
      ['name', 'Utf8'],
      ['w', 'Float64'],
    ]);
    expect(table.toArray().map((row) => Object.values(row?.toJSON() ?? {}))).toEqual(rows);
  });

  it('is no coordinate', async () => {
    const {stdout} = await epsball('cluster', ...keep);
    expect(stdout).toBe('');
    expect((await epsball('cluster', ...keep, '--out', '-')).stderr).toMatch(/^columns +x, y$/m);
  });
});

describe('columns that are kept beside those that names tell', () => {
  const TEXT = 'id,lat,lon,fare,city\n5,0,0,1,a\n4,0,1,2,b\n';
  const JSON_ROWS = '[{"id":5,"lat":0,"lon":0,"fare":1},{"id":4,"lat":0,"lon":1,"fare":2}]';
  const refused = '--keep = "lon"; expected columns beside the coordinates lat, lon';

  it.for([
    ['places.csv', []],
    ['places.csv', ['--columns', 'lat,lon']],
    ['places.csv', ['--metric', 'haversine', '--eps', '1km']],
    ['places.json', []],
    ['places.json', ['--columns', 'lat,lon']],
    ['places.json', ['--metric', 'haversine', '--eps', '1km']],
  ] as const)('of %s with %s are no coordinates', async ([file, flags]) => {
    writeFileSync(join(folder, 'places.csv'), TEXT);
    writeFileSync(join(folder, 'places.json'), JSON_ROWS);
    const {code, stderr} = await epsball('cluster', file, ...PARAMS, ...flags, '--keep', 'id,lon', '--out', 'l.csv');
    expect([code, stderr]).toEqual([2, expect.stringContaining(refused)]);
  });

  it.for(['places.csv', 'places.json'])('of %s leave the others, which the summary names', async (file) => {
    writeFileSync(join(folder, 'places.csv'), TEXT);
    writeFileSync(join(folder, 'places.json'), JSON_ROWS);
    const {stdout} = await epsball('cluster', file, ...PARAMS, '--keep', 'id', '--out', 'l.csv');
    expect(stdout).toMatch(/^columns +lat, lon$/m);
    expect(stdout).toMatch(/^left out +fare \(beside lat, lon\)/m);
  });
});

it.for(['csv', 'json'])('leaves what values tell beside kept columns, too, of .%s', async (extension) => {
  const rows = Array.from({length: 8}, (_, n) => ({n, a: (n * n) % 5, b: (3 * n) % 4, name: `q${n}`}));
  const lines = rows.map((row) => Object.values(row).join());
  writeFileSync(join(folder, 'rows.csv'), `n,a,b,name\n${lines.join('\n')}\n`);
  writeFileSync(join(folder, 'rows.json'), JSON.stringify(rows));
  for (const keep of [[], ['--keep', 'name', '--out', 'l.csv']]) {
    const {stdout} = await epsball('cluster', `rows.${extension}`, ...PARAMS, ...keep);
    expect(stdout).toMatch(/^columns +a, b$/m);
    expect(stdout).toMatch(/^left out .*\bn \(numbers of rows\)/m);
  }
});

describe('labels on standard output', () => {
  it('are CSV, and the summary is on stderr', async () => {
    const {stdout, stderr} = await epsball('cluster', 'whole.csv', ...PARAMS, '--keep', 'id', '--out', '-');
    expect(stdout).toBe('index,label,core,id\n0,0,1,5\n1,0,1,4\n');
    expect(stderr).toMatch(/^clusters +1$/m);
    const json = await epsball(
      'hdbscan',
      'whole.csv',
      '--min-cluster-size',
      '2',
      '--keep',
      'id',
      '--out',
      '-',
      '--json',
    );
    expect(JSON.parse(json.stderr)).toMatchObject({points: 2, columns: ['x', 'y'], out: '/dev/stdout'});
  });

  it('may be read in part', () => {
    const line = `"${process.execPath}" "${BIN}" cluster --sql 'SELECT range AS x FROM range(500000)' --eps 1 --min-pts 2 --out - | head -n 2`;
    const {status, stdout, stderr} = spawnSync('bash', ['-c', `set -o pipefail; ${line}`], {encoding: 'utf8'});
    expect([status, stdout]).toEqual([0, 'index,label,core\n0,0,1\n']);
    expect(stderr).toMatch(/^points +500,000 × 1/);
  });

  it('come of predict, too', async () => {
    await epsball('cluster', 'whole.csv', '--columns', 'x,y', ...PARAMS, '--save-model', 'm.arrow');
    const {stdout, stderr} = await epsball('predict', 'm.arrow', 'whole.csv', '--columns', 'x,y', '--out', '-');
    expect([stdout, stderr]).toEqual(['index,label\n0,0\n1,0\n', expect.stringContaining('2 points in 1 clusters')]);
  });
});

describe('--keep is refused', () => {
  it.for([
    [['whole.csv', '--keep', 'id'], '--keep = "id"; expected a table beside it: --out with .csv, .json'],
    [['whole.csv', '--keep', 'id', '--out', 'a.npy'], '--keep = "id"; expected a table beside it'],
    [['whole.csv', '--keep', 'id,id', '--out', 'a.csv'], '--keep = "id"; expected names that the labels do not have'],
    [['whole.csv', '--keep', 'label', '--out', 'a.csv'], '--keep = "label"; expected names that the labels do not'],
    [['whole.csv', '--keep', 'no', '--out', 'a.csv'], 'whole.csv: has no column "no"; expected one of x, y, id'],
    [['--sql', QUERY, '--keep', 'no', '--out', 'a.csv'], '--sql: has no column "no"; expected one of x, y, id'],
    [['p.npy', '--keep', 'id', '--out', 'a.csv'], '--keep = "id"; expected a CSV or Parquet file, or --sql, not p.npy'],
  ] as const)('%s', async ([flags, message]) => {
    await epsball('generate', 'uniform:n=9', '--out', 'p.npy');
    const {code, stderr} = await epsball('cluster', ...flags, ...PARAMS);
    expect(stderr).toMatch(/^epsball: [^\n]+\n$/);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

it('keeps columns of Parquet', async () => {
  await epsball('cluster', 'whole.csv', '--columns', 'x,y', '--keep', 'id', ...PARAMS, '--out', 'a.parquet');
  const flags = ['--columns', 'label', '--keep', 'id', ...PARAMS, '--out', 'b.parquet'];
  expect((await epsball('cluster', 'a.parquet', ...flags)).stderr).toBe('');
  expect((await readPoints(join(folder, 'b.parquet'), {columns: ['label', 'id']})).coords).toEqual(
    Float64Array.of(0, 5, 0, 4),
  );
  const price = "'0.30'::DECIMAL(9, 2) AS price, '1'::DECIMAL(30, 2) AS long";
  const values = `1 AS x, TIMESTAMP '2024-05-01 12:30:00.25' AS t, DATE '2024-05-01' AS day, true AS flag, ${price}`;
  await rowsOf(`COPY (SELECT ${values}) TO '${join(folder, 'types.parquet')}' (FORMAT parquet)`);
  const typed = ['types.parquet', '--columns', 'x', ...PARAMS, '--out', '-', '--keep'];
  expect((await epsball('cluster', ...typed, 'day,flag')).stdout).toMatch(/^0,-1,0,2024-05-01,true$/m);
  expect((await epsball('cluster', ...typed, 'long')).stderr).toContain(
    'column long is DECIMAL; expected text, numbers',
  );
  expect((await epsball('cluster', ...typed, 'long')).stderr).toMatch(/; or --sql, which reads every type\n$/);
  const query = ['--sql', "SELECT x, t, price FROM 'types.parquet'", ...typed.slice(3)];
  for (const input of [typed, query]) {
    expect((await epsball('cluster', ...input, 't,price')).stdout).toMatch(/^0,-1,0,2024-05-01 12:30:00.25,0.30$/m);
  }
});
