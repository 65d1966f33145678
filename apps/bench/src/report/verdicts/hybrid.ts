import {isSameSubject, REFERENCE, type MeasuredDbscanCell, type Subject} from '@epsball/benchmarks';
import {formatFactor, formatMs, formatPercent} from '@epsball/cli/command';
import {stageMs} from '../dbscan/graphTable.ts';
import {threadTimes} from '../dbscan/threadTable.ts';
import type {Evidence, Factor} from './evidence.ts';
import {factorText, holdsIf, type Judge} from './verdict.ts';

const SUITE = 'gdbscan-hybrid';
const PICTURES = 'gdbscan-hybrid-pictures';
const ALL_PAIRS = {index: 'none'} as const;
const SEQ: Subject = {...REFERENCE, options: ALL_PAIRS};
const GDBSCAN: Subject = {row: 'gdbscan', backend: 'gpu'};
const DS_SEQ: Subject = {row: 'pds', backend: 'sequential'};
const MOST = 200_000;

export const hybridJudges = {
  'hy-c-summary': (evidence) => {
    const codes = [
      {of: {row: 'gdbscan', backend: 'gpu'}, document: 16},
      {of: {row: 'pds', backend: 'workers'}, document: 4},
      {of: {row: 'hybrid', backend: 'gpu'}, document: 41},
    ];
    const best = codes.map(({of, document}) => {
      const subjects = evidence
        .cells(SUITE)
        .filter(({row, backend, options}) => row === of.row && backend === of.backend && options['index'] === 'none');
      const factors = subjects.flatMap((cell) => evidence.factors(SUITE, cell, SEQ).filter((one) => one.cell === cell));
      return {document, factor: Math.max(0, ...factors.map(({factor}) => factor))};
    });
    if (best.some(({factor}) => factor === 0)) return null;
    return holdsIf(
      best.every(({factor, document}) => factor >= document),
      best.map(({factor}) => formatFactor(factor)).join(', '),
    );
  },
  'hy-c-sklearn': (evidence) => {
    const sets = new Set(evidence.cells(PICTURES).map(({dataset}) => dataset));
    if (sets.size === 0) return null;
    return holdsIf(sets.size === 6 && evidence.cells(PICTURES).every(({n}) => n === 1500), `${sets.size} sets`);
  },
  'hy-fig-gdbscan-speedup': (evidence) => {
    const factors = evidence.factors(SUITE, {...GDBSCAN, options: ALL_PAIRS}, SEQ);
    const [few, many] = [factors.find(({cell}) => cell.n === 50_000), factors.find(({cell}) => cell.n === MOST)];
    if (few === undefined || many === undefined) return null;
    return holdsIf(few.factor >= 10 && many.factor >= 15, `${factorText(few)}, ${factorText(many)}`);
  },
  'hy-fig-gdbscan-breakdown': (evidence) => bfsAgainstGraph(evidence, [{...GDBSCAN, options: ALL_PAIRS}]),
  'hy-tab-nvprof': (evidence) => {
    const cell = evidence.cellsOf(SUITE, {...GDBSCAN, options: ALL_PAIRS}).find(({n}) => n === MOST);
    if (cell?.devicePhaseMs === undefined || cell.devicePhaseMs === null) return null;
    const parts = Object.entries(cell.devicePhaseMs);
    const whole = parts.reduce((sum, [, ms]) => sum + ms, 0);
    const bfs = cell.devicePhaseMs['clusters'] ?? 0;
    return holdsIf(
      parts.every(([phase, ms]) => phase === 'clusters' || ms < bfs),
      `BFS ${formatPercent(whole === 0 ? 0 : bfs / whole)}, ${formatMs(bfs)}`,
    );
  },
  'hy-fig-dsseq-time': (evidence) => {
    const factors = evidence.factors(SUITE, DS_SEQ, REFERENCE).filter(({mark}) => mark === '');
    if (factors.length === 0) return null;
    const quotients = factors.map(({factor}) => 1 / factor);
    const isSimilar = quotients.every((one) => one <= 2 && one >= 0.5);
    return holdsIf(
      isSimilar,
      `ds-seq/seq ${formatFactor(Math.min(...quotients))} to ${formatFactor(Math.max(...quotients))}`,
    );
  },
  'hy-fig-dsshm-speedup': (evidence) => {
    const four = overOneThread(evidence, 4);
    return four === null ? null : holdsIf(four >= 3.2, `${formatFactor(four)} on 4 threads`);
  },
  'hy-fig-dsshm-stages': (evidence) => {
    const cell = onThreads(evidence, 8);
    if (cell === undefined) return null;
    const {localMs = 0, mergeMs = 0} = cell.counters;
    return holdsIf(localMs > mergeMs, `local ${formatMs(localMs)}, merging ${formatMs(mergeMs)}`);
  },
  'hy-fig-dsshm-threads': (evidence) => {
    const cell = onThreads(evidence, 8);
    const times = cell === undefined ? [] : threadTimes(cell, 'local');
    if (times.length === 0) return null;
    const [least, most] = [Math.min(...times), Math.max(...times)];
    return holdsIf(most <= least * (4 / 3), `${formatMs(least)} to ${formatMs(most)}`);
  },
  'hy-fig-overall': hybridAtMost,
  'hy-fig-appendix': (evidence) => {
    const cells = evidence.cells(PICTURES);
    if (cells.length === 0) return null;
    const isVerified = cells.every(({verifiedAgainst}) => verifiedAgainst.includes('definition'));
    return holdsIf(
      isVerified,
      `${cells.length} clusterings of ${new Set(cells.map(({dataset}) => dataset)).size} sets`,
    );
  },
  'hy-c-linear4': (evidence) => {
    const [four, eight] = [overOneThread(evidence, 4), overOneThread(evidence, 8)];
    if (four === null || eight === null) return null;
    return holdsIf(
      four >= 3.2 && eight <= four * 1.1,
      `${formatFactor(four)} on 4, ${formatFactor(eight)} on 8 threads`,
    );
  },
  'hy-c-bfs-slow': (evidence) => bfsAgainstGraph(evidence, [GDBSCAN, {...GDBSCAN, options: ALL_PAIRS}]),
  'hy-c-hybrid40': hybridAtMost,
} satisfies Record<string, Judge>;

