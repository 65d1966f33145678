import {join} from 'node:path';
import {
  suites as allSuites,
  suitesNamed,
  type ProfileName,
  type Suite,
  type SuiteKind,
  type SuiteOf,
} from '@epsball/benchmarks';
import {GpuUnavailableError, InvalidParameterError} from '@epsball/clustering';
import type {AdapterChoice} from '@epsball/gpu';
import {forcedAdapter} from '@epsball/cli/command';
import {prepareFolder} from '../prepareFolder.ts';
import {committedBaselines, committedReferences} from '../report/committed.ts';
import {newestResults} from './allResults.ts';
import {lockBench} from './benchLock.ts';
import {BenchProgress} from './benchProgress.ts';
import {runInChild} from './childProcess.ts';
import {readEarlierLabels} from './dbscan/earlierLabels.ts';
import {describeCommit, describeMachine} from './machine.ts';
import {kinds} from './kinds.ts';
import {onlyFilter, requireCells} from './onlyFilter.ts';
import {RunJournal, type RunHeader} from './runJournal.ts';
import type {FoundAdapter, RunSuiteOptions} from './runOptions.ts';
import {runOneSuite, type RunFacts} from './runOneSuite.ts';

/** Enough for a driver to load; a probe that takes longer is stuck. */
const PROBE_TIMEOUT_MS = 60_000;

export interface RunBenchOptions {
  /** Names of suites, as `suitesNamed` takes them, in running order; empty = all, in the order of the list. */
  readonly suites: readonly string[];
  readonly profile: ProfileName;
  /** Result files of earlier runs, whose labels replace runs of the reference. Default: none. */
  readonly references?: readonly string[] | undefined;
  /** Results go to `outDir/results`, the report beside it. */
  readonly outDir: string;
  readonly adapter: AdapterChoice;
  /** Seconds; as in `RunSuiteOptions`. */
  readonly timeReference?: number | undefined;
  /** Which cells run, as `onlyFilter` takes them. Default: all. */
  readonly only?: readonly string[] | undefined;
  /** Child processes of a cell of DBSCAN. Default: 1. */
  readonly processes?: number | undefined;
  /** Goes on with the unfinished run of the folder, if there is one. */
  readonly resume?: boolean | undefined;
  /** Whether a report, and its cluster pictures, are written beside the results. Default: true. */
  readonly report?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with one line of progress at a time. */
  readonly log: (line: string) => void;
}

export interface BenchOutcome {
  readonly resultFiles: string[];
  reportFiles: readonly string[];
  /** Failed cells and broken limits on memory, one sentence each. Empty = exit code 0. */
  readonly failures: string[];
  /** Why there is no adapter for the GPU cells; null if no GPU cell was left out for this reason. */
  noGpu: string | null;
}

/**
 * Runs suites and writes their results and one report, which has the newest result of every other suite in the folder,
 * too.
 *
 * A failed cell does not stop the others. The report and `failures` list it. Finished cells are on disk at once. If
 * `signal` fires, the report has what was measured until then.
 *
 * @throws InvalidParameterError  if a suite is unknown (lists the suites), a reference is not a result file, `only`
 *                                selects nothing, or the unfinished run has another commit or machine
 * @throws DatasetWriteError      if the folder takes no files; no cell has run then
 * @throws UsageError             if EPSBALL_ADAPTER is not a kind of adapter
 * @throws GpuUnavailableError    if the caller names a kind of adapter that the machine lacks; no cell has run then
 * @throws the signal's reason    if `signal` fires; the running child is killed
 */
