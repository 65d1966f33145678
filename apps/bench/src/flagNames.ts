import {InvalidParameterError} from '@epsball/clustering';
import {UsageError} from './errors.ts';

/**
 * Does work of the libraries, and names their parameters as the user typed them: `dim` is `--dim`.
 *
 * @param flags  name on the command line by name of the parameter; others keep theirs
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
