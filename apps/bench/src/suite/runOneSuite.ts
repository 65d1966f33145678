import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {
  asksForGpu,
  resultFileSchema,
  type Machine,
  type ProfileName,
  type ResultFile,
  type Suite,
} from '@epsball/benchmarks';
import {writeContent} from '@epsball/datasets';
import type {BenchProgress} from './benchProgress.ts';
import {leftOutText} from './leftOutText.ts';
import type {RunJournal} from './runJournal.ts';
import type {FoundAdapter, RunSuiteOptions} from './runOptions.ts';
import {runSuite} from './runSuite.ts';

/** What all results of a run share. */
export interface RunFacts {
  readonly machine: Machine;
  readonly commit: {readonly hash: string; readonly dirty: boolean};
  readonly found: FoundAdapter;
  readonly profile: ProfileName;
}

export type OneOptions = Omit<RunSuiteOptions, 'stem'> & {readonly progress: BenchProgress};

/** Runs a suite, or takes it from the journal; its result is on disk, also if the signal ends it early. */
export async function runOneSuite(
  suite: Suite,
  {machine, commit, found, profile}: RunFacts,
  journal: RunJournal,
  {progress, ...options}: OneOptions,
): Promise<{file: string; failures: readonly string[]; noGpu: string | null}> {
  const {log, resultsDir} = options;
  const earlier = journal.earlier(suite.id);
  log('');
  log(`${suite.id}: ${suite.title} (${profile})`);
  const {id} = suite;
  if (earlier?.result !== null && earlier?.result !== undefined && existsSync(earlier.result.file)) {
    log('  measured before the run was interrupted');
    for (const _ of earlier.cells) progress.finish(false);
    return {...earlier.result, noGpu: null};
  }
  const startedAt = earlier === undefined ? new Date() : new Date(earlier.startedAt);
  const stem = earlier?.stem ?? `${id}-${profile}-${fileStamp(startedAt)}`;
  if (earlier === undefined) journal.beginSuite(id, stem, startedAt.toISOString());
  const file = join(resultsDir, `${stem}.json`);
  const finished: unknown[] = [];
  const save = async (ran: {kind: string; cells: readonly unknown[]}): Promise<ResultFile> => {
    const times = {startedAt: startedAt.toISOString(), elapsedMs: Date.now() - startedAt.getTime()};
    const head = {format: 'epsball-benchmark', version: 1, suite: id, profile};
    const result = resultFileSchema.parse({...head, ...times, commit, machine, ...found, ...ran});
    await writeContent(file, `${JSON.stringify(result, null, 2)}\n`);
    return result;
  };
  const onCell = (cell: {readonly status: string}, ran: boolean): void => {
    finished.push(cell);
    if (ran) journal.addCell(id, cell);
    progress.finish(ran);
  };
  const onStart = (name: string): void => progress.start(name);
  try {
    const {ran, broken} = await runSuite(suite, {...options, stem, earlierCells: earlier?.cells, onCell, onStart});
    const left = leftOutText(ran.cells);
    if (left !== null) log(`  ${left}`);
    const result = await save(ran);
    journal.endSuite(id, file, broken);
    return {file, failures: broken, noGpu: asksForGpu(result) ? found.adapterError : null};
  } catch (error) {
    if (options.signal?.aborted === true && finished.length > 0) await save({kind: suite.kind, cells: finished});
    throw error;
  }
}

/** `20261120T150423Z`: sorts by time and is a file name everywhere. */
function fileStamp(date: Date): string {
  return date.toISOString().replaceAll(/[-:]|\.\d+/g, '');
}
