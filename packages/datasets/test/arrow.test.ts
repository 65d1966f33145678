import {
  Bool,
  DateDay,
  Decimal,
  Dictionary,
  Float16,
  Float32,
  Float64,
  Int16,
  Int32,
  Int64,
  Int8,
  tableToIPC,
  Table,
  TimestampMicrosecond,
  Uint16,
  Uint32,
  Uint64,
  Uint8,
  Utf8,
  Vector,
  makeData,
  vectorFromArray,
  type DataType,
} from 'apache-arrow';
import * as zlib from 'node:zlib';
import {readFileSync, writeFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {decodeArrow} from '../src/formats/arrowReader.ts';
import {splitColumns} from '../src/formats/columnChoice.ts';
import type {DecodeOptions} from '../src/formats/containers.ts';
import {inflateLz4} from '../src/formats/lz4Frame.ts';
import {decodeContainer} from '../src/host/browser.ts';
import {readPoints, type LoadedPoints} from '../src/index.ts';
import {fixture, temporaryFolder} from './temporaryFolder.ts';

const file = temporaryFolder();

type Options = Partial<DecodeOptions>;

function decoded(bytes: Uint8Array, options: Options): LoadedPoints {
  return splitColumns(
    decodeArrow('a.arrow', bytes, {precision: 'source', ...options}, () => undefined),
    options,
  );
}

/** Columns written as an Arrow file or stream, and read on this thread. */
function read(columns: Record<string, Vector>, options: Options = {}, kind: 'file' | 'stream' = 'file'): LoadedPoints {
  return decoded(tableToIPC(new Table(columns), kind), options);
}

function vector(values: readonly unknown[], type: DataType): Vector {
  return vectorFromArray(values as never, type as never) as Vector;
}

const NUMBERS: readonly (readonly [name: string, type: DataType, values: readonly unknown[]])[] = [
  ['Int8', new Int8(), [1, -2]],
  ['Int16', new Int16(), [300, -2]],
  ['Int32', new Int32(), [70_000, -2]],
  ['Int64', new Int64(), [2n ** 53n - 1n, -2n]],
  ['Uint8', new Uint8(), [1, 255]],
  ['Uint16', new Uint16(), [1, 65_535]],
  ['Uint32', new Uint32(), [1, 2 ** 32 - 1]],
  ['Uint64', new Uint64(), [1n, 2n ** 40n]],
  ['Float32', new Float32(), [0.5, -2]],
  ['Float64', new Float64(), [0.1, -2]],
];

describe('Arrow', () => {
  it.for(NUMBERS)('reads %s', ([name, type, values]) => {
    const x = vector(values, type);
    const numbers = values.map(Number);
    const isNarrow = ['Int8', 'Int16', 'Uint8', 'Uint16', 'Float32'].includes(name);
    const coords = isNarrow ? Float32Array.from(numbers) : Float64Array.from(numbers);
    expect(read({x})).toEqual({coords, dim: 1, columns: ['x']});
    expect(read({x}, {}, 'stream').coords).toEqual(coords);
  });

  it('reads half floats and decimals as their text says', () => {
    const half = new Vector([makeData({type: new Float16(), data: Uint16Array.of(0x3e00, 0xc000)})]);
    const words = Uint32Array.from([110, 0, 0, 0, 0xffff_ff1f, 0xffff_ffff, 0xffff_ffff, 0xffff_ffff]);
    const decimal = new Vector([makeData({type: new Decimal(2, 20, 128), data: words, length: 2})]);
    const {coords} = read({half, decimal});
    expect(coords).toEqual(Float64Array.of(1.5, 1.1, -2, -2.25));
  });

  it('reads null as missing, or names the row', () => {
    const columns = {x: vector([1, null, 3], new Float64()), y: vector([1, 2, 3], new Int16())};
    expect(read(columns, {missing: 'nan'}).coords).toEqual(Float64Array.of(1, 1, NaN, 2, 3, 3));
    expect(() => read(columns)).toThrow('row 1: x = null; expected a number');
  });

  it('reads times as seconds, and groups of text, dictionaries and dates', () => {
    const columns = {
      x: vector([1, 2, 3], new Float64()),
      at: new Vector([
        makeData({type: new TimestampMicrosecond(), data: BigInt64Array.of(5n, 1_500_000n, 7_000_000n)}),
      ]),
      day: new Vector([makeData({type: new DateDay(), data: Int32Array.of(1, 1, 2)})]),
      name: vector(['a', null, 'a'], new Utf8()),
      code: vectorFromArray(['u', 'v', 'u'], new Dictionary(new Utf8(), new Int32())),
      flag: vector([true, false, true], new Bool()),
    };
    const {times} = read(columns, {columns: ['x'], timeColumn: 'at'});
    expect(times).toEqual(Float64Array.of(5e-6, 1.5, 7));
    const days = read(columns, {columns: ['x'], timeColumn: 'day'});
    expect(days.times).toEqual(Float64Array.of(86_400, 86_400, 172_800));
    const groupsBy = (groupColumn: string): unknown =>
      read(columns, {columns: ['x'], groupColumn, missing: 'nan'}).groups;
    expect(groupsBy('code')).toEqual({names: ['u', 'v'], of: Int32Array.of(0, 1, 0)});
    expect(groupsBy('name')).toEqual({names: ['a'], of: Int32Array.of(0, -1, 0)});
    expect(groupsBy('day')).toEqual({names: ['1970-01-02', '1970-01-03'], of: Int32Array.of(0, 0, 1)});
    expect(groupsBy('flag')).toEqual({names: ['true', 'false'], of: Int32Array.of(0, 1, 0)});
    expect(() => read(columns)).toThrow('column at is Timestamp<MICROSECOND>; expected Int, Uint');
    expect(read(columns, {columns: 'numbers'}).columns).toEqual(['x']);
  });

  it('reads columns by name and number, and names a wrong one', () => {
    const columns = {lat: vector([52], new Float64()), lon: vector([13], new Float64())};
    expect(read(columns, {columns: ['lon', 'lat']}).coords).toEqual(Float64Array.of(13, 52));
    expect(read(columns, {columns: [1]}).columns).toEqual(['lon']);
    expect(read(columns, {columns: 'place'}).columns).toEqual(['lat', 'lon']);
    expect(() => read(columns, {columns: ['x']})).toThrow('has no column "x"; expected one of lat, lon');
    expect(() => read(columns, {columns: [0, 0]})).toThrow('chosen twice');
    expect(() => read(columns, {dim: 3})).toThrow('has 2 columns chosen; expected dim = 3');
  });

  it('reads every type that pyarrow writes', () => {
    const bytes = readFileSync(fixture('types.feather'));
    const {columns: ofNumbers = []} = decoded(bytes, {columns: 'numbers'});
    const decimals = {dec128: [1.1, -2.25, 3, NaN, 123_456_789_012_345.67]};
    const others = {
      float16: [1, 2.5, 3, 4, 0.0999755859375],
      nulls: [1, NaN, 3, 4, 5],
      dictnum: [1.5, 2.5, 1.5, 2.5, 3.5],
    };
    for (const column of ofNumbers) {
      const expected = column.startsWith('dec') ? [1.1, -2.25, 3, 0.1, 5] : [1, 2, 3, 4, 100];
      const known: Readonly<Record<string, readonly number[]>> = {...decimals, ...others};
      const {coords} = decoded(bytes, {columns: [column], missing: 'nan'});
      expect([column, ...coords]).toEqual([column, ...(known[column] ?? expected)]);
    }
    expect(ofNumbers.length).toBe(17);
  });

  it('reads Feather files that are compressed, on a thread and as in a page', async () => {
    const coords = Float64Array.from({length: 400}, (_, k) =>
      k % 2 === 0 ? (k / 2) % 7 : Math.floor(Math.floor(k / 2) / 10),
    );
    expect((await readPoints(fixture('lz4.feather'))).coords).toEqual(coords);
    const choose = (names: readonly string[]): readonly string[] => names.slice(1);
    expect((await readPoints(fixture('lz4.feather'), {columns: choose})).columns).toEqual(['y']);
    const bytes = readFileSync(fixture('lz4.feather'));
    const open = {
      path: 'lz4.feather',
      size: bytes.length,
      readInto: async (part: Uint8Array, at: number): Promise<number> => {
        part.set(bytes.subarray(at, at + part.length));
        return part.length;
      },
    };
    expect((await decodeContainer('arrow', open, {precision: 'source'}, {})).coords).toEqual(coords);
  });

  it.runIf('zstdDecompressSync' in zlib)('reads ZSTD in Node', async () => {
    const {coords} = await readPoints(fixture('lz4.feather'));
    expect((await readPoints(fixture('zstd.feather'))).coords).toEqual(coords);
  });

  it.for<[string, (whole: Uint8Array) => Uint8Array, string]>([
    ['a cut file', (whole) => whole.subarray(0, -9), 'is truncated; expected ARROW1 as its last bytes'],
    ['another file', () => new TextEncoder().encode('x,y\n1,2\n'), 'is not an Arrow file; expected ARROW1'],
    ['Feather 1', () => new TextEncoder().encode('FEA1…FEA1'), 'is Feather version 1; expected version 2'],
    ['a cut footer', (whole) => whole.with(whole.length - 10, 0xff), 'is damaged'],
  ])('refuses %s', async ([, damage, message]) => {
    const whole = tableToIPC(new Table({x: vector([1, 2], new Float64())}), 'file');
    writeFileSync(file('damaged.arrow'), damage(whole));
    await expect(readPoints(file('damaged.arrow'))).rejects.toThrow(message);
  });

  it('refuses a stream without its end', async () => {
    const whole = tableToIPC(new Table({x: vector([1, 2], new Float64())}), 'stream');
    writeFileSync(file('cut.arrow'), whole.subarray(0, -8));
    await expect(readPoints(file('cut.arrow'))).rejects.toThrow('is truncated; expected the mark of its end');
  });
});

describe('inflateLz4', () => {
  /** A frame of version 1 with these blocks. */
  function frame(...blocks: readonly (readonly number[])[]): Uint8Array {
    const head = [0x04, 0x22, 0x4d, 0x18, 0x40, 0x40, 0x00];
    const sizeOf = (n: number): number[] => [n & 255, n >> 8, 0, 0];
    return Uint8Array.from([...head, ...blocks.flatMap((block) => [...sizeOf(block.length), ...block]), 0, 0, 0, 0]);
  }

  const text = (bytes: Uint8Array): string => String.fromCharCode(...bytes);
  const [a, b] = [97, 98];

  it('copies literals, and matches that overlap', () => {
    expect(text(inflateLz4(frame([0x20, a, b])))).toBe('ab');
    // ab, then 8 bytes from two back, then a.
    expect(text(inflateLz4(frame([0x24, a, b, 2, 0, 0x10, a])))).toBe('abababababa');
    const long = inflateLz4(frame([0x1f, a, 1, 0, 255, 0, 0x10, b]));
    expect(text(long)).toBe(`${'a'.repeat(1 + 4 + 15 + 255)}b`);
  });

  it('copies stored blocks, and matches in earlier blocks', () => {
    const stored = frame([0x20, a, b], [0x01, 2, 0, 0x10, b]);
    expect(text(inflateLz4(stored))).toBe('abababab');
    const whole = Uint8Array.of(4, 0x22, 0x4d, 0x18, 0x40, 0x40, 0, 2, 0, 0, 0x80, a, b, 0, 0, 0, 0);
    expect(text(inflateLz4(whole))).toBe('ab');
  });

  it.for<[string, Uint8Array]>([
    ['no frame', Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8)],
    ['an offset before the content', frame([0x14, a, 2, 0, 0x10, a])],
    ['literals that are cut', frame([0x50, a])],
    ['a length that is cut', frame([0xf0, 255])],
    ['no end', frame([0x20, a, b]).subarray(0, -3)],
    ['a dictionary', Uint8Array.of(4, 0x22, 0x4d, 0x18, 0x41, 0x40, 0, 0, 0, 0, 0)],
  ])('refuses %s', ([, bytes]) => {
    expect(() => inflateLz4(bytes)).toThrow(RangeError);
  });
});
