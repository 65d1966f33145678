import {
  abortOnInterrupt,
  FailureError,
  formatFactor,
  formatMs,
  choice,
  outputFolder,
  positiveInteger,
  UsageError,
} from '@epsball/cli/command';
import {ADAPTER_CHOICES, type AdapterChoice} from '@epsball/gpu/adapter-choice';
import type {Command} from 'commander';
import {defaultReportFolder, requireFiles} from '../files.ts';
import type {BenchOutcome} from '../run/runBench.ts';

const PROFILES = ['quick', 'full'] as const;

interface BenchOptions {
  readonly all?: boolean;
  readonly profile: (typeof PROFILES)[number];
  readonly timeReference?: number;
  readonly only?: readonly string[];
  readonly processes: number;
  readonly resume?: boolean;
  readonly report: boolean;
  readonly out?: string;
  readonly reference?: readonly string[];
  readonly adapter: AdapterChoice;
}

export function addBenchCommand(program: Command): void {
  program
    .command('bench')
    .description('run benchmark suites and write their report')
    .argument('[SUITE...]', 'suites to run, in this order; NAME also means NAME-… (default: the usual ones, in 150 s)')
    .option('--all', 'every suite; see "epsball list suites"')
    .addOption(
      choice('--profile <P>', 'quick: minutes on two cores; full: the sizes of the documents', PROFILES, 'quick'),
    )
    .option('--reference <RESULT.json...>', 'take the labels of these results instead of running the reference')
    .option(
      '--time-reference <S>',
      'with --reference: run references all the same, for their times, but those that took longer than S seconds there',
      positiveInteger,
    )
    .option('--only <WHAT...>', 'variants, backends, operations, data sets and sizes to run: dense-grid gpu 200k')
    .option('--processes <N>', 'child processes of a cell; three or more show their spread', positiveInteger, 1)
    .option('--resume', 'go on with the unfinished run of the folder; its cells are not measured again')
    .option('--no-report', 'write results only, without pictures; "epsball report" renders them later')
    .option('--out <DIR>', 'folder for results and reports (default: benchmarks/reports)', outputFolder)
    .addOption(choice('--adapter <KIND>', 'adapter of the GPU cells', ADAPTER_CHOICES, 'auto'))
    .action((names: readonly string[], options: BenchOptions) =>
      abortOnInterrupt((signal) => bench(names, options, signal)),
    );
}

async function bench(names: readonly string[], options: BenchOptions, signal: AbortSignal): Promise<void> {
  const [{suites, suitesNamed}, {runBench}, {wrapLine}] = await Promise.all([
    import('@epsball/benchmarks'),
    import('../run/runBench.ts'),
    import('../run/lines.ts'),
  ]);
  const unknown = names.find((name) => suitesNamed(name).length === 0);
  if (unknown !== undefined)
    throw new UsageError('SUITE', unknown, `names out of ${suites.map(({id}) => id).join(', ')}`);
  requireFiles('--reference', options.reference ?? []);
  const {out: outDir = defaultReportFolder(), reference: references, ...asked} = options;
  const log = (line: string): void => void process.stdout.write(`${wrapLine(line)}\n`);
  const outcome = await runBench({...asked, suites: names, references, outDir, signal, log});
  log('');
  for (const line of await closingLines(outcome)) log(line);
  // On stderr, so that a redirected log does not hide it.
  const ending = endingOf(outcome.noGpu, outcome.failures);
  if (outcome.failures.length > 0) throw new FailureError(ending);
  if (ending !== '') process.stderr.write(`epsball: ${ending}\n`);
}

/** What a run has taught, in five lines, the last with the page's path. */
async function closingLines({results, reportFiles, failures}: BenchOutcome): Promise<string[]> {
  const [{Evidence, claims, judge, measuredCells, nameSubject, timeOf}, {winsOf}] = await Promise.all([
    import('@epsball/benchmarks'),
    import('../run/lines.ts'),
  ]);
  const cells = results.flatMap(measuredCells);
  const wins = winsOf(results);
  const counted = [...Map.groupBy(wins, ({best}) => nameSubject({...best, options: {}}))]
    .toSorted((a, b) => b[1].length - a[1].length)
    .map(([name, all]) => `${name} on ${all.length}`);
  const [largest] = wins;
  const hardest = wins.toSorted((a, b) => b.factor - a.factor)[0];
  const evidence = new Evidence(results);
  const verdicts = claims.map((claim) => judge(claim, evidence).verdict);
  const of = (verdict: string): number => verdicts.filter((one) => one === verdict).length;
  const left = results.flatMap((result) => result.cells).filter(({status}) => status === 'leftOut').length;
  const failed = failures.length === 0 ? 'none failed' : `${failures.length} failed`;
  return [
    `checked: ${cells.length} right ${cells.length === 1 ? 'result' : 'results'}, ${failed}, ${left} were left out`,
    wins.length === 0
      ? 'fastest: nothing to compare'
      : `fastest of ${wins.length} sets of points: ${counted.slice(0, 3).join(', ')}`,
    largest === undefined
      ? 'largest set: none'
      : `largest set: ${largest.workload}: ${nameSubject(largest.best)} ${formatMs(timeOf(largest.best))}; widest lead ${formatFactor(hardest.factor)}, on ${hardest.workload}`,
    `documents: ${of('holds')} claims hold here, ${of('fails')} do not, ${of('close')} are too close, ${of('partly')} partly measured, ${of('not run')} not run`,
    `page: ${reportFiles[0] ?? 'none (--no-report)'}`,
  ];
}

/**
 * The last line of a run: what failed and why no GPU cell ran. Empty if all cells ran.
 *
 * @param noGpu     why no GPU cell ran, or null
 * @param failures  one sentence each
 */
export function endingOf(noGpu: string | null, failures: readonly string[]): string {
  const failed = failures.length === 0 ? [] : [`failures = ${failures.length}; expected none: ${failures.join('; ')}`];
  const left = noGpu === null ? [] : [`no GPU cell ran: ${noGpu}`];
  return [...failed, ...left].join('; ');
}