export async function runBench(options: RunBenchOptions): Promise<BenchOutcome> {
  chooseSuites(options.suites);
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
  const {outDir, signal, log} = options;
  const chosen = chooseSuites(options.suites);
  const earlierLabels = await readEarlierLabels(options.references ?? []);
  const facts = await describeRun(options);
  const {machine, commit, found} = facts;
  const only = options.only ?? [];
  const asked = {
    suites: chosen.map(({id}) => id),
    profile: options.profile,
    adapter: options.adapter,
    only: [...only],
    processes: options.processes ?? 1,
    commit: `${commit.hash}${commit.dirty ? ' with local changes' : ''}`,
    machine: `${found.adapter?.name ?? 'no GPU'}, ${machine.cpu}, ${machine.threads} threads`,
  };
  const journal = openJournal(resultsDir, asked, options.resume === true, log);
  const {profile, processes} = journal.header;
  const filter = journal.header.only.length === 0 ? undefined : onlyFilter(journal.header.only);
  const suites = journal.header.suites.flatMap((id) => allSuites.filter((suite) => suite.id === id));
  const counts = new Map(suites.map((suite) => [suite.id, countCells(suite, {profile, only: filter})]));
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (total === 0) journal.remove();
  requireCells(journal.header.only, total);

  const progress = new BenchProgress(total);
  const say = (line: string): void => progress.writeAbove(() => log(line));
  const run: BenchOutcome = {resultFiles: [], reportFiles: [], failures: [], noGpu: null};
  try {
    for (const suite of suites.filter(({id}) => (counts.get(id) ?? 0) > 0)) {
      const shared = {profile, adapter: options.adapter, found, resultsDir, earlierLabels, signal, processes};
      const {file, failures, noGpu} = await runOneSuite(suite, {...facts, profile}, journal, {
        ...shared,
        only: filter,
        timeReference: options.timeReference,
        pictures: options.report !== false,
        progress,
        log: say,
      });
      run.resultFiles.push(file);
      run.failures.push(...failures);
      if (noGpu !== null) run.noGpu = noGpu;
    }
    journal.remove();
  } finally {
    progress.end();
    const results = options.report === false ? [] : newestResults(resultsDir);
    if (results.length > 0) {
      const {writeReport} = await import('../report/writeReport.ts');
      const beside = committedBaselines();
      run.reportFiles = (await writeReport({references: committedReferences(), beside, results, outDir})).files;
    }
    if (signal?.aborted === true && results.length > 0) {
      log(`the report has what was measured; --resume goes on: ${run.reportFiles[0]}`);
    }
  }
  signal?.throwIfAborted();
  return run;
}

/** Machine, commit and adapter of a run, which it logs. */
async function describeRun({adapter, signal, log}: RunBenchOptions): Promise<Omit<RunFacts, 'profile'>> {
  const forced = forcedAdapter(adapter);
  const machine = describeMachine();
  const commit = await describeCommit();
  const found = await probeAdapter(adapter, signal);
  if (forced !== null && found.adapter === null) {
    throw new GpuUnavailableError(`${forced.by} = ${forced.choice}: ${found.adapterError}`);
  }
  log(`${machine.cpu}, ${machine.threads} threads, Node ${machine.node}`);
  log(found.adapter === null ? `no GPU: ${found.adapterError}` : `GPU: ${found.adapter.name} (${found.adapter.kind})`);
  return {machine, commit, found};
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
function chooseSuites(names: readonly string[]): readonly Suite[] {
  const unknown = names.find((name) => suitesNamed(name).length === 0);
  if (unknown !== undefined) {
    throw new InvalidParameterError('suite', unknown, `one of ${allSuites.map(({id}) => id).join(', ')}`);
  }
  const wanted = new Set(names.flatMap(suitesNamed));
  return names.length === 0 ? allSuites : [...wanted];
}

/**
 * Probes in a child process, so that this process never opens a device: an open device costs a busy core on some
 * drivers.
 */
async function probeAdapter(adapter: AdapterChoice, signal: AbortSignal | undefined): Promise<FoundAdapter> {
  const reply = await runInChild({kind: 'probe', adapter}, {timeoutMs: PROBE_TIMEOUT_MS, signal});
  if (reply.status === 'probed') return {adapter: reply.adapter, adapterError: null};
  return {adapter: null, adapterError: reply.status === 'failed' ? reply.error : 'the adapter did not answer'};
}

function countCells<Kind extends SuiteKind>(
  suite: SuiteOf<Kind>,
  options: Pick<RunSuiteOptions, 'profile' | 'only'>,
): number {
  return kinds[suite.kind].countCells(suite, options);
}
