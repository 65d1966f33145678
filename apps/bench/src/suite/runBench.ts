import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {
  asksForGpu,
  suites as allSuites,
  suitesNamed,
  type ProfileName,
  type ResultFile,
  type Suite,
} from '@epsball/benchmarks';
import {GpuUnavailableError, InvalidParameterError} from '@epsball/clustering';
import {writeFileAtomically} from '@epsball/datasets';
import type {AdapterChoice} from '@epsball/gpu';
import {forcedAdapter} from '@epsball/cli/command';
import {prepareFolder} from '../prepareFolder.ts';
import {writeReport} from '../report/writeReport.ts';
import {runInChild} from './childProcess.ts';
import {readEarlierLabels} from './dbscan/earlierLabels.ts';
import {describeCommit, describeMachine} from './machine.ts';
import type {FoundAdapter} from './runOptions.ts';
import {runSuite} from './runSuite.ts';

/** Enough for a driver to load; a probe that takes longer is stuck. */
const PROBE_TIMEOUT_MS = 60_000;

export interface RunBenchOptions {
  /** Names of suites, as `suitesNamed` takes them; empty = all. */
  readonly suites: readonly string[];
  readonly profile: ProfileName;
  /** Result files of earlier runs, whose labels replace runs of the reference. Default: none. */
  readonly references?: readonly string[] | undefined;
  /** Results go to `outDir/results`, the report beside it. */
  readonly outDir: string;
  readonly adapter: AdapterChoice;
  readonly signal?: AbortSignal | undefined;
  /** Called with one line of progress at a time. */
  readonly log: (line: string) => void;
}

export interface BenchOutcome {
  readonly resultFiles: string[];
  readonly reportFiles: readonly string[];
  /** Failed cells and broken limits on memory, one sentence each. Empty = exit code 0. */
  readonly failures: string[];
  /** Why there is no adapter for the GPU cells; null if no GPU cell was left out for this reason. */
  readonly noGpu: string | null;
}

/**
 * Runs suites and writes their results and one report.
 *
 * A failed cell does not stop the others. The report and `failures` list it.
 *
 * @throws InvalidParameterError  if a suite is unknown (lists the suites), or a reference is not a result file
 * @throws DatasetWriteError      if the folder takes no files; no cell has run then
 * @throws UsageError             if EPSBALL_ADAPTER is not a kind of adapter
 * @throws GpuUnavailableError    if the caller names a kind of adapter that the machine lacks; no cell has run then
 * @throws the signal's reason    if `signal` fires; the running child is killed, finished suites stay on disk
 */
export async function runBench(options: RunBenchOptions): Promise<BenchOutcome> {
  const {profile, outDir, signal, log} = options;
  const chosen = chooseSuites(options.suites);
  const forced = forcedAdapter(options.adapter);
  const earlierLabels = await readEarlierLabels(options.references ?? []);
  const resultsDir = join(outDir, 'results');
  await prepareFolder(outDir);
  await prepareFolder(resultsDir);

  const machine = describeMachine();
  const commit = await describeCommit();
  const found = await probeAdapter(options.adapter, signal);
  if (forced !== null && found.adapter === null) {
    throw new GpuUnavailableError(`${forced.by} = ${forced.choice}: ${found.adapterError}`);
  }
  log(`${machine.cpu}, ${machine.threads} threads, Node ${machine.node}`);
  log(found.adapter === null ? `no GPU: ${found.adapterError}` : `GPU: ${found.adapter.name} (${found.adapter.kind})`);

  const resultFiles: string[] = [];
  const failures: string[] = [];
  let noGpu: string | null = null;
  for (const suite of chosen) {
    const startedAt = new Date();
    log('');
    log(`${suite.id}: ${suite.title} (${profile})`);
    const stem = `${suite.id}-${profile}-${fileStamp(startedAt)}`;
    const {ran, broken} = await runSuite(suite, {
      profile,
      adapter: options.adapter,
      found,
      resultsDir,
      stem,
      earlierLabels,
      signal,
      log,
    });
    const result: ResultFile = {
      format: 'epsball-benchmark',
      version: 1,
      suite: suite.id,
      profile,
      startedAt: startedAt.toISOString(),
      elapsedMs: Date.now() - startedAt.getTime(),
      commit,
      machine,
      ...found,
      ...ran,
    };
    const file = join(resultsDir, `${stem}.json`);
    await writeFileAtomically(file, (temporary) => writeFile(temporary, `${JSON.stringify(result, null, 2)}\n`));
    resultFiles.push(file);
    failures.push(...broken);
    if (asksForGpu(result)) noGpu = found.adapterError;
  }
  const {files: reportFiles} = await writeReport({results: resultFiles, outDir, signal});
  return {resultFiles, reportFiles, failures, noGpu};
}

/** The suites with these names, in the order of the list of suites. */
function chooseSuites(names: readonly string[]): readonly Suite[] {
  const unknown = names.find((name) => suitesNamed(name).length === 0);
  if (unknown !== undefined) {
    throw new InvalidParameterError('suite', unknown, `one of ${allSuites.map(({id}) => id).join(', ')}`);
  }
  const wanted = new Set(names.flatMap(suitesNamed));
  return names.length === 0 ? allSuites : allSuites.filter((suite) => wanted.has(suite));
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

/** `20261120T150423Z`: sorts by time and is a file name everywhere. */
function fileStamp(date: Date): string {
  return date.toISOString().replaceAll(/[-:]|\.\d+/g, '');
}
