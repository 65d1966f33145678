import {InvalidParameterError, isArrayLike} from '@epsball/clustering';

/** @throws InvalidParameterError  if a call such as `remove(ids)` has more arguments than its form */
export function checkArguments(given: number, form: string): void {
  const most = form.split(',').length;
  if (given > most) throw new InvalidParameterError('arguments.length', given, `at most ${most}: ${form}`);
}

/** @throws InvalidParameterError  unless a value is an array or a typed array */
export function checkList(name: string, list: unknown): void {
  if (!isArrayLike(list)) throw new InvalidParameterError(name, list, 'an array of numbers');
}

/** @throws InvalidParameterError  if JSON would lose a part of a value */
export function checkJson(value: unknown): void {
  if (!isJson(value, [])) {
    throw new InvalidParameterError(
      'extra',
      value,
      'what JSON keeps: null, booleans, finite numbers, text, lists and objects',
    );
  }
}

/** @param above  the objects that a value is part of, none of which it may be */
function isJson(value: unknown, above: readonly unknown[]): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return true;
  if (typeof value !== 'object' || above.includes(value)) return false;
  const isPlain = Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value));
  const within = [...above, value];
  return isPlain && Object.values(value).every((part) => isJson(part, within));
}
