import type {Command} from 'commander';
import {statSync} from 'node:fs';
import {UsageError} from '../errors.ts';
import {abortOnInterrupt} from '../interrupt.ts';
import {outputFolder} from '../options.ts';
import {defaultReportFolder} from '../report/defaultFolder.ts';

interface ReportOptions {
  readonly compare?: boolean;
  readonly out?: string;
}

export function addReportCommand(program: Command): void {
  program
    .command('report')
    .description('write the reports of earlier benchmark results')
    .argument('<RESULT.json...>', 'result files that "epsball bench" wrote')
    .option('--compare', 'put the results side by side: machines, commits')
    .option('--out <DIR>', 'folder for the reports (default: benchmarks/reports)', outputFolder('--out'))
    .action((results: readonly string[], options: ReportOptions) =>
      abortOnInterrupt((signal) => report(results, options, signal)),
    );
}

async function report(results: readonly string[], options: ReportOptions, signal: AbortSignal): Promise<void> {
  const missing = results.find((file) => statSync(file, {throwIfNoEntry: false})?.isFile() !== true);
  if (missing !== undefined) throw new UsageError('RESULT.json', missing, 'a regular file that exists');
  const {writeReport} = await import('../report/writeReport.ts');
  const files = await writeReport({
    results: [...results],
    compare: options.compare === true,
    outDir: options.out ?? defaultReportFolder(),
    signal,
  });
  for (const file of files) process.stdout.write(`report: ${file}\n`);
}
