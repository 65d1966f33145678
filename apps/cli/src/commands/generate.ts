import type {Command} from 'commander';
import {whileWriting, withProgress} from '../cluster/progressBar.ts';
import {UsageError} from '../errors.ts';
import {checkOutputs, outputFile, printSummary, required, runCommand, STANDARD_OUTPUT} from '../options.ts';
import {formatCount} from '../text.ts';
import {onThread} from '../thread/onThread.ts';
import type * as generateJob from './generateJob.ts';

/** Places on the command line by parameter of the library. */
const PLACES = {
  dataset: 'SPEC',
  'dataset key': 'key in SPEC',
  ...Object.fromEntries(['n', 'dim', 'seed', 'precision'].map((key) => [key, `${key} in SPEC`])),
};

export function addGenerateCommand(program: Command): void {
  const command = program
    .command('generate')
    .description('write a seeded dataset to a file')
    .argument('<SPEC>', 'dataset and parameters, such as milanesi:n=1000000,seed=7 (see "epsball list datasets")')
    .option('--out <FILE>', 'file to write; its ending names the format', outputFile([]))
    .action((text: string, flags: {readonly out?: string}) =>
      runCommand(command, (signal) => generate(text, flags.out, signal), PLACES),
    );
}

async function generate(text: string, file: string | undefined, signal: AbortSignal): Promise<void> {
  const out = required('--out', file, 'a file to write, such as points.npy');
  const {escapeControls, parseDatasetSpec, POINT_EXTENSIONS, writePoints} = await import('@epsball/datasets');
  const request = parseDatasetSpec(text);
  if (out !== STANDARD_OUTPUT && !POINT_EXTENSIONS.some((extension) => out.toLowerCase().endsWith(extension))) {
    throw new UsageError('--out', out, `a file that ends in one of ${POINT_EXTENSIONS.join(' ')}`);
  }
  await checkOutputs({'--out': out}, []);
  const points = await withProgress('generate', (onProgress) =>
    onThread<typeof generateJob>('../commands/generateJob', request, {signal, onProgress}),
  );
  try {
    await whileWriting([out], (onProgress) => writePoints(out, points, {signal, onProgress}));
  } catch (error) {
    if (!(error instanceof Error && 'parameter' in error && error.parameter === 'coords')) throw error;
    throw new UsageError('--out', out, 'a file that holds float64, such as .f64, or precision=float32 in SPEC');
  }
  const n = points.coords.length / points.dim;
  printSummary(`${escapeControls(out)}: ${formatCount(n)} points × ${points.dim}\n`, out);
}
