import type {ResultFile} from '@epsball/benchmarks';
import {machineName} from '../front/machines.ts';
import {cellTimesOf, type CellTimes} from './cellTimes.ts';
import {ratioInterval, type RatioInterval} from './ratioInterval.ts';

/** What became of a cell of the baseline. `same`: the interval of its ratio contains 1. */
type ChangeKind = 'failed' | 'wrong' | 'missing' | 'slower' | 'same' | 'faster';

/** One cell of the baseline, compared. */
export interface CellChange {
  readonly name: string;
  readonly kind: ChangeKind;
  /** Our time over that of the baseline; null where we have none. */
  readonly ratio: RatioInterval | null;
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
  /** Some intervals have fewer than three processes on a side. */
  readonly isAssumed: boolean;
}

const ORDER: readonly ChangeKind[] = ['failed', 'wrong', 'missing', 'slower', 'same', 'faster'];

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
  const cells = matched.map(({results, baseline}) => ({now: cellTimesOf(results), before: measuredOf(baseline)}));
  const count = cells.reduce((sum, {before}) => sum + before.length, 0);
  const changes = cells.flatMap(({now, before}) => before.map((cell) => changeOf(cell, now.get(cell.name), count)));
  return {
    changes: changes.toSorted(byRank),
    unmatched: pairs.filter(({baseline}) => baseline.length === 0).map(({place}) => place),
    isAssumed: changes.some(({ratio}) => ratio?.isAssumed === true),
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
  return ratio !== null && ratio.low > 1 + allowed;
}

/** Suite, profile and machine: what two results must share. */
function placeOf(result: ResultFile): string {
  return `${result.suite}, ${result.profile} profile, ${machineName(result)}`;
}

function measuredOf(results: readonly ResultFile[]): CellTimes[] {
  return [...cellTimesOf(results).values()].filter(({status}) => status === 'measured');
}

function changeOf(before: CellTimes, now: CellTimes | undefined, count: number): CellChange {
  const {name} = before;
  const base = {name, baseMs: geometricMean(before.processMs), ratio: null, oursMs: null, reason: ''};
  if (now?.status === 'failed') return {...base, kind: 'failed'};
  if (now?.status !== 'measured') return {...base, kind: 'missing', reason: 'not measured'};
  const timed = {...base, oursMs: geometricMean(now.processMs)};
  if (before.points !== now.points) return {...timed, kind: 'missing', reason: 'measured on other points'};
  const ratio = ratioInterval(now.processMs, before.processMs, count);
  if (before.labels !== now.labels) return {...timed, ratio, kind: 'wrong'};
  return {...timed, ratio, kind: ratio.low > 1 ? 'slower' : ratio.high < 1 ? 'faster' : 'same'};
}

/** The quotient of two of these is the ratio that is compared. */
function geometricMean(times: readonly number[]): number {
  return Math.exp(times.reduce((sum, ms) => sum + Math.log(Math.max(ms, Number.MIN_VALUE)), 0) / times.length);
}

function byRank(a: CellChange, b: CellChange): number {
  return ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || (b.ratio?.ratio ?? 0) - (a.ratio?.ratio ?? 0);
}
