import type {Command} from 'commander';
import {existsSync} from 'node:fs';
import {UsageError} from '../errors.ts';
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
    .option('--out <DIR>', 'folder for the reports (default: benchmarks/reports)')
    .action(report);
}

async function report(results: readonly string[], options: ReportOptions): Promise<void> {
  const missing = results.find((file) => !existsSync(file));
  if (missing !== undefined) throw new UsageError('RESULT.json', missing, 'a file that exists');
  const {writeReport} = await import('../report/writeReport.ts');
  const files = await writeReport({
    results: [...results],
    compare: options.compare === true,
    outDir: options.out ?? defaultReportFolder(),
  });
  for (const file of files) process.stdout.write(`report: ${file}\n`);
}
