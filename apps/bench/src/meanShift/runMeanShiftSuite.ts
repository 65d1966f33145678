import {availableParallelism} from 'node:os';
import {
  describeFit,
  estimateMs,
  fitQuadratic,
  isOurs,
  meanShiftCellSchema,
  nameMeanShift,
  planMeanShift,
  runsOnGpu,
  whyMeanShiftLeftOut,
  type MeanShiftCell,
  type MeanShiftKey,
  type MeanShiftSeries,
  type MeanShiftSuite,
} from '@epsball/benchmarks';
import {runInChild} from '../suite/childProcess.ts';
import type {CellReply} from '../suite/job.ts';
import type {CellFacts} from '../suite/onlyFilter.ts';
import type {RunSuiteOptions} from '../suite/runOptions.ts';
import {describeMeanShiftLine} from './cellLine.ts';

/** A cell needs time for start-up, pipelines and the reference, beside its own seconds. */
const STARTUP_MS = 90_000;
const TIMEOUT_FACTOR = 3;

/**
 * Runs every cell of a suite, one after the other, each in its own process. The time of a cell that would take too long
 * is estimated at the end of its series.
 *
 * @throws the signal's reason  if `signal` fires
 */
export async function runMeanShiftSuite(suite: MeanShiftSuite, options: RunSuiteOptions): Promise<MeanShiftCell[]> {
  const startedAt = performance.now();
  const cells: MeanShiftCell[] = [];
  for (const series of planMeanShiftSeries(suite, options)) {
    for (const cell of await runSeries(suite, series, options, startedAt)) {
      cells.push(cell);
      if (cell.status !== 'leftOut') options.log(`  ${describeMeanShiftLine(cell)}`);
    }
  }
  return cells;
}

/** The series with the sizes that `only` selects. */
export function planMeanShiftSeries(
  suite: MeanShiftSuite,
  {profile, only}: Pick<RunSuiteOptions, 'profile' | 'only'>,
): MeanShiftSeries[] {
  const all = planMeanShift(suite, suite.profiles[profile]);
  if (only === undefined) return all;
  return all
    .map(({subject, sizes}) => ({subject, sizes: sizes.filter((n) => only(factsOf({...subject, n})))}))
    .filter(({sizes}) => sizes.length > 0);
}

function factsOf({method, n}: MeanShiftKey): CellFacts {
  const backend = runsOnGpu(method) ? 'gpu' : method.endsWith('workers') ? 'workers' : 'sequential';
  return {names: [method, 'mean-shift'], backend, n};
}

/** The cell of an interrupted run, if it measured one. */
function earlierCell({earlierCells = []}: RunSuiteOptions, key: MeanShiftKey): MeanShiftCell | undefined {
  return earlierCells
    .flatMap((cell) => meanShiftCellSchema.safeParse(cell).data ?? [])
    .find((cell) => cell.status === 'measured' && nameMeanShift(cell) === nameMeanShift(key));
}

async function runSeries(
  suite: MeanShiftSuite,
  {subject, sizes}: MeanShiftSeries,
  options: RunSuiteOptions,
  startedAt: number,
): Promise<MeanShiftCell[]> {
  const profile = suite.profiles[options.profile];
  const {adapter, adapterError} = options.found;
  const cells: MeanShiftCell[] = [];
  const slow: MeanShiftKey[] = [];
  let previous: {n: number; runSeconds: number} | null = null;
  for (const n of sizes) {
    const key = {...subject, n};
    const context = {
      threads: availableParallelism(),
      adapterError,
      softwareGpu: adapter !== null && adapter.kind !== 'hardware',
      elapsedSeconds: (performance.now() - startedAt) / 1000,
      previous,
    };
    const why = whyMeanShiftLeftOut(subject, n, profile, context);
    const kept = earlierCell(options, key);
    if (kept === undefined && why?.isSlow === true) slow.push(key);
    options.onStart?.(`${suite.id}: ${nameMeanShift(key)}`);
    const cell: MeanShiftCell =
      kept ?? (why === null ? await runCell(suite, key, options) : {...key, status: 'leftOut', reason: why.reason});
    cells.push(cell);
    options.onCell?.(cell, kept === undefined && cell.status !== 'leftOut');
    if (cell.status === 'measured') previous = {n, runSeconds: cell.wall.medianMs / 1000};
  }
  // Trajectories that stop at convergence do not follow the quadratic law.
  return isOurs(subject.method) ? cells : withEstimates(cells, slow);
}

/** Estimates the cells that were too slow by a fit, if enough others were measured. */
function withEstimates(cells: readonly MeanShiftCell[], slow: readonly MeanShiftKey[]): MeanShiftCell[] {
  const times = cells.flatMap((cell) => (cell.status === 'measured' ? [{n: cell.n, ms: cell.wall.medianMs}] : []));
  const fit = fitQuadratic(times);
  if (fit === undefined) return [...cells];
  return cells.map((cell) => {
    const key = slow.find(({n}) => n === cell.n);
    if (key === undefined) return cell;
    return {...key, status: 'estimated', ms: estimateMs(fit, key.n), fit: describeFit(fit)};
  });
}

async function runCell(suite: MeanShiftSuite, key: MeanShiftKey, options: RunSuiteOptions): Promise<MeanShiftCell> {
  const {profile, adapter, signal} = options;
  const {repeats, deviceRepeats, cellSeconds, repeatSeconds} = suite.profiles[profile];
  const {dataset, dim, bandwidth, iterations, ours} = suite;
  const reply = await runInChild(
    {
      kind: 'mean-shift',
      ...key,
      suite: {dataset, dim, bandwidth, iterations, ours},
      profile: {repeats, deviceRepeats, cellSeconds, repeatSeconds},
      adapter,
    },
    {timeoutMs: cellSeconds * 1000 * TIMEOUT_FACTOR + STARTUP_MS, signal},
  );
  return reply.status === 'meanShift' ? reply.cell : {...key, status: 'failed', error: describeReply(reply)};
}

function describeReply(reply: CellReply): string {
  if (reply.status === 'failed') return reply.error;
  return reply.status === 'stopped' ? `stopped after ${reply.seconds} s` : `unexpected answer ${reply.status}`;
}
