import {sqlName, sqlText} from './database.ts';

/** A column of a query, as DuckDB describes it. */
export interface QueryColumn {
  readonly name: string;
  /** `DOUBLE`, `DECIMAL(18,3)`, `FLOAT[128]` … */
  readonly type: string;
}

/** A value of each row. */
export interface SqlValue {
  readonly name: string;
  readonly sql: string;
}

/** A column of coordinates: a number a row, or a list of them. */
export interface NumberColumn {
  readonly column: QueryColumn;
  /** Whether float32 holds every value. */
  readonly isSingle: boolean;
  /** Numbers of a list; undefined where the type does not tell; 0 for a column of numbers. */
  readonly length: number | undefined;
  /** The number in SQL, or that of a list at a place from 1. */
  readonly at: (place: number) => string;
}

/** Types whose values float32 holds, as for the readers of files. */
const SINGLE = /^(?:FLOAT|U?TINYINT|U?SMALLINT)$/;
const EXACT = /^(?:FLOAT|DOUBLE|U?(?:TINYINT|SMALLINT|INTEGER))$/;
const WIDE = /^(?:U?(?:BIGINT|HUGEINT)|BIGNUM)$/;
const DECIMAL = /^DECIMAL\((\d+),/;
const LIST = /^(.+)\[(\d*)\]$/;

/** Digits that float64 holds, and so does the power of ten below them: the quotient is rounded once. */
const DECIMAL_DIGITS = 15;

/** Undefined for a column that has no numbers. */
export function numberColumn(column: QueryColumn): NumberColumn | undefined {
  const [, item, count] = LIST.exec(column.type) ?? [];
  const type = item ?? column.type;
  const name = sqlName(column.name);
  if (doubleOf(name, type, column.name) === undefined) return undefined;
  const length = count === '' ? undefined : Number(count ?? 0);
  const at = (place: number): string =>
    doubleOf(item === undefined ? name : `${name}[${place}]`, type, column.name) ?? '';
  return {column, isSingle: SINGLE.test(type), length, at};
}

/**
 * A number of SQL as float64, as the readers of files have it: the nearest one, and integers exactly. Undefined for a
 * type without numbers.
 */
function doubleOf(sql: string, type: string, name: string): string | undefined {
  // Vectors of both have JavaScript's numbers.
  if (/^(?:FLOAT|DOUBLE)$/.test(type)) return sql;
  if (EXACT.test(type)) return `CAST(${sql} AS DOUBLE)`;
  if (WIDE.test(type)) {
    const most = Number.MAX_SAFE_INTEGER;
    const expected = 'expected integers below 2^53 in magnitude, which float64 holds';
    const refusal = `error(concat(${sqlText(`${name} = `)}, ${sql}, '; ${expected}'))`;
    return `CASE WHEN ${sql} NOT BETWEEN -${most} AND ${most} THEN ${refusal} ELSE CAST(${sql} AS DOUBLE) END`;
  }
  const digits = DECIMAL.exec(type)?.[1];
  if (digits === undefined) return undefined;
  // DuckDB divides an integer, which float64 may not hold, by a power of ten. Text is rounded once.
  return Number(digits) <= DECIMAL_DIGITS ? `CAST(${sql} AS DOUBLE)` : `CAST(CAST(${sql} AS VARCHAR) AS DOUBLE)`;
}

/**
 * A coordinate of a point, 1 or 2, as SQL that parses its text, which is exact: the functions of points are in an
 * extension. An empty point gives NULL.
 */
export function coordinateOf(column: string, place: number): string {
  const text = `CAST(${sqlName(column)} AS VARCHAR)`;
  const number = `nullif(regexp_extract(${text}, '^POINT [ZM ]*\\((\\S+) ([^ )]+)', ${place}), '')`;
  const expected = `concat(${sqlText(`${column} = `)}, left(${text}, 40), '; expected points')`;
  return `CASE WHEN starts_with(${text}, 'POINT') THEN CAST(${number} AS DOUBLE) WHEN ${text} IS NOT NULL THEN error(${expected}) END`;
}

/** Times as numbers, seconds of the epoch, or as text. Undefined for another type. */
export function timeOf(column: QueryColumn): string | undefined {
  const name = sqlName(column.name);
  if (/^(?:TIMESTAMP|DATE)/.test(column.type)) return `epoch(${name})`;
  return column.type === 'VARCHAR' ? name : doubleOf(name, column.type, column.name);
}

/** A name of a group: text, a number or a boolean. */
export function groupOf({name, type}: QueryColumn): string {
  const isPlain = EXACT.test(type) || WIDE.test(type) || /^(?:VARCHAR|BOOLEAN)$/.test(type);
  return isPlain ? sqlName(name) : `CAST(${sqlName(name)} AS VARCHAR)`;
}

/** A value to keep: an integer of 64 bits, a float64, or text. */
export function keptOf({name, type}: QueryColumn): string {
  if (/^(?:U?(?:TINYINT|SMALLINT|INTEGER)|BIGINT)$/.test(type)) return `CAST(${sqlName(name)} AS BIGINT)`;
  return `CAST(${sqlName(name)} AS ${/^(?:FLOAT|DOUBLE)$/.test(type) ? 'DOUBLE' : 'VARCHAR'})`;
}
