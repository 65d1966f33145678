import {InvalidPointsError} from '@epsball/clustering';
import {nameOfInput} from './options.ts';

/** Adds the name of the file to an error about its points. */
export async function nameFile<Result>(input: string, run: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof InvalidPointsError)) throw error;
    throw new InvalidPointsError(`${nameOfInput(input)}: ${error.message}`, error.index);
  }
}
