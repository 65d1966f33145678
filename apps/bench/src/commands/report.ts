import {FailureError, UsageError, abortOnInterrupt, outputFolder} from '@epsball/cli/command';
import type {Command} from 'commander';
import {statSync} from 'node:fs';
import {committedBaselines, committedReferences, defaultReportFolder, requireFiles} from '../files.ts';

/** Share by which a time may grow beyond noise, if `--fail-above` does not say. */
const ALLOWED = 0.1;
/** Lines of cells beyond noise that are printed; the report has all. */
const MOST_LINES = 30;

interface ReportOptions {
  /** True: the committed baselines. */
  readonly compare?: true | readonly string[];
  readonly failAbove?: number;
  readonly references?: readonly string[];
  readonly out?: string;
}

export function addReportCommand(program: Command): void {
  program
    .command('report')
    .description('write the reports of earlier benchmark results')
    .argument('<RESULT.json...>', 'result files that "epsball bench" wrote')
    .option(
      '--compare [BASE.json...]',
      'judge the results against these (default: the committed baselines of this GPU and CPU)',
    )
    .option('--fail-above <P%>', 'with --compare: growth beyond noise that fails (default: 10%)', growth)
    .option(
      '--references <RESULT.json...>',
      'results whose times of the sequential code stand in where a result has none, marked ‡',
    )
    .option('--out <DIR>', 'folder for the reports (default: benchmarks/reports)', outputFolder)
    .action((results: readonly string[], options: ReportOptions) =>
      abortOnInterrupt((signal) => report(results, options, signal)),
    );
}

/** `10%`, `0.5 %` or `10` as a share. */
function growth(text: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*%?$/.exec(text);
  if (match === null) throw new UsageError('--fail-above', text, 'a percentage such as 10%');
  return Number(match[1]) / 100;
}

async function report(results: readonly string[], options: ReportOptions, signal: AbortSignal): Promise<void> {
  if (options.failAbove !== undefined && options.compare === undefined) {
    throw new UsageError('--fail-above', `${options.failAbove * 100}%`, 'to stand beside --compare');
  }
  requireFiles('RESULT.json', results);
  if (Array.isArray(options.compare)) requireFiles('--compare', options.compare);
  const base = await baselineFiles(results, options.compare);
  const {writeReport} = await import('../report/writeReport.ts');
  const {files, comparison} = await writeReport({
    results: [...results],
    compareWith: base,
    references: options.references ?? committedReferences(),
    beside: committedBaselines(),
    outDir: options.out ?? defaultReportFolder(),
    signal,
  });
  for (const file of files) process.stdout.write(`report: ${file}\n`);
  if (comparison === null) return;
  const {changeLine, comparisonCounts} = await import('../report/compare/comparisonText.ts');
  const {failsAbove} = await import('../report/compare/compareResults.ts');
  const {wrapLine} = await import('../run/lines.ts');
  const print = (line: string): void => void process.stdout.write(`${wrapLine(oneLine(line))}\n`);
  for (const place of comparison.unmatched) print(`without a baseline: ${place}`);
  const changed = comparison.changes.filter(({kind}) => kind !== 'same' && kind !== 'unjudged');
  for (const change of changed.slice(0, MOST_LINES)) print(changeLine(change));
  if (changed.length > MOST_LINES) print(`and ${changed.length - MOST_LINES} more`);
  print(`compared: ${comparisonCounts(comparison)}`);
  print(comparison.loads);
  if (comparison.changes.some(({kind}) => kind === 'unjudged')) {
    print('fewer than three processes a cell: their ratios are in the report, and no verdict');
  }
  const allowed = options.failAbove ?? ALLOWED;
  const failing = comparison.changes.filter((change) => failsAbove(change, allowed));
  if (failing.length === 0) return;
  throw new FailureError(`regressions = ${failing.length}; expected 0; first: ${oneLine(changeLine(failing[0]))}`);
}

/**
 * The files of the baseline; null without `--compare`.
 *
 * @throws UsageError  if no committed baseline is of a suite, profile and machine of the results
 */
async function baselineFiles(
  results: readonly string[],
  compare: ReportOptions['compare'],
): Promise<readonly string[] | null> {
  if (compare === undefined) return null;
  if (compare !== true) return compare;
  const [{readResult}, {placeOf}] = await Promise.all([
    import('../readResult.ts'),
    import('../report/compare/compareResults.ts'),
  ]);
  const places = (await Promise.all(results.map((file) => readResult(file)))).map(placeOf);
  const given = new Set(results.map((file) => realName(file)));
  const found: string[] = [];
  for (const file of committedBaselines()) {
    if (!given.has(realName(file)) && places.includes(placeOf(await readResult(file)))) found.push(file);
  }
  if (found.length > 0) return found;
  throw new UsageError(
    '--compare',
    oneLine(places[0]),
    'a suite, profile and machine with a committed baseline, or files',
  );
}

function realName(file: string): string {
  const {dev, ino} = statSync(file);
  return `${dev}:${ino}`;
}

/** A text of a result file, without control characters. */
function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ');
}
