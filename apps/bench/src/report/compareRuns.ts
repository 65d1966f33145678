import {nameMeanShift, namePrimitive, nameSubject, type ResultFile, type Timing} from '@epsball/benchmarks';
import {formatFactor, formatPercent} from '@epsball/cli/command';

/** A median must grow by more than this share, beyond the spreads of both runs. */
const LEAST_CHANGE = 0.1;

export interface Change {
  readonly kind: 'failed' | 'wrong' | 'slower' | 'missing' | 'faster';
  /** The change in words: suite, cell, factor, spreads. */
  readonly text: string;
}

export interface Comparison {
  /** The worst first: failed, wrong, slower from the largest factor on, missing, faster. */
  readonly changes: readonly Change[];
  /** Cells that both runs measured. */
  readonly cells: number;
  /** Pairs of results that are of different machines or profiles, one sentence each. */
  readonly apart: readonly string[];
}

/** What a comparison needs of a cell, whatever it measures. */
interface Entry {
  readonly status: string;
  readonly time: Timing | null;
  /** Hashes of the points and of the labels, for cells that have one. */
  readonly points: string | null;
  readonly labels: string | null;
}

interface Ranked extends Change {
  readonly factor: number;
}

const KINDS: readonly Change['kind'][] = ['failed', 'wrong', 'slower', 'missing', 'faster'];

/** Whether a change makes `report --compare` fail. */
export function isRegression({kind}: Change): boolean {
  return kind === 'failed' || kind === 'wrong' || kind === 'slower';
}

/**
 * Compares each result, cell by cell, with the first one of its suite.
 *
 * A cell is slower if its median exceeds the earlier one by more than a tenth plus the spreads of both (interquartile
 * range over median), and faster if the reverse holds. Results of different GPUs, CPUs or profiles are not compared.
 */
export function compareRuns(results: readonly ResultFile[]): Comparison {
  const pairs = [...Map.groupBy(results, ({suite}) => suite).values()].flatMap(([base, ...later]) =>
    later.map((result) => ({base, result})),
  );
  const alike = pairs.filter(({base, result}) => placeOf(base) === placeOf(result));
  const apart = pairs.filter((pair) => !alike.includes(pair));
  const compared = alike.map(({base, result}) => compareCells(base, result));
  return {
    changes: compared.flatMap(({changes}) => changes).toSorted(byRank),
    cells: compared.reduce((sum, {cells}) => sum + cells, 0),
    apart: apart.map(({base, result}) => `${base.suite}: ${placeOf(base)} against ${placeOf(result)}`),
  };
}

function byRank(a: Ranked, b: Ranked): number {
  return KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || b.factor - a.factor;
}

function placeOf({adapter, machine, profile}: ResultFile): string {
  return `${adapter?.name ?? 'no GPU'}, ${machine.cpu}, ${machine.threads} threads, ${profile} profile`;
}

function compareCells(base: ResultFile, result: ResultFile): {changes: Ranked[]; cells: number} {
  const now = entriesOf(result);
  const changes: Ranked[] = [];
  let cells = 0;
  for (const [name, before] of entriesOf(base)) {
    if (before.time === null) continue;
    const after = now.get(name);
    if (after !== undefined && after.time !== null) cells++;
    const change = changeOf(before.time, before, after);
    if (change !== null) changes.push({...change, text: `${base.suite}: ${name}: ${change.text}`});
  }
  return {changes, cells};
}

function changeOf(time: Timing, before: Entry, after: Entry | undefined): Ranked | null {
  if (after?.status === 'failed') return {kind: 'failed', factor: 0, text: 'failed'};
  if (after === undefined || after.time === null) return {kind: 'missing', factor: 0, text: 'not measured'};
  if (before.points !== after.points) return {kind: 'missing', factor: 0, text: 'measured on other points'};
  if (before.labels !== after.labels) return {kind: 'wrong', factor: 0, text: 'other labels on the same points'};
  const noise = LEAST_CHANGE + time.spread + after.time.spread;
  const factor = after.time.medianMs / time.medianMs;
  const spreads = `spread ${formatPercent(time.spread)} before, ${formatPercent(after.time.spread)} now`;
  if (factor > 1 + noise) return {kind: 'slower', factor, text: `${formatFactor(factor)} the time (${spreads})`};
  if (1 / factor > 1 + noise)
    return {kind: 'faster', factor: 1 / factor, text: `${formatFactor(factor)} the time (${spreads})`};
  return null;
}

/** Cells by name. Estimated times are not measured, so they are not compared. */
function entriesOf(result: ResultFile): Map<string, Entry> {
  if (result.kind === 'dbscan') {
    return new Map<string, Entry>(
      result.cells.map((cell) => {
        const name = `${nameSubject(cell)} on ${cell.dataset}, eps ${cell.eps}, minPts ${cell.minPts}`;
        if (cell.status !== 'measured') return [name, {status: cell.status, time: null, points: null, labels: null}];
        return [name, {status: 'measured', time: cell.wall, points: cell.datasetHash, labels: cell.labelsHash}];
      }),
    );
  }
  if (result.kind === 'primitives') {
    return new Map<string, Entry>(
      result.cells.map((cell) => {
        const time = cell.status === 'measured' ? (cell.device ?? cell.wall) : null;
        return [namePrimitive(cell), {status: cell.status, time, points: null, labels: null}];
      }),
    );
  }
  return new Map<string, Entry>(
    result.cells.map((cell) => {
      const time = cell.status === 'measured' ? cell.wall : null;
      return [nameMeanShift(cell), {status: cell.status, time, points: null, labels: null}];
    }),
  );
}
