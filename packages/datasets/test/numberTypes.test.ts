import {ready} from 'h5wasm/node';
import {asyncBufferFromFile} from 'hyparquet';
import {afterAll, describe, expect, it} from 'vitest';
import {decodeHdf5} from '../src/formats/hdf5Reader.ts';
import type {LoadedPoints} from '../src/formats/numbers.ts';
import {decodeParquet} from '../src/formats/parquetReader.ts';
import {readPoints} from '../src/index.ts';
import {fixture} from './temporaryFolder.ts';

/** By h5py and pyarrow: every numeric type, and types that are no numbers here. */
const HDF5 = fixture('types.h5');
const PARQUET = fixture('types.parquet');

const SOURCE = await asyncBufferFromFile(PARQUET);

/** What the threads do. Starting one for each type would take most of the time. */
const readHdf5 = (dataset: string): Promise<LoadedPoints> =>
  decodeHdf5(HDF5, 20_000, {dataset, precision: 'source'}, () => {});
const readParquet = (column: string): Promise<LoadedPoints> =>
  decodeParquet(PARQUET, SOURCE, {columns: [column], precision: 'source'}, () => {});

// The decoder restricts the library of its thread to one file; here other tests use it, too.
const {FS: files} = await ready;
const before = {...files};
afterAll(() => {
  Object.assign(files, before);
});

const WIDE = 'expected integers below 2^53 in magnitude, which float64 holds';

describe('HDF5', () => {
  it.for(['i1', 'i2', 'i4', 'i8', 'u1', 'u2', 'u4', 'u8', 'f4', 'f8'])(
    '%s is exact, in either byte order',
    async (type) => {
      const expected = {i: [1, -2, 100, -100], u: [1, 2, 200, 100], f: [1, -2, 0.5, -0.25]}[type[0]];
      for (const order of type.endsWith('1') ? ['le'] : ['le', 'be']) {
        const {coords} = await readHdf5(`${order}-${type}`);
        expect([...coords]).toEqual(expected);
      }
    },
  );

  it.for([
    ['wide-le-u8', `value 3 = 18446744073709551615; ${WIDE}`],
    ['wide-be-i8', `value 3 = -9007199254740993; ${WIDE}`],
    ...['le-f2', 'bool', 'complex', 'long'].map((dataset) => [
      dataset,
      `dataset ${dataset} is of another type; expected`,
    ]),
  ] as [string, string][])('%s is refused', async ([dataset, message]) => {
    await expect(readHdf5(dataset)).rejects.toThrow(message);
  });

  it('names a filter that it does not have', async () => {
    await expect(readPoints(fixture('lzf.h5'))).rejects.toThrow(
      'lzf.h5: dataset p needs the filter lzf (number 32000); ' +
        'expected deflate, shuffle, fletcher32, szip, nbit or scaleoffset',
    );
  });
});

describe('Parquet', () => {
  it.for<[column: string, values: readonly number[]]>([
    ['i8', [-128, 127, 1]],
    ['u8', [0, 255, 1]],
    ['i16', [-32_768, 32_767, 1]],
    ['u16', [0, 65_535, 1]],
    ['i32', [-(2 ** 31), 2 ** 31 - 1, 1]],
    ['u32', [0, 2 ** 32 - 1, 1]],
    ['i64', [-(2 ** 53) + 1, 2 ** 53 - 1, 1]],
    ['u64', [0, 2 ** 53 - 1, 1]],
    ['f32', [0.5, -1, 1]],
    ['f64', [0.1, -1e308, 1]],
  ])('%s is exact', async ([column, values]) => {
    expect([...(await readParquet(column)).coords]).toEqual(values);
  });

  it.for([
    ['wideI64', `row 1: wideI64 = -9007199254740993; ${WIDE}`],
    ['wideU64', `row 1: wideU64 = 18446744073709551615; ${WIDE}`],
    ['f16', 'column f16 is FLOAT16; expected FLOAT, DOUBLE, INT32 or INT64'],
    ['bool', 'column bool is BOOLEAN; expected FLOAT'],
    ['decimal', 'column decimal is DECIMAL; expected FLOAT'],
    ['time', 'column time is TIMESTAMP; expected FLOAT'],
  ] as const)('%s is refused', async ([column, message]) => {
    await expect(readParquet(column)).rejects.toThrow(message);
  });

  it('names a codec that it does not have', async () => {
    await expect(readPoints(fixture('lz4-raw.parquet'))).rejects.toThrow(
      /lz4-raw\.parquet: column x is compressed with LZ4_RAW; expected UNCOMPRESSED, SNAPPY, GZIP, BROTLI/,
    );
  });
});
