import {
  hdbscanCellSchema,
  nameHdbscan,
  planHdbscan,
  whyHdbscanLeftOut,
  type HdbscanCell,
  type HdbscanKey,
  type HdbscanSuite,
} from '@epsball/benchmarks';
import {formatMs} from '@epsball/cli/command';
import {runInChild} from '../suite/childProcess.ts';
import type {RunSuiteOptions} from '../suite/runOptions.ts';
import {hasR} from './besideR.ts';

/** A cell needs time for start-up and pipelines beside its own seconds. */
const STARTUP_MS = 60_000;

/**
 * Runs every cell of a suite, one after the other, each in its own process.
 *
 * @throws the signal's reason  if `signal` fires
 */
export async function runHdbscanSuite(suite: HdbscanSuite, options: RunSuiteOptions): Promise<HdbscanCell[]> {
  const {adapter, adapterError} = options.found;
  const startedAt = performance.now();
  const machine = {adapterError, softwareGpu: adapter !== null && adapter.kind !== 'hardware', hasR: hasR()};
  const cells: HdbscanCell[] = [];
  for (const key of planHdbscanCells(suite, options)) {
    const context = {...machine, elapsedSeconds: (performance.now() - startedAt) / 1000};
    const reason = whyHdbscanLeftOut(key, suite, suite.profiles[options.profile], context);
    const kept = earlierCell(options, key);
    options.onStart?.(`${suite.id}: ${nameHdbscan(key)}`);
    const cell: HdbscanCell =
      kept ?? (reason === null ? await runCell(suite, key, options) : {...key, status: 'leftOut', reason});
    cells.push(cell);
    options.onCell?.(cell, kept === undefined && reason === null);
    if (cell.status !== 'leftOut') options.log(`  ${describeCell(cell)}`);
  }
  return cells;
}

/** The cells that `only` selects. */
export function planHdbscanCells(
  suite: HdbscanSuite,
  {profile, only = () => true}: Pick<RunSuiteOptions, 'profile' | 'only'>,
): HdbscanKey[] {
  return planHdbscan(suite, suite.profiles[profile]).filter(({method, dataset, n}) =>
    only({names: [method, 'hdbscan', dataset.split(':', 1)[0]], backend: method, n}),
  );
}

/** The cell of an interrupted run, if it measured one. */
function earlierCell({earlierCells = []}: RunSuiteOptions, key: HdbscanKey): HdbscanCell | undefined {
  return earlierCells
    .flatMap((cell) => hdbscanCellSchema.safeParse(cell).data ?? [])
    .find(
      (cell) => cell.status === 'measured' && cell.dataset === key.dataset && nameHdbscan(cell) === nameHdbscan(key),
    );
}

async function runCell(
  {minClusterSize, minSamples, profiles}: HdbscanSuite,
  key: HdbscanKey,
  {profile, adapter, signal}: RunSuiteOptions,
): Promise<HdbscanCell> {
  const {repeats, cellSeconds} = profiles[profile];
  const reply = await runInChild(
    {kind: 'hdbscan', ...key, suite: {minClusterSize, minSamples}, profile: {repeats}, adapter},
    {timeoutMs: cellSeconds * 1000 + STARTUP_MS, signal},
  );
  if (reply.status === 'hdbscan') return reply.cell;
  if (reply.status === 'failed') return {...key, status: 'failed', error: reply.error};
  const error = reply.status === 'stopped' ? `stopped after ${reply.seconds} s` : `unexpected answer ${reply.status}`;
  return {...key, status: 'failed', error};
}

/** One line of progress for a finished cell. */
function describeCell(cell: HdbscanCell): string {
  const name = nameHdbscan(cell).padEnd(34);
  if (cell.status === 'leftOut') return `${name}  left out: ${cell.reason}`;
  if (cell.status === 'failed') return `${name}  FAILED: ${cell.error}`;
  const device = cell.device === null ? '' : `, device ${formatMs(cell.device.medianMs)}`;
  return `${name}  ${formatMs(cell.wall.medianMs)}${device}  verified`;
}
