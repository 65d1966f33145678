import {existsSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {InvalidParameterError} from '@epsball/clustering';
import {checkWritable, DatasetWriteError} from '@epsball/datasets';
import {checkLabelFolder, inputBehind, partName} from './labelFolder.ts';
import type {InputFile, LabelOrder, RunRequest} from './run.ts';

/** Whether labels go to one file, and not to a folder of parts. */
export function isVector(out: string): boolean {
  return out.toLowerCase().endsWith('.npy');
}

/** Checks that the labels of a run can be written, before it is created. */
export async function checkLabelOutput(
  out: string,
  {inputs, order}: Pick<RunRequest, 'inputs' | 'order'>,
): Promise<void> {
  if (!isVector(out)) {
    await checkLabelFolder(out, inputs);
    return checkFolder(out);
  }
  requireOrder({order}, 'input');
  await refuseInput(out, inputs);
  await checkWritable(out);
}

/** @throws InvalidParameterError  if the run has labels in another order */
export function requireOrder({order = 'input'}: Pick<RunRequest, 'order'>, expected: LabelOrder): void {
  if (order !== expected) throw new InvalidParameterError('order', order, `${expected}, for labels in this order`);
}

/** @throws InvalidParameterError  if a file of labels is an input of the run */
export async function refuseInput(out: string, inputs: readonly InputFile[]): Promise<void> {
  const input = await inputBehind(out, inputs);
  if (input !== undefined) throw new InvalidParameterError('out', out, `another file than the input ${input}`);
}

/** Checks the folder, or the nearest one above it that exists, in which it would be made. */
async function checkFolder(out: string): Promise<void> {
  let folder = resolve(out);
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  try {
    await checkWritable(join(folder, folder === resolve(out) ? partName(0) : 'part'));
  } catch (error) {
    throw error instanceof DatasetWriteError ? new DatasetWriteError(out, error.cause) : error;
  }
}
