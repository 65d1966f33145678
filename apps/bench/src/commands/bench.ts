import {statSync} from 'node:fs';
import {ADAPTER_CHOICES, type AdapterChoice} from '@epsball/gpu/adapter-choice';
import type {Command} from 'commander';
import {abortOnInterrupt, choice, FailureError, outputFolder, positiveInteger, UsageError} from '@epsball/cli/command';
import {defaultReportFolder} from '../report/defaultFolder.ts';

const PROFILES = ['quick', 'full'] as const;

interface BenchOptions {
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
    .description('run benchmark suites and write their reports')
    .argument(
      '[SUITE...]',
      'suites to run, in this order; NAME also means NAME-… (default: all; see "epsball list suites")',
    )
    .addOption(
      choice('--profile <P>', 'quick: minutes on two cores; full: the sizes of the documents', PROFILES, 'quick'),
    )
    .option(
      '--reference <RESULT.json...>',
      'take the labels of these results instead of running the reference, which saves time',
    )
    .option(
      '--time-reference <S>',
      'with --reference: run references all the same, for their times, but those that took longer than S seconds there',
      positiveInteger,
    )
    .option('--only <WHAT...>', 'variants, backends, operations, data sets and sizes to run: dense-grid gpu 200k')
    .option(
      '--processes <N>',
      'child processes of a DBSCAN cell; three or more show the spread between them',
      positiveInteger,
      1,
    )
    .option('--resume', 'go on with the unfinished run of the folder; its cells are not measured again')
    .option('--no-report', 'write results only, without pictures; "epsball report" renders them later')
    .option('--out <DIR>', 'folder for results and reports (default: benchmarks/reports)', outputFolder)
    .addOption(choice('--adapter <KIND>', 'adapter of the GPU cells', ADAPTER_CHOICES, 'auto'))
    .action((names: readonly string[], options: BenchOptions) =>
      abortOnInterrupt((signal) => bench(names, options, signal)),
    );
}

async function bench(names: readonly string[], options: BenchOptions, signal: AbortSignal): Promise<void> {
  const [{suites, suitesNamed}, {runBench}] = await Promise.all([
    import('@epsball/benchmarks'),
    import('../suite/runBench.ts'),
  ]);
  const unknown = names.find((name) => suitesNamed(name).length === 0);
  if (unknown !== undefined)
    throw new UsageError('SUITE', unknown, `names out of ${suites.map(({id}) => id).join(', ')}`);
  const missing = options.reference?.find((file) => statSync(file, {throwIfNoEntry: false})?.isFile() !== true);
  if (missing !== undefined) throw new UsageError('--reference', missing, 'a regular file that exists');
  const {reportFiles, failures, noGpu} = await runBench({
    suites: [...names],
    profile: options.profile,
    references: options.reference,
    timeReference: options.timeReference,
    only: options.only,
    processes: options.processes,
    resume: options.resume === true,
    report: options.report,
    outDir: options.out ?? defaultReportFolder(),
    adapter: options.adapter,
    signal,
    log: (line) => process.stdout.write(`${line}\n`),
  });
  process.stdout.write('\n');
  for (const file of reportFiles) process.stdout.write(`report: ${file}\n`);
  // On stderr, so that a redirected log does not hide it.
  const ending = endingOf(noGpu, failures);
  if (failures.length > 0) throw new FailureError(ending);
  if (ending !== '') process.stderr.write(`epsball: ${ending}\n`);
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
