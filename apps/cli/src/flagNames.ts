import {InvalidParameterError} from '@epsball/clustering';
import {UsageError} from './errors.ts';

/**
 * Does work and renames the parameters in its errors to the user's flags: `dim` becomes `--dim`.
 *
 * @param flags  flags by name of the parameter; a parameter without a flag keeps its name
 */
export async function inFlags<Result>(
  flags: Readonly<Record<string, string>>,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof InvalidParameterError) || !Object.hasOwn(flags, error.parameter)) throw error;
    const {parameter, value, expectation} = error;
    if (value === undefined) throw new UsageError(flags[parameter], undefined, expectation);
    throw new InvalidParameterError(flags[parameter], value, expectation);
  }
}
