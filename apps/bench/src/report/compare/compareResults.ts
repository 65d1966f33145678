import {
  keyText,
  LEAST_PROCESSES,
  logInterval,
  machineName,
  nameSubject,
  nameWorkload,
  type Cell,
  type Interval,
  type MeasuredCell,
  type ResultFile,
} from '@epsball/benchmarks';

/**
 * What became of a cell of the baseline. `same`: the interval of its ratio contains 1. `unjudged`: fewer than three
 * processes on a side, so only the ratio is shown.
 */
type ChangeKind = 'failed' | 'wrong' | 'missing' | 'slower' | 'unjudged' | 'same' | 'faster';

/** One cell of the baseline, compared. */
export interface CellChange {
  readonly name: string;
  readonly kind: ChangeKind;
  /** Our time over that of the baseline, with its interval if it is judged; null where we have none. */
  readonly ratio: Interval | null;
  readonly oursMs: number | null;
  readonly baseMs: number;
  /** Why the cell is missing; empty for others. */
  readonly reason: string;
}

export interface ResultComparison {
  /** The worst first: failed, wrong, missing, slower from the largest ratio on, then the rest down to the fastest. */
  readonly changes: readonly CellChange[];
  /** Results without a baseline of their suite, profile and machine. */
  readonly unmatched: readonly string[];
  /** `load 0.4 to 1.2, the baseline’s not recorded`. */
  readonly loads: string;
}

const ORDER: readonly ChangeKind[] = ['failed', 'wrong', 'missing', 'slower', 'unjudged', 'same', 'faster'];

/**
 * Judges results against a baseline, cell by cell. Only results of the same suite, profile, GPU, CPU and threads are
 * compared. Several results of a suite are several processes of its cells.
 *
 * @param ours  judged
 * @param base  the baseline
 */
export function compareResults(ours: readonly ResultFile[], base: readonly ResultFile[]): ResultComparison {
  const pairs = [...Map.groupBy(ours, placeOf)].map(([place, results]) => ({
    results,
    place,
    baseline: base.filter((one) => placeOf(one) === place),
  }));
  const matched = pairs.filter(({baseline}) => baseline.length > 0);
  const cells = matched.map(({results, baseline}) => ({
    now: timesOf(results),
    before: [...timesOf(baseline)].filter(([, {status}]) => status === 'measured'),
  }));
  const count = cells.reduce((sum, {before}) => sum + before.length, 0);
  const changes = cells.flatMap(({now, before}) => before.map(([key, times]) => changeOf(times, now.get(key), count)));
  return {
    changes: changes.toSorted(
      (a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || (b.ratio?.value ?? 0) - (a.ratio?.value ?? 0),
    ),
    unmatched: pairs.filter(({baseline}) => baseline.length === 0).map(({place}) => place),
    loads: `load ${loadText(matched.flatMap(({results}) => results))}; baseline: ${loadText(matched.flatMap(({baseline}) => baseline))}`,
  };
}

/**
 * Whether a change makes the command fail: the cell failed, has other labels or is missing, or the lower end of its
 * interval is above the allowed growth.
 *
 * @param allowed  share, such as 0.1
 */
export function failsAbove({kind, ratio}: CellChange, allowed: number): boolean {
  if (kind === 'failed' || kind === 'wrong' || kind === 'missing') return true;
  return kind === 'slower' && ratio !== null && ratio.low > 1 + allowed;
}

/** Suite, profile and machine: what two results must share. */
export function placeOf(result: ResultFile): string {
  return `${result.suite}, ${result.profile} profile, ${machineName(result)}`;
}

function loadText(results: readonly ResultFile[]): string {
  const loads = results.flatMap(({load}) => (load === null ? [] : [load.before, load.after]));
  return loads.length === 0 ? 'not recorded' : `${Math.min(...loads)} to ${Math.max(...loads)}`;
}

/** A cell over all results of one side. */
interface CellTimes {
  readonly name: string;
  readonly status: Cell['status'];
  /** Median milliseconds of each process. */
  readonly processMs: readonly number[];
  readonly points: string | null;
  readonly labels: string | null;
  /** Why it was not measured. */
  readonly reason: string;
}

/** Cells by suite and key; several results of a suite are several processes. */
function timesOf(results: readonly ResultFile[]): Map<string, CellTimes> {
  const cells = new Map<string, CellTimes>();
  for (const {suite, cells: all} of results) {
    for (const cell of all) {
      const key = `${suite}: ${keyText(cell)}`;
      const {points = null, labels = null} = cell.status === 'measured' ? cell : {};
      const name = `${suite}: ${nameSubject(cell)} on ${nameWorkload(cell)}`;
      const [processMs, reason] = cell.status === 'measured' ? [processesOf(cell), ''] : [[], cell.reason];
      const one = {name, status: cell.status, processMs, points, labels, reason};
      const known = cells.get(key);
      cells.set(key, known === undefined ? one : merge(known, one));
    }
  }
  return cells;
}

function merge(one: CellTimes, other: CellTimes): CellTimes {
  if (one.status === 'failed') return one;
  if (other.status === 'failed' || one.status !== 'measured') return other;
  return other.status === 'measured' ? {...one, processMs: [...one.processMs, ...other.processMs]} : one;
}

function processesOf({wall, device}: MeasuredCell): readonly number[] {
  const {processMs = [], medianMs = Number.NaN} = wall ?? device ?? {};
  return processMs.length === 0 ? [medianMs] : processMs;
}

function changeOf(before: CellTimes, now: CellTimes | undefined, count: number): CellChange {
  const base = {name: before.name, baseMs: geometricMean(before.processMs), ratio: null, oursMs: null, reason: ''};
  if (now?.status !== 'measured') {
    return {...base, kind: now?.status === 'failed' ? 'failed' : 'missing', reason: now?.reason ?? 'not measured'};
  }
  const timed = {...base, oursMs: geometricMean(now.processMs)};
  if (before.points !== now.points) return {...timed, kind: 'missing', reason: 'measured on other points'};
  const terms = [
    {processMs: now.processMs, assumed: 0.1, weight: 1},
    {processMs: before.processMs, assumed: 0.1, weight: -1},
  ];
  const {value, low, high, isAssumed} = logInterval(terms, count);
  const ratio = {value: Math.exp(value), low: Math.exp(low), high: Math.exp(high), isAssumed};
  if (before.labels !== now.labels) return {...timed, ratio, kind: 'wrong'};
  const isFew = [now, before].some(({processMs}) => processMs.length < LEAST_PROCESSES);
  if (isFew) return {...timed, ratio, kind: 'unjudged'};
  return {...timed, ratio, kind: low > 0 ? 'slower' : high < 0 ? 'faster' : 'same'};
}

function geometricMean(times: readonly number[]): number {
  return Math.exp(times.reduce((sum, ms) => sum + Math.log(Math.max(ms, Number.MIN_VALUE)), 0) / times.length);
}
