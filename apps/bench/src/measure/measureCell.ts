import {keyOf, medianPhases, summarizeTimes, type Cell, type MeasuredCell} from '@epsball/benchmarks';
import {GpuLimitError} from '@epsball/clustering';
import {setImmediate as turn} from 'node:timers/promises';
import type {CellJob} from '../run/job.ts';

/** What a kind of suite finds out about a cell; the rest of a cell is empty. */
export type Measured = Partial<MeasuredCell> & Pick<MeasuredCell, 'wall' | 'verified'>;

/**
 * Measures a cell in this process. A cell that exceeds a limit of the adapter is left out.
 *
 * @throws Error  if the result is wrong
 */
export async function measureCell(job: CellJob, measure: (job: CellJob) => Promise<Measured>): Promise<Cell> {
  const key = keyOf(job);
  try {
    return {...EMPTY, ...key, ...(await measure(job)), status: 'measured'};
  } catch (error) {
    if (!(error instanceof GpuLimitError)) throw error;
    const {what, asked, allowed} = error;
    const most = Number.isNaN(allowed) ? 'less' : allowed.toLocaleString('en-US');
    const reason = `${what} = ${asked.toLocaleString('en-US')}; the adapter allows ${most}`;
    return {...key, status: 'leftOut', reason};
  }
}

const EMPTY = {
  device: null,
  phaseMs: {},
  devicePhaseMs: null,
  counters: {},
  points: null,
  labels: null,
  clusters: null,
  noise: null,
  hostBytes: null,
  deviceBytes: null,
  picture: null,
} as const;

/** Short runs repeat up to this many times `repeats`, if the profile has no `repeatsMax`. */
const MORE_REPEATS = 5;
/** The same for warm-ups: V8 has compiled a run of 2 ms on many threads after about 200 runs. */
const MORE_WARMUPS = 200;

/**
 * Runs again after a first run: warm-ups, then the counted ones. The first one counts if it takes more than a quarter
 * of the seconds for repeats, because a warm-up would buy nothing.
 *
 * @returns  of the counted runs
 */
export async function repeatRuns<Stats extends {readonly wallMs: number}>(
  first: Stats,
  {warmups, repeats, repeatsMax, settleSeconds, warmSeconds, cellSeconds, repeatSeconds}: CellJob['profile'],
  run: () => Promise<Stats>,
): Promise<Stats[]> {
  const budgetMs = 1000 * (repeatSeconds ?? cellSeconds);
  const isFirstCounted = first.wallMs > budgetMs / 4;
  const runs: Stats[] = isFirstCounted ? [first] : [];
  let spentMs = first.wallMs;
  const warmMs = 1000 * (warmSeconds ?? settleSeconds);
  const mostWarmups = isFirstCounted ? 0 : warmups * MORE_WARMUPS;
  for (let done = 1; done < mostWarmups && (done < warmups || spentMs < warmMs); done++) {
    await collectGarbage();
    spentMs += (await run()).wallMs;
  }
  let countedMs = isFirstCounted ? first.wallMs : 0;
  const wants = (): boolean => {
    const last = runs.at(-1);
    if (last === undefined) return true;
    if (spentMs + last.wallMs > budgetMs) return false;
    const most = repeatsMax ?? repeats * MORE_REPEATS;
    return runs.length < repeats || (runs.length < most && countedMs < settleSeconds * 1000);
  };
  while (wants()) {
    await collectGarbage();
    const stats = await run();
    runs.push(stats);
    spentMs += stats.wallMs;
    countedMs += stats.wallMs;
  }
  return runs;
}

/**
 * Collects the garbage of the previous run, if the process was started with `--expose-gc`, and waits for one turn of
 * the event loop. That turn releases command buffers and mapped memory of a GPU, which would otherwise happen during
 * the next run.
 */
export async function collectGarbage(): Promise<void> {
  globalThis.gc?.();
  await turn();
}

/** What runs of the algorithms report. */
interface RunStats {
  readonly wallMs: number;
  readonly deviceMs?: number;
  readonly phaseMs: Readonly<Partial<Record<string, number>>>;
  readonly devicePhaseMs?: Readonly<Partial<Record<string, number>>>;
  readonly counters: Readonly<Record<string, number>>;
}

/** The times of counted runs. */
export function describeRuns(
  runs: readonly RunStats[],
): Pick<MeasuredCell, 'wall' | 'device' | 'phaseMs' | 'devicePhaseMs' | 'counters'> {
  const deviceMs = runs.flatMap((run) => run.deviceMs ?? []);
  const devicePhases = runs.flatMap(({devicePhaseMs}) => (devicePhaseMs === undefined ? [] : [devicePhaseMs]));
  return {
    wall: summarizeTimes(runs.map(({wallMs}) => wallMs)),
    device: deviceMs.length === runs.length ? summarizeTimes(deviceMs) : null,
    phaseMs: medianPhases(runs.map(({phaseMs}) => phaseMs)),
    devicePhaseMs: devicePhases.length === runs.length ? medianPhases(devicePhases) : null,
    counters: {...runs[0].counters},
  };
}
