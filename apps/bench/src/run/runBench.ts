import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {
  findFailures,
  resultFileSchema,
  suites as allSuites,
  suitesNamed,
  type Cell,
  type ProfileName,
  type ResultFile,
  type Suite,
} from '@epsball/benchmarks';
import {formatSpan} from '@epsball/cli/command';
import {InvalidParameterError} from '@epsball/clustering';
import {writeContent} from '@epsball/datasets';
import {prepareFolder} from '../prepareFolder.ts';
import {committedBaselines, committedReferences, newestResults} from '../files.ts';
import {readEarlierLabels} from './earlierLabels.ts';
import {describeRun, type RunFacts} from './facts.ts';
import {RunJournal, type RunHeader} from './journal.ts';
import {cellLine, leftOutLine} from './lines.ts';
import {lockBench} from './lock.ts';
import {describeLoad} from './machine.ts';
import {onlyFilter, type OnlyFilter} from './only.ts';
import {planCells, validOnly} from './plan.ts';
import {BenchProgress} from './progress.ts';
import {runSuite, type RunSuiteOptions} from './runSuite.ts';

/** After so long the usual run starts no further cell, so that it ends within 150 s. */
const USUAL_SECONDS = 120;

export interface RunBenchOptions extends Pick<
  RunSuiteOptions,
  'profile' | 'adapter' | 'timeReference' | 'processes' | 'signal'
> {
  /** Names of suites, as `suitesNamed` takes them, in running order; empty = the usual ones. */
  readonly suites: readonly string[];
  /** Every suite, if `suites` is empty. Default: false. */
  readonly all?: boolean | undefined;
  /** Result files of earlier runs, whose labels replace runs of the reference. Default: none. */
  readonly references?: readonly string[] | undefined;
  /** Results go to `outDir/results`, the report beside it. */
  readonly outDir: string;
  /** Which cells run, as `onlyFilter` takes them. Default: all. */
  readonly only?: readonly string[] | undefined;
  /** Goes on with the unfinished run of the folder, if there is one. */
  readonly resume?: boolean | undefined;
  /** Whether a report, and its cluster pictures, are written beside the results. Default: true. */
  readonly report?: boolean | undefined;
  /** Called with one line of progress at a time. */
  readonly log: (line: string) => void;
}

export interface BenchOutcome {
  readonly results: ResultFile[];
  reportFiles: readonly string[];
  /** Failed cells and broken limits on memory, one sentence each. Empty = exit code 0. */
  readonly failures: string[];
  /** Why there is no adapter for the GPU cells; null if no GPU cell was left out for this reason. */
  noGpu: string | null;
}

/**
 * Runs suites and writes their results and one report of them, which has the newest result of every other suite in the
 * folder, too.
 *
 * A failed cell does not stop the others. The report and `failures` list it. Finished cells are on disk at once. If
 * `signal` fires, the report has what was measured until then.
 *
 * @throws InvalidParameterError  if a suite is unknown (lists the suites), a reference is not a result file, `only`
 *                                selects nothing (lists what it may be), or the unfinished run has another commit
 * @throws DatasetWriteError      if the folder takes no files; no cell has run then
 * @throws UsageError             if EPSBALL_ADAPTER is not a kind of adapter
 * @throws GpuUnavailableError    if the caller names a kind of adapter that the machine lacks; no cell has run then
 * @throws the signal's reason    if `signal` fires; the running child is killed
 */
export async function runBench(options: RunBenchOptions): Promise<BenchOutcome> {
  chooseSuites(options);
  const resultsDir = join(options.outDir, 'results');
  await prepareFolder(options.outDir);
  await prepareFolder(resultsDir);
  const unlock = await lockBench(resultsDir, options.log, options.signal);
  try {
    return await runLocked(options, resultsDir);
  } finally {
    unlock();
  }
}

