import type {Command} from 'commander';
import {outputFile, required} from '../options.ts';
import {formatCount} from '../text.ts';

interface GenerateOptions {
  readonly out?: string;
}

export function addGenerateCommand(program: Command): void {
  program
    .command('generate')
    .description('write a seeded dataset to a file')
    .argument('<SPEC>', 'dataset and parameters, such as milanesi:n=1000000,seed=7 (see "epsball list datasets")')
    .option('--out <FILE>', 'file to write; its ending names the format', outputFile('--out', []))
    .action(generate);
}

async function generate(text: string, options: GenerateOptions): Promise<void> {
  const out = required('--out', options.out, 'a file to write, such as points.npy');
  const {generateDataset, parseDatasetSpec, writePoints} = await import('@epsball/datasets');
  const points = generateDataset(parseDatasetSpec(text));
  await writePoints(out, points);
  const n = points.coords.length / points.dim;
  process.stdout.write(`${out}: ${formatCount(n)} points × ${points.dim}\n`);
}
