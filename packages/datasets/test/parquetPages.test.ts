import {readFileSync, writeFileSync} from 'node:fs';
import {asyncBufferFromFile, parquetMetadataAsync, parquetSchema} from 'hyparquet';
import {parquetWriteFile} from 'hyparquet-writer';
import {expect, it} from 'vitest';
import {readWholePages} from '../src/formats/parquetPages.ts';
import {readPoints} from '../src/index.ts';
import {temporaryFolder} from './temporaryFolder.ts';

const file = temporaryFolder();
const ROWS = 5000;
/** Few places, for dictionaries, and many. */
const few = Float64Array.from({length: ROWS}, (_, i) => (i % 7) / 4 - 1);
const many = Float64Array.from({length: ROWS}, (_, i) => Math.fround(Math.sin(i)));

interface Kind {
  readonly name: string;
  readonly codec: 'SNAPPY' | 'UNCOMPRESSED';
  readonly isNullable: boolean;
  readonly type: 'FLOAT' | 'DOUBLE';
  readonly pageSize: number;
}

const KINDS = ([true, false] as const).flatMap((isNullable): Kind[] => [
  {name: `snappy, nullable ${isNullable}`, codec: 'SNAPPY', isNullable, type: 'DOUBLE', pageSize: 2 ** 20},
  {name: `bare, nullable ${isNullable}`, codec: 'UNCOMPRESSED', isNullable, type: 'FLOAT', pageSize: 1000},
]);

function write(path: string, {codec, isNullable, type, pageSize}: Kind, missing: readonly number[] = []): void {
  const column = (name: string, values: Float64Array): {name: string; data: (number | null)[]} => ({
    name,
    data: Array.from(values, (value, i) => (name === 'y' && missing.includes(i) ? null : value)),
  });
  const columns = [column('x', few), column('y', many)];
  const columnData = columns.map((one) => ({...one, type, nullable: isNullable}));
  parquetWriteFile({filename: path, columnData, codec, pageSize, rowGroupSize: 2000});
}

it.for(KINDS)('reads columns without null: $name', async (kind) => {
  const path = file(`${kind.codec}-${kind.isNullable}.parquet`);
  write(path, kind);
  const all = Array.from({length: ROWS}, (_, i) => [few[i], many[i]]);
  const {coords} = await readPoints(path, {precision: 'float64'});
  expect(Array.from(coords)).toEqual(all.flat());
  const some = await readPoints(path, {
    columns: ['y', 'x'],
    rows: [
      [1990, 2010],
      [4999, 5000],
    ],
  });
  expect(some.coords).toBeInstanceOf(kind.type === 'FLOAT' ? Float32Array : Float64Array);
  const wanted = [...all.slice(1990, 2010), all[4999]];
  expect(Array.from(some.coords)).toEqual(wanted.flatMap(([x, y]) => [y, x]));
});

it('reads file after file, also after a damaged one', async () => {
  const [whole, damaged] = [file('whole.parquet'), file('damaged.parquet')];
  write(whole, KINDS[0]);
  const bytes = readFileSync(whole);
  // Behind the magic bytes: the pages of the first column.
  writeFileSync(damaged, bytes.fill(255, 4, 400));
  const read = async (path: string): Promise<number[]> => Array.from((await readPoints(path, {rows: [[3, 5]]})).coords);
  const expected = [few[3], many[3], few[4], many[4]];
  for (let k = 0; k < 3; k++) {
    expect(await Promise.all([read(whole), read(whole)])).toEqual([expected, expected]);
    await expect(read(damaged)).rejects.toThrow('damaged.parquet');
  }
});

it('finds the nulls of a column in whichever page they are', async () => {
  const path = file('null.parquet');
  write(path, {name: '', codec: 'SNAPPY', isNullable: true, type: 'DOUBLE', pageSize: 1000}, [4321]);
  await expect(readPoints(path)).rejects.toThrow('row 4321: y = null');
  const {coords} = await readPoints(path, {missing: 'nan'});
  expect(coords[2 * 4321 + 1]).toBeNaN();
  expect(Array.from(coords).filter((x) => Number.isNaN(x))).toHaveLength(1);
  expect(coords[2 * 4999 + 1]).toBe(many[4999]);
});

it('reads pages of the first version', async () => {
  const source = await asyncBufferFromFile(new URL('fixtures/types.parquet', import.meta.url).pathname);
  const metadata = await parquetMetadataAsync(source);
  const groupOf = {metadata, schema: parquetSchema(metadata), group: metadata.row_groups[0], first: 0};
  const pages = await readWholePages(source, groupOf, 'f64', [{start: 0, end: 3, to: 0}], () => undefined);
  expect(pages).toEqual([{rowStart: 0, columnData: Float64Array.of(0.1, -1e308, 1)}]);
});

it('decompresses only the pages with wanted rows', async () => {
  const path = file('pages.parquet');
  write(path, {name: '', codec: 'SNAPPY', isNullable: true, type: 'DOUBLE', pageSize: 1000});
  const source = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(source);
  const groupOf = {metadata, schema: parquetSchema(metadata), group: metadata.row_groups[1], first: 2000};
  const read = (start: number, end: number) =>
    readWholePages(source, groupOf, 'y', [{start, end, to: 0}], () => undefined);
  const all = (await read(2000, 4000)) ?? [];
  expect(all.length).toBeGreaterThan(4);
  expect(await read(all[2].rowStart, all[2].rowStart + 1)).toEqual([all[2]]);
  expect(await read(3999, 4000)).toEqual(all.slice(-1));
});
