import {
  DatasetFormatError,
  readCsvStream,
  readPoints,
  type LoadedPoints,
  type ReadPointsOptions,
} from '@epsball/datasets';
import {UsageError} from '../errors.ts';
import {STANDARD_INPUT} from '../options.ts';

/** Ends of the loaders' messages, and the same with our flags. */
const ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/\bdim = (\d+)$/, '--dim $1'],
  [/\ba given dim$/, '--dim'],
  [/\bchosen by columns(?= 0,1 or 1,0$|$)/, 'chosen by --columns'],
  [/\bthe option decimal = ","$/, '--decimal ,'],
  [/; expected a name, one of: ([^:]*)$/, '; expected --dataset with one of: $1'],
];

/** Ends of messages about a column that cannot be a coordinate. */
const NO_NUMBERS = /(?:expected a finite number|expected FLOAT, DOUBLE, INT32 or INT64)$/;

/**
 * Reads the points of the input file, or CSV from standard input.
 *
 * @throws UsageError                                 if a flag does not fit standard input
 * @throws InvalidParameterError, DatasetFormatError  as `readPoints` does; expectations of a file name our flags
 * @throws the signal's reason                        if `options.signal` fires
 */
export async function readInput(input: string, options: ReadPointsOptions): Promise<LoadedPoints> {
  try {
    return await (input === STANDARD_INPUT ? readStandardInput(options) : readPoints(input, options));
  } catch (error) {
    if (!(error instanceof DatasetFormatError)) throw error;
    const {path, line, cause} = error;
    let {reason} = error;
    for (const [ending, inFlags] of ENDINGS) reason = reason.replace(ending, inFlags);
    if (options.columns === undefined && NO_NUMBERS.test(reason)) {
      // Without a header the reader says `column 0`.
      const what = /^column \d+ = /.test(reason)
        ? 'positions of the coordinates, such as 0,1'
        : 'names of the coordinates';
      reason += `, or --columns with the ${what}`;
    }
    throw new DatasetFormatError(path, reason, {cause, ...(line === undefined ? {} : {line})});
  }
}

function readStandardInput({dataset, ...options}: ReadPointsOptions): Promise<LoadedPoints> {
  if (dataset !== undefined) throw new UsageError('--dataset', dataset, 'no dataset for standard input, which is CSV');
  return readCsvStream(process.stdin, options);
}
