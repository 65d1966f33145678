import {InvalidParameterError} from './errors.ts';
import {describeNames} from './nearestName.ts';

/** Another argument of the same function, for names that are right there. */
export interface OtherArgument {
  readonly names: readonly string[];
  /** Where a name belongs, in messages: `among the options: run(points, params, {signal})`. */
  readonly place: (name: string) => string;
}

/**
 * Rejects options that do not exist, for callers without type checks. An option that is undefined counts as absent.
 *
 * @param example  a right call, for the message if `options` is not an object
 * @param other    names of another argument; the message then says where the name belongs
 * @throws InvalidParameterError  names `what`, or the unknown name and the nearest known one
 */
export function checkKnownOptions(
  options: object,
  known: readonly string[],
  what: string,
  example: string,
  other?: OtherArgument,
): void {
  const given: unknown = options;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new InvalidParameterError(what, given, example);
  }
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || known.includes(name)) continue;
    const isElsewhere = other?.names.includes(name) === true;
    throw new InvalidParameterError('option', name, isElsewhere ? other.place(name) : describeNames(name, known));
  }
}

/** @throws InvalidParameterError  unless `row` is the index of one of n points */
export function checkRow(row: number, n: number): void {
  checkInteger('row', row, 0, n - 1, n === 0 ? 'no row: there are no points' : `0 to ${n - 1}`);
}

/** @throws InvalidParameterError  unless `value` is an integer from `least` to `most` */
export function checkInteger(
  name: string,
  value: unknown,
  least: number,
  most: number = Infinity,
  expected?: string,
): void {
  if (Number.isInteger(value) && Number(value) >= least && Number(value) <= most) return;
  const range = most === Infinity ? ` ≥ ${least}` : `, ${least} … ${most}`;
  throw new InvalidParameterError(name, value, expected ?? `an integer${range}`);
}