async function runLocked(options: RunBenchOptions, resultsDir: string): Promise<BenchOutcome> {
  const {outDir, signal, log, only = [], report = true} = options;
  const earlierLabels = await readEarlierLabels(options.references ?? []);
  const facts = await describeRun(options);
  const {found} = facts;
  const isUsual = [...options.suites, ...only].length === 0 && options.all !== true && options.profile === 'quick';
  const journal = openJournal(resultsDir, headerOf(options, facts), options.resume === true, log);
  const {profile, processes} = journal.header;
  const {chosen, total, filter} = chooseCells(journal);
  const mostSeconds = isUsual
    ? 150
    : chosen.reduce((sum, suite) => sum + suite.profiles[profile].suiteSeconds * processes, 0);
  log(
    `${total} cells of ${chosen.length} ${chosen.length === 1 ? 'suite' : 'suites'}: ${chosen.map(({id}) => id).join(', ')}`,
  );
  log(
    `at most ${formatSpan(1000 * mostSeconds)}${mostSeconds < 60 ? '' : mostSeconds < 3600 ? ' min' : ' h'}, ${profile} profile${isUsual ? '; bench --all runs every suite' : ''}`,
  );

  const progress = new BenchProgress(total, mostSeconds);
  const say = (line: string): void => progress.writeAbove(() => log(line));
  const run: BenchOutcome = {results: [], reportFiles: [], failures: [], noGpu: null};
  try {
    for (const [k, suite] of chosen.entries()) {
      const seconds = isUsual ? shareOf(chosen.slice(k), profile, USUAL_SECONDS - progress.elapsedSeconds) : undefined;
      const here = {profile, processes, found, resultsDir, earlierLabels, only: filter, pictures: report, seconds};
      const result = await runOneSuite(suite, facts, journal, {...options, ...here, progress, log: say});
      run.results.push(result);
      run.failures.push(...findFailures(suite, result.cells, found.adapter));
      if (result.cells.some(({backend}) => backend === 'gpu') && found.adapter === null) run.noGpu = found.adapterError;
    }
    journal.remove();
  } finally {
    progress.end();
    const results = report ? newestResults(resultsDir) : [];
    if (results.length > 0) {
      const {writeReport} = await import('../report/writeReport.ts');
      const [references, beside] = [committedReferences(), committedBaselines()];
      run.reportFiles = (await writeReport({references, beside, results, outDir})).files;
    }
    if (signal?.aborted === true && results.length > 0) {
      log(`the report has what was measured; --resume goes on: ${run.reportFiles[0]}`);
    }
  }
  signal?.throwIfAborted();
  return run;
}

/** The first suite's share of the seconds that are left, so that the last suites run on a slow machine, too. */
function shareOf(left: readonly Suite[], profile: ProfileName, seconds: number): number {
  const [first, ...others] = left.map(({profiles}) => profiles[profile].suiteSeconds);
  return (seconds * first) / others.reduce((sum, one) => sum + one, first);
}

function headerOf(options: RunBenchOptions, {machine, commit, found}: RunFacts): RunHeader {
  const {profile, adapter, only = [], processes = 1} = options;
  return {
    suites: chooseSuites(options).map(({id}) => id),
    profile,
    adapter,
    only: [...only],
    processes,
    commit: `${commit.hash}${commit.dirty ? ' with local changes' : ''}`,
    machine: `${found.adapter?.name ?? 'no GPU'}, ${machine.cpu}, ${machine.threads} threads`,
  };
}

/** The suites of a run that have a cell, and how many cells they have. */
function chooseCells(journal: RunJournal): {chosen: Suite[]; total: number; filter: OnlyFilter | undefined} {
  const {only, suites: ids, profile} = journal.header;
  const filter = only.length === 0 ? undefined : onlyFilter(only);
  const suites = ids.flatMap((id) => allSuites.filter((suite) => suite.id === id));
  const counts = suites.map((suite) => planCells(suite, {profile, only: filter}).length);
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) {
    journal.remove();
    throw new InvalidParameterError('--only', only.join(' '), `some of ${validOnly(suites, profile).join(', ')}`);
  }
  return {chosen: suites.filter((_, k) => counts[k] > 0), total, filter};
}

