import {toPoints} from '@epsball/clustering';
import {
  Bool,
  Date_,
  DateUnit,
  Decimal,
  Dictionary,
  Float16,
  Float32,
  Float64,
  Int16,
  Int32,
  Int64,
  Int8,
  makeData,
  makeVector,
  Table,
  TimeUnit,
  Timestamp,
  Uint16,
  Uint32,
  Uint64,
  Uint8,
  Utf8,
  vectorFromArray,
  type DataType,
  type Vector,
} from 'apache-arrow';
import {describe, expect, it} from 'vitest';

function coordsOf(x: Vector<DataType>): number[] {
  return [...toPoints(new Table({x}), ['x']).coords];
}

/** A column of several batches. */
function inBatches(x: Vector<DataType>): Vector<DataType> {
  return x.slice(0, 1).concat(x.slice(1));
}

describe('a column of Arrow', () => {
  it.for<[type: DataType, values: readonly unknown[]]>([
    [new Int8(), [-128, 127, 1]],
    [new Int16(), [-32_768, 32_767, 1]],
    [new Int32(), [-(2 ** 31), 2 ** 31 - 1, 1]],
    [new Int64(), [-(2n ** 53n) + 1n, 2n ** 53n - 1n, 1n]],
    [new Uint8(), [0, 255, 1]],
    [new Uint16(), [0, 65_535, 1]],
    [new Uint32(), [0, 2 ** 32 - 1, 1]],
    [new Uint64(), [0n, 2n ** 53n - 1n, 1n]],
    [new Float16(), [-65_504, 2 ** -24, 1]],
    [new Float32(), [Math.fround(0.1), -(2 ** 127), 1]],
    [new Float64(), [0.1, -1e308, 1]],
    [new Dictionary(new Int32(), new Int8()), [7, 7, 1]],
    [new Dictionary(new Float16(), new Int8()), [0.5, 0.5, 1]],
  ])('of %s has its values, in one batch or several', ([type, values]) => {
    const expected = values.map(Number);
    const column = vectorFromArray(values, type);
    expect(coordsOf(column)).toEqual(expected);
    expect(coordsOf(inBatches(column))).toEqual(expected);
    expect(coordsOf(column.slice(1))).toEqual(expected.slice(1));
    expect(() => coordsOf(vectorFromArray([values[0], null], type))).toThrow('point 1, x = null; expected a finite');
  });

  it('of Float16 has each of its finite values', () => {
    const bits = Uint16Array.from({length: 65_536}, (_, k) => k).filter((k) => (k & 0x7c00) !== 0x7c00);
    const exponentOf = (h: number): number => Math.max(1, (h >> 10) & 31);
    const expected = Array.from(bits, (h) => {
      const mantissa = (h & 1023) + ((h & 0x7c00) === 0 ? 0 : 1024);
      return (h >> 15 === 0 ? 1 : -1) * mantissa * 2 ** (exponentOf(h) - 25);
    });
    const column = makeVector(makeData({type: new Float16(), data: bits}));
    expect(coordsOf(column)).toEqual(expected);
    const infinite = makeVector(makeData({type: new Float16(), data: Uint16Array.of(0x3c00, 0x7c00)}));
    expect(() => coordsOf(infinite)).toThrow('point 1, x = Infinity; expected a finite number');
  });

  it.for<[type: DataType, value: bigint]>([
    [new Int64(), -(2n ** 53n) - 1n],
    [new Uint64(), 2n ** 64n - 1n],
  ])('of %s beyond 2^53 is refused with its value', ([type, value]) => {
    for (const column of [vectorFromArray([1n, value], type), inBatches(vectorFromArray([1n, value], type))]) {
      expect(() => coordsOf(column)).toThrow(
        `point 1, x = ${value}; expected integers below 2^53 in magnitude, which float64 holds`,
      );
    }
  });

  it('of times counts their unit', () => {
    const times = vectorFromArray([1500, 2500], new Timestamp(TimeUnit.MILLISECOND));
    expect(coordsOf(times)).toEqual([1500, 2500]);
    expect(coordsOf(vectorFromArray([new Date(0), new Date(1000)], new Date_(DateUnit.MILLISECOND)))).toEqual([
      0, 1000,
    ]);
    const nanoseconds = makeVector(
      makeData({type: new Timestamp(TimeUnit.NANOSECOND), data: BigInt64Array.of(1n, 10n ** 18n + 1n)}),
    );
    expect(() => coordsOf(nanoseconds)).toThrow(
      'point 1, x = 1000000000000000001; expected integers below 2^53 in magnitude',
    );
  });

  it('of another type is refused', () => {
    const decimal = makeVector(makeData({type: new Decimal(2, 9), data: Uint32Array.of(1, 0, 0, 0, 5, 0, 0, 0)}));
    expect(() => coordsOf(decimal)).toThrow('column x is Decimal; expected integers or floats');
    expect(() => coordsOf(vectorFromArray([true, false], new Bool()))).toThrow('point 0, x = true; expected a finite');
    expect(() => coordsOf(vectorFromArray(['1'], new Utf8()))).toThrow('point 0, x = "1"; expected a finite number');
  });
});
