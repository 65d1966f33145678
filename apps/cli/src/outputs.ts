import {UsageError} from './errors.ts';
import {STANDARD_INPUT} from './options.ts';

/**
 * Checks the files that a command writes, before it reads any, which may take minutes.
 *
 * @param outputs  paths by flag; undefined: not written
 * @param inputs   paths, or `-`
 * @throws UsageError         if an output is an input or another output, also by another name
 * @throws DatasetWriteError  if an output cannot be written
 */
export async function checkOutputs(
  outputs: Readonly<Record<string, string | undefined>>,
  inputs: readonly string[],
): Promise<void> {
  const {checkWritable, findInput, identify} = await import('@epsball/datasets');
  const files = inputs.map((input) => (input === STANDARD_INPUT ? '/dev/stdin' : input));
  const given = Object.entries(outputs).flatMap(([flag, output]) => (output === undefined ? [] : [{flag, output}]));
  const flags = new Map<string, string>();
  for (const {flag, output} of given) {
    if ((await findInput(output, files)) !== undefined) {
      throw new UsageError(flag, output, 'another file than the input');
    }
    const file = await identify(output);
    const other = flags.get(file);
    if (other !== undefined) throw new UsageError(flag, output, `another file than ${other}`);
    flags.set(file, flag);
  }
  for (const {output} of given) await checkWritable(output);
}
