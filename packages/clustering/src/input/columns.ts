import {InvalidParameterError, InvalidPointsError} from '../errors.ts';
import type {NamedPoints} from '../metric/metricPoints.ts';
import {firstCoordinates} from '../metric/placeNames.ts';
import {chooseColumns, meaningOfName} from './chooseColumns.ts';
import {isArrayLike, isObject, listed, type ReadCoordinate} from './values.ts';

/** A table of columns, as far as the conversion reads it. */
export interface ColumnTable {
  readonly names: readonly string[];
  /** @returns  undefined if there is no such column */
  readonly column: (name: string) => ArrayLike<unknown> | undefined;
}

interface ArrowTable {
  readonly schema: {readonly fields: readonly {readonly name: string}[]};
  readonly getChild: (name: string) => ArrowVector | null;
}

interface ArrowVector {
  readonly type?: {readonly typeId?: unknown; readonly precision?: unknown};
  readonly length: number;
  readonly nullCount?: number;
  readonly get: (index: number) => unknown;
  readonly toArray?: () => unknown;
}

/** Ids of types in Arrow's `Type`, and the precision of Float16. */
const ARROW_FLOAT = 3;
const ARROW_DECIMAL = 7;
const ARROW_HALF = 0;

/** A table of Apache Arrow by its shape: a schema with fields, and columns by name. */
export function arrowTable(value: unknown): ColumnTable | undefined {
  if (!isArrow(value)) return undefined;
  const {schema, getChild} = value;
  return {
    names: schema.fields.map(({name}) => name),
    column: (name) => {
      const vector = getChild.call(value, name);
      return vector === null ? undefined : valuesOf(name, vector);
    },
  };
}

function isArrow(value: unknown): value is ArrowTable {
  if (!isObject(value) || typeof value['getChild'] !== 'function') return false;
  const {schema} = value;
  return isObject(schema) && isArrayLike(schema['fields']);
}

/** The values of a vector. With nulls `toArray` has any numbers in their places, and Float16 it has as bits. */
function valuesOf(name: string, vector: ArrowVector): ArrayLike<unknown> {
  const {typeId, precision} = vector.type ?? {};
  if (typeId === ARROW_DECIMAL) {
    throw new InvalidPointsError(`column ${name} is Decimal; expected integers or floats, such as Float64`);
  }
  const isHalf = typeId === ARROW_FLOAT && precision === ARROW_HALF;
  if (!isHalf && (vector.nullCount ?? 0) === 0 && vector.toArray !== undefined) {
    const values = vector.toArray();
    if (isArrayLike(values) && values.length === vector.length) return values;
  }
  return Array.from({length: vector.length}, (_, i) => vector.get(i));
}

export function plainTable(value: unknown): ColumnTable | undefined {
  if (!isObject(value) || isArrayLike(value)) return undefined;
  const names = Object.keys(value).filter((name) => isArrayLike(value[name]));
  if (names.length === 0) return undefined;
  return {
    names,
    column: (name) => {
      const column = value[name];
      return isArrayLike(column) ? column : undefined;
    },
  };
}

/** Points from the columns of a table: the chosen ones, or those that the names tell. */
export function pointsOfColumns(
  table: ColumnTable,
  chosen: readonly string[] | undefined,
  read: ReadCoordinate,
): NamedPoints {
  const columns = chosen ?? namesOrCall(table.names, 'table', (name) => isNumber(table.column(name)?.[0]));
  const arrays = columns.map((name) => {
    const column = table.column(name);
    if (column === undefined) throw new InvalidParameterError('column', name, `one of ${listed(table.names)}`);
    return column;
  });
  const n = arrays[0]?.length ?? 0;
  const dim = columns.length;
  const coords = new Float64Array(n * dim);
  for (const [d, array] of arrays.entries()) {
    if (array.length !== n) {
      throw new InvalidPointsError(
        `column ${columns[d]} has ${array.length} values; expected ${n}, as many as column ${columns[0]}`,
      );
    }
    for (let i = 0; i < n; i++) coords[i * dim + d] = read(array[i], i, columns[d]);
  }
  return {coords, dim, columns};
}

/**
 * The columns that names tell: one latitude and one longitude, in this order, or x, y and z beside nothing but times,
 * identifiers and what holds no numbers.
 */
function tellingNames(names: readonly string[], hasNumbers: (name: string) => boolean): readonly string[] | undefined {
  if (names.length === 1 && names[0] === 'x') return names;
  const found = chooseColumns(names);
  if ('choices' in found || found.by === 'numbers') return undefined;
  const others = found.left.filter(({name}) => meaningOfName(name) === undefined && hasNumbers(name));
  return found.by === 'axes' && others.length > 0 ? undefined : found.taken.map((k) => names[k]);
}

/**
 * As `tellingNames`. @throws InvalidParameterError if they do not tell; shows a call that chooses columns with numbers
 */
export function namesOrCall(
  names: readonly string[],
  input: string,
  hasNumbers: (name: string) => boolean,
): readonly string[] {
  const told = tellingNames(names, hasNumbers);
  if (told !== undefined) return told;
  const able = names.filter(hasNumbers);
  const call = (firstCoordinates(able) ?? able.slice(0, 2)).map(inQuotes).join(', ');
  const advice = able.length === 0 ? ', which hold numbers; none does' : `: toPoints(${input}, [${call}])`;
  throw new InvalidParameterError('columns', undefined, `the names of the coordinates among ${listed(names)}${advice}`);
}

function inQuotes(name: string): string {
  return /['\\\n]/.test(name) ? JSON.stringify(name) : `'${name}'`;
}

/** Whether a value counts as a coordinate by its type. */
export function isNumber(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'bigint';
}
