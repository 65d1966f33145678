import {compressors} from '#host';
import {
  CompressionType,
  compressionRegistry,
  DataType,
  DateUnit,
  tableFromIPC,
  Vector,
  type Data,
  type Decimal,
  type Field,
} from 'apache-arrow';
import {columnsToRead, findColumn, isColumn, type OtherColumns} from './columnChoice.ts';
import type {DecodeOptions} from './containers.ts';
import {because, DatasetFormatError} from './errors.ts';
import {groupNameOf} from './groups.ts';
import {inflateLz4} from './lz4Frame.ts';
import {halfValue, type LoadedColumns, type NumberType} from './numbers.ts';
import {checkColumns, dayOf, loadedOf, namesOnly, placeColumn, targetOf, type Column} from './tableColumns.ts';

/** Most bytes of one decompressed buffer. */
const BUFFER_BYTES_MAX = 2 ** 31 - 1;

/** Units of times: seconds, and 10⁻³, 10⁻⁶ and 10⁻⁹ of them. */
const UNITS_A_SECOND = [1, 1e3, 1e6, 1e9];
const DAY_SECONDS = 86_400;

/** Precisions of floats by their number: half, single, double. */
const FLOAT_BYTES = [2, 4, 8] as const;

/**
 * Decodes columns of an Arrow file or stream. On damaged bytes the library may not return. Calls `tick` after each part
 * of a column.
 */
export function decodeArrow(
  path: string,
  bytes: Uint8Array,
  {columns, dim, precision, missing, ...others}: Omit<DecodeOptions, 'dataset' | 'rows'>,
  tick: () => void,
): LoadedColumns {
  try {
    installCodecs();
    const table = tableFromIPC(bytes);
    const {fields} = table.schema;
    const names = fields.map(({name}) => name);
    const kindOf = (k: number): string | undefined =>
      typeOf(fields[k].type) === undefined ? String(fields[k].type) : undefined;
    if (columns === 'names') return namesOnly(names);
    if (columns === 'numbers') return namesOnly(names.filter((_, k) => kindOf(k) === undefined));
    const {wanted, left} = columnsToRead(path, names, {columns, ...others}, kindOf);
    if (wanted.length === 0) throw new DatasetFormatError(path, 'has no columns; expected columns of numbers');
    const indices = wanted.map((column) => findColumn(path, names, column));
    const chosen = indices.map((k) => columnOf(path, fields[k], k, others));
    checkColumns(path, chosen, dim);
    const target = targetOf(path, chosen, {n: table.numRows, precision, missing});
    for (const [axis, k] of indices.entries()) {
      let done = 0;
      for (const data of table.getChildAt(k)?.data ?? []) {
        const part = {columnData: valuesOf(data), rowStart: done};
        done += placeColumn(path, part, target, axis, {start: done, end: done + data.length, to: done});
        tick();
      }
      if (done === table.numRows) continue;
      throw new DatasetFormatError(path, `is damaged (${done} values in ${names[k]}); expected ${table.numRows}`);
    }
    return {...loadedOf(target, others.groupColumn), ...(left && {left})};
  } catch (error) {
    if (error instanceof DatasetFormatError) throw error;
    throw new DatasetFormatError(path, `is damaged${because(error)}; expected a whole Arrow file`, {cause: error});
  }
}

/** Codecs that nothing has registered. */
function installCodecs(): void {
  const {ZSTD} = compressors();
  const decoders = new Map([
    [CompressionType.LZ4_FRAME, inflateLz4],
    [
      CompressionType.ZSTD,
      (frame: Uint8Array): Uint8Array => {
        if (ZSTD !== undefined) return ZSTD(frame, BUFFER_BYTES_MAX);
        throw new Error('compressed with ZSTD; expected LZ4 or none, or Node from 22.15 on');
      },
    ],
  ]);
  for (const [type, decode] of decoders)
    if (compressionRegistry.get(type) === null) compressionRegistry.set(type, {decode});
}

function columnOf(path: string, {name, type}: Field, index: number, {timeColumn, groupColumn}: OtherColumns): Column {
  const own = valueType(type);
  if (isColumn(name, index, groupColumn)) {
    const isName =
      DataType.isUtf8(own) || DataType.isLargeUtf8(own) || DataType.isUtf8View(own) || DataType.isBool(own);
    if (isName || typeOf(own) !== undefined) return {name, type: DOUBLE, nameOf: groupNameOf};
    if (DataType.isDate(own)) return {name, type: DOUBLE, nameOf: dayOf};
    throw new DatasetFormatError(path, `column ${name} is ${String(type)}; expected text, numbers, Bool or Date`);
  }
  const isTime = isColumn(name, index, timeColumn);
  if (isTime && (DataType.isTimestamp(own) || DataType.isDate(own))) return {name, type: DOUBLE};
  const found = typeOf(own);
  if (found !== undefined) return {name, type: found};
  const expected = `${isTime ? 'Timestamp, Date, ' : ''}Int, Uint, Float or Decimal`;
  throw new DatasetFormatError(path, `column ${name} is ${String(type)}; expected ${expected}`);
}

const DOUBLE: NumberType = {kind: 'float', bytes: 8, isBigEndian: false};

/** The type of the values of a column, which a dictionary may hold. */
function valueType(type: DataType): DataType {
  return DataType.isDictionary(type) ? type.dictionary : type;
}

function typeOf(type: DataType): NumberType | undefined {
  const own = valueType(type);
  if (DataType.isDecimal(own)) return DOUBLE;
  if (DataType.isFloat(own)) return {kind: 'float', bytes: FLOAT_BYTES[own.precision], isBigEndian: false};
  if (!DataType.isInt(own)) return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- 8 to 64 bits
  const bytes = (own.bitWidth / 8) as NumberType['bytes'];
  return {kind: own.isSigned ? 'int' : 'uint', bytes, isBigEndian: false};
}

/** The values of a part of a column; null where there is none. */
function valuesOf(data: Data): ArrayLike<unknown> {
  const {length, type} = data;
  const valueAt = readerOf(data);
  const isPlain = (DataType.isInt(type) || DataType.isFloat(type)) && valueAt === undefined;
  if (isPlain && data.nullCount === 0) return data.values.subarray(0, length);
  const vector = new Vector([data]);
  return Array.from({length}, (_, i) => {
    if (valueAt === undefined) return vector.get(i);
    return data.getValid(i) ? valueAt(i) : null;
  });
}

/** Reads what the library would round or make a date of. Undefined: the library reads it. */
function readerOf({type, values}: Data): ((i: number) => unknown) | undefined {
  if (DataType.isDecimal(type)) return (i) => decimalAt(values, type, i);
  if (DataType.isFloat(type) && FLOAT_BYTES[type.precision] === 2) return (i) => halfValue(values[i]);
  if (DataType.isTimestamp(type)) return (i) => Number(values[i]) / UNITS_A_SECOND[type.unit];
  if (!DataType.isDate(type)) return undefined;
  return type.unit === DateUnit.DAY ? (i) => DAY_SECONDS * values[i] : (i) => Number(values[i]) / 1e3;
}

/** Rounded once, as its text would be. */
function decimalAt(words: Uint32Array, {bitWidth, scale}: Decimal, i: number): number {
  const length = bitWidth / 32;
  let bits = 0n;
  for (let k = length - 1; k >= 0; k--) bits = (bits << 32n) | BigInt(words[i * length + k]);
  return Number(`${BigInt.asIntN(bitWidth, bits)}e${-scale}`);
}