/** The journal of the unfinished run if it goes on, or a new one. */
function openJournal(resultsDir: string, asked: RunHeader, resume: boolean, log: (line: string) => void): RunJournal {
  const earlier = resume ? RunJournal.open(resultsDir) : null;
  if (earlier === null) {
    if (resume) log('no unfinished run: a new one begins');
    return RunJournal.start(resultsDir, asked);
  }
  const {header} = earlier;
  for (const fact of ['commit', 'machine', 'adapter'] as const) {
    if (header[fact] !== asked[fact]) {
      throw new InvalidParameterError('--resume', `${fact} ${asked[fact]}`, `${header[fact]}, as the unfinished run`);
    }
  }
  log(`going on with ${header.suites.length} suites, ${header.profile} profile`);
  return earlier;
}

/** The suites with these names, each once, in the order of the names. */
function chooseSuites({suites: names, all = false}: Pick<RunBenchOptions, 'suites' | 'all'>): readonly Suite[] {
  const unknown = names.find((name) => suitesNamed(name).length === 0);
  if (unknown !== undefined) {
    throw new InvalidParameterError('suite', unknown, `one of ${allSuites.map(({id}) => id).join(', ')}`);
  }
  if (names.length === 0) return all ? allSuites : allSuites.filter(({isUsual}) => isUsual === true);
  return [...new Set(names.flatMap(suitesNamed))];
}

type OneOptions = Omit<RunSuiteOptions, 'stem'> & {
  readonly progress: BenchProgress;
  readonly log: (line: string) => void;
};

/** Runs a suite, or takes it from the journal; its result is on disk, also if the signal ends it early. */
async function runOneSuite(
  suite: Suite,
  facts: RunFacts,
  journal: RunJournal,
  {progress, log, ...options}: OneOptions,
): Promise<ResultFile> {
  const {id, title} = suite;
  const {profile, resultsDir, signal} = options;
  const earlier = journal.earlier(id);
  log('');
  log(`${id}: ${title} (${profile})`);
  const done = earlier?.result?.file;
  if (earlier !== undefined && done !== undefined && existsSync(done)) {
    log('  measured before the run was interrupted');
    for (const _ of earlier.cells) progress.finish(false);
    const {readResult} = await import('../readResult.ts');
    return readResult(done);
  }
  const startedAt = earlier === undefined ? new Date() : new Date(earlier.startedAt);
  // `20261120T150423Z`: sorts by time and is a file name everywhere.
  const stem = earlier?.stem ?? `${id}-${profile}-${startedAt.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;
  if (earlier === undefined) journal.append({line: 'suite', suite: id, stem, startedAt: startedAt.toISOString()});
  const file = join(resultsDir, `${stem}.json`);
  const before = describeLoad();
  const save = async (cells: readonly Cell[]): Promise<ResultFile> => {
    const times = {startedAt: startedAt.toISOString(), elapsedMs: Date.now() - startedAt.getTime()};
    const after = describeLoad();
    const load = before === null || after === null ? null : {before, after};
    const {machine, commit, found} = facts;
    const head = {format: 'epsball-benchmark', version: 2, suite: id, profile, ...times, load, commit, machine};
    const result = resultFileSchema.parse({...head, ...found, cells});
    await writeContent(file, `${JSON.stringify(result, null, 2)}\n`);
    return result;
  };
  const finished: Cell[] = [];
  const onCell: RunSuiteOptions['onCell'] = (cell, ran, reference) => {
    finished.push(cell);
    if (ran) journal.append({line: 'cell', suite: id, cell});
    progress.finish(ran);
    if (cell.status !== 'leftOut') log(`  ${cellLine(cell, reference)}`);
  };
  const onStart = (name: string): void => progress.start(name);
  try {
    const cells = await runSuite(suite, {...options, stem, earlierCells: earlier?.cells, onCell, onStart});
    const left = leftOutLine(cells);
    if (left !== null) log(`  ${left}`);
    const result = await save(cells);
    journal.append({line: 'result', suite: id, file});
    return result;
  } catch (error) {
    if (signal?.aborted === true && finished.length > 0) await save(finished);
    throw error;
  }
}
