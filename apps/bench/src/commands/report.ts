import type {Command} from 'commander';
import {statSync} from 'node:fs';
import {abortOnInterrupt, FailureError, outputFolder, UsageError} from '@epsball/cli/command';
import {committedBaselines, committedReferences} from '../report/committed.ts';
import {defaultReportFolder} from '../report/defaultFolder.ts';

interface ReportOptions {
  readonly compare?: boolean;
  readonly references?: readonly string[];
  readonly out?: string;
}

export function addReportCommand(program: Command): void {
  program
    .command('report')
    .description('write the reports of earlier benchmark results')
    .argument('<RESULT.json...>', 'result files that "epsball bench" wrote')
    .option(
      '--compare',
      'put the results side by side, and fail if a cell is slower than in the first result of its suite',
    )
    .option(
      '--references <RESULT.json...>',
      'results whose times of the sequential code stand in where a result has none, marked ‡',
    )
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
    references: options.references ?? committedReferences(),
    beside: committedBaselines(),
    outDir: options.out ?? defaultReportFolder(),
    signal,
  });
  for (const file of files) process.stdout.write(`report: ${file}\n`);
  if (options.compare === true) await compare(results);
}

/** Prints what changed from the first result of each suite; throws if a cell is slower, wrong or failed. */
async function compare(files: readonly string[]): Promise<void> {
  const [{readResult}, {compareRuns, isRegression}] = await Promise.all([
    import('../readResult.ts'),
    import('../report/compareRuns.ts'),
  ]);
  const {changes, cells, apart} = compareRuns(await Promise.all(files.map((file) => readResult(file))));
  for (const pair of apart) process.stdout.write(`not compared, other machine or profile: ${oneLine(pair)}\n`);
  for (const {kind, text} of changes) process.stdout.write(`${kind}: ${oneLine(text)}\n`);
  process.stdout.write(`compared: ${cells} cells that both runs measured\n`);
  const regressions = changes.filter(isRegression);
  if (regressions.length === 0) return;
  throw new FailureError(
    `regressions = ${regressions.length}; expected 0; first: ${oneLine(`${regressions[0].kind}, ${regressions[0].text}`)}`,
  );
}

/** A text of a result file, without control characters. */
function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ');
}
