import {
  abortOnInterrupt,
  choice,
  FailureError,
  outputFolder,
  positiveInteger,
  positiveNumber,
  UsageError,
} from '@epsball/cli/command';
import {ADAPTER_CHOICES, type AdapterChoice} from '@epsball/gpu/adapter-choice';
import type {Command} from 'commander';
import {defaultReportFolder} from '../files.ts';

interface CompareOptions {
  readonly eps: number;
  readonly minPts: number;
  readonly columns?: readonly string[];
  readonly dim?: number;
  readonly only?: readonly string[];
  readonly repeats: number;
  readonly adapter?: AdapterChoice;
  readonly out?: string;
}

export function addCompareCommand(program: Command): void {
  program
    .command('compare')
    .description('run every variant on the points of a file, hold their labels against each other, and write one page')
    .argument('<INPUT>', 'points, in a format that "epsball cluster" reads')
    .requiredOption('--eps <E>', 'radius of the closed neighbourhood, > 0', positiveNumber)
    .requiredOption('--min-pts <K>', 'neighbours of a core point, itself included', positiveInteger)
    .option('--columns <a,b>', 'columns of a table, by name', (text) => text.split(','))
    .option('--dim <D>', 'coordinates per point, for files without a shape', positiveInteger)
    .option('--only <WHAT...>', 'variants and backends to run: dense-grid gpu (default: all)')
    .option('--repeats <N>', 'counted runs of each', positiveInteger, 3)
    .addOption(choice('--adapter <KIND>', 'default: the GPU, if it is hardware', ADAPTER_CHOICES))
    .option('--out <DIR>', 'folder of the page (default: benchmarks/reports)', outputFolder)
    .action((input: string, options: CompareOptions) => abortOnInterrupt((signal) => compare(input, options, signal)));
}

async function compare(input: string, options: CompareOptions, signal: AbortSignal): Promise<void> {
  const {eps, minPts, columns, dim, only = [], repeats, adapter, out} = options;
  const [{readPoints}, {compareVariants}, {writeComparison}, {describeMachine}] = await Promise.all([
    import('@epsball/datasets'),
    import('../userFile/compareVariants.ts'),
    import('../userFile/writeComparison.ts'),
    import('../run/machine.ts'),
  ]);
  const points = await readPoints(input, {columns, dim, signal});
  const params = {eps, minPts};
  const log = (line: string): void => void process.stdout.write(`${line}\n`);
  const {runs, gpuName} = await compareVariants(points, {params, only, repeats, adapter, signal, log});
  if (runs.length === 0) throw new UsageError('--only', only.join(' '), 'variants or backends that take these points');
  const {cpu, threads} = describeMachine();
  const machine = `${gpuName === null ? '' : `${gpuName} and `}${cpu}, ${threads} threads`;
  const shape = {n: points.coords.length / points.dim, dim: points.dim};
  const file = await writeComparison(out ?? defaultReportFolder(), {input, ...shape, ...params, machine, runs});
  process.stdout.write(`page: ${file}\n`);
  const bad = runs.filter(({outcome}) => outcome === 'differs' || outcome === 'failed');
  if (bad.length > 0)
    throw new FailureError(`variants that failed or differ = ${bad.length}; expected 0: ${bad[0].name}`);
}
