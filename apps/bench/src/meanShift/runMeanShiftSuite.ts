import {availableParallelism} from 'node:os';
import {
  describeFit,
  estimateMs,
  fitQuadratic,
  isOurs,
  planMeanShift,
  whyMeanShiftLeftOut,
  type MeanShiftCell,
  type MeanShiftKey,
  type MeanShiftSeries,
  type MeanShiftSuite,
} from '@epsball/benchmarks';
import {runInChild} from '../suite/childProcess.ts';
import type {CellReply} from '../suite/job.ts';
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
  for (const series of planMeanShift(suite, suite.profiles[options.profile])) {
    for (const cell of await runSeries(suite, series, options, startedAt)) {
      cells.push(cell);
      options.log(`  ${describeMeanShiftLine(cell)}`);
    }
  }
  return cells;
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
    if (why?.isSlow === true) slow.push(key);
    const cell: MeanShiftCell =
      why === null ? await runCell(suite, key, options) : {...key, status: 'leftOut', reason: why.reason};
    cells.push(cell);
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
  const {repeats, deviceRepeats, cellSeconds} = suite.profiles[profile];
  const {dataset, dim, bandwidth, iterations, ours} = suite;
  const reply = await runInChild(
    {
      kind: 'mean-shift',
      ...key,
      suite: {dataset, dim, bandwidth, iterations, ours},
      profile: {repeats, deviceRepeats, cellSeconds},
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