function hybridAtMost(evidence: Evidence): ReturnType<Judge> {
  const subject: Subject = {row: 'hybrid', backend: 'gpu', threads: 8, options: ALL_PAIRS};
  const one: Factor | undefined = evidence.factors(SUITE, subject, SEQ).find(({cell}) => cell.n === MOST);
  return one === undefined ? null : holdsIf(one.factor >= 40, factorText(one));
}

function bfsAgainstGraph(evidence: Evidence, subjects: readonly Subject[]): ReturnType<Judge> {
  const cells = evidence.cells(SUITE).filter((cell) => subjects.some((one) => isSameSubject(one, cell)));
  const last = cells.findLast(({n}) => n === MOST) ?? cells.at(-1);
  if (last === undefined) return null;
  const isLonger = cells.every((cell) => {
    const [graph, bfs] = stageMs(cell);
    return bfs > graph;
  });
  const [graph, bfs] = stageMs(last);
  return holdsIf(isLonger, `BFS ${formatMs(bfs)}, graph ${formatMs(graph)}`);
}

function onThreads(evidence: Evidence, threads: number): MeasuredDbscanCell | undefined {
  return evidence.cellsOf('threads', {row: 'pds', backend: 'workers', threads}).at(-1);
}

function overOneThread(evidence: Evidence, threads: number): number | null {
  const [one, many] = [onThreads(evidence, 1), onThreads(evidence, threads)];
  return one === undefined || many === undefined ? null : one.wall.medianMs / many.wall.medianMs;
}
