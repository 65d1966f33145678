import {InvalidParameterError} from '@epsball/clustering';
import type {Command} from 'commander';
import {UsageError} from '../errors.ts';
import {inFlags} from '../flagNames.ts';
import {abortOnInterrupt} from '../interrupt.ts';
import {outputFile, required} from '../options.ts';
import {checkOutputs} from '../outputs.ts';
import {formatCount} from '../text.ts';

interface GenerateOptions {
  readonly out?: string;
}

/** Places on the command line by parameter of the library. */
const FLAGS = {
  dataset: 'SPEC',
  'dataset key': 'key in SPEC',
  n: 'n in SPEC',
  dim: 'dim in SPEC',
  seed: 'seed in SPEC',
  precision: 'precision in SPEC',
};

export function addGenerateCommand(program: Command): void {
  program
    .command('generate')
    .description('write a seeded dataset to a file')
    .argument('<SPEC>', 'dataset and parameters, such as milanesi:n=1000000,seed=7 (see "epsball list datasets")')
    .option('--out <FILE>', 'file to write; its ending names the format', outputFile('--out', []))
    .action((text: string, options: GenerateOptions) => inFlags(FLAGS, () => generate(text, options)));
}

async function generate(text: string, options: GenerateOptions): Promise<void> {
  const out = required('--out', options.out, 'a file to write, such as points.npy');
  const {escapeControls, generateDataset, parseDatasetSpec, POINT_EXTENSIONS, writePoints} =
    await import('@epsball/datasets');
  const request = parseDatasetSpec(text);
  if (!POINT_EXTENSIONS.some((extension) => out.toLowerCase().endsWith(extension))) {
    throw new UsageError('--out', out, `a file that ends in one of ${POINT_EXTENSIONS.join(' ')}`);
  }
  await checkOutputs({'--out': out}, []);
  const points = generateDataset(request);
  // Generation is synchronous, so a handler would only delay Ctrl-C. Without one a signal ends the process at once.
  try {
    await abortOnInterrupt((signal) => writePoints(out, points, {signal}));
  } catch (error) {
    if (!(error instanceof InvalidParameterError) || error.parameter !== 'coords') throw error;
    throw new UsageError('--out', out, 'a file that holds float64, such as .f64, or precision=float32 in SPEC');
  }
  const n = points.coords.length / points.dim;
  process.stdout.write(`${escapeControls(out)}: ${formatCount(n)} points × ${points.dim}\n`);
}
