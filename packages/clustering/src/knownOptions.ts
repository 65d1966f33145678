import {InvalidParameterError} from './errors.ts';
import {describeNames} from './nearestName.ts';

/**
 * Rejects options that do not exist, for callers without type checks. An option that is undefined counts as absent.
 *
 * @param options  the caller's object
 * @param known    the names that exist
 * @param what     in messages: `options`
 * @param example  a right call, for the message if `options` is not an object
 * @throws InvalidParameterError  if `options` is not an object, or has an unknown name: names the nearest known one
 */
export function checkKnownOptions(options: object, known: readonly string[], what: string, example: string): void {
  const given: unknown = options;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new InvalidParameterError(what, given, example);
  }
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined && !known.includes(name)) {
      throw new InvalidParameterError('option', name, describeNames(name, known));
    }
  }
}
