import type {PointSet} from '@epsball/clustering';
import {DatasetFormatError, readPoints, type ReadPointsOptions} from '@epsball/datasets';

/** What ends a message of the loaders, and the same in flags. */
const ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/\bdim = (\d+)$/, '--dim $1'],
  [/\ba given dim$/, '--dim'],
  [/; expected a name, one of: ([^:]*)$/, '; expected --dataset with one of: $1'],
];

/**
 * Reads the points of the input file.
 *
 * @throws InvalidParameterError, DatasetFormatError  as `readPoints` does; expectations of a file name our flags
 */
export async function readInput(input: string, options: ReadPointsOptions): Promise<PointSet> {
  try {
    return await readPoints(input, options);
  } catch (error) {
    if (!(error instanceof DatasetFormatError) || error.line !== undefined) throw error;
    let {reason} = error;
    for (const [ending, inFlags] of ENDINGS) reason = reason.replace(ending, inFlags);
    throw new DatasetFormatError(error.path, reason, {cause: error});
  }
}
