import type {MeasuredDbscanCell} from '@epsball/benchmarks';
import {formatCount, formatMs} from '@epsball/cli/command';
import {numberColumn, plain, textColumn, type Table} from '../table.ts';
import {measuredCells, subjectName, type DbscanSection} from './section.ts';

/** Counters of one thread: `localMsOfThread1`. */
const OF_THREAD = {local: /^localMsOfThread(\d+)$/, merge: /^mergeMsOfThread(\d+)$/};

/**
 * How long each thread worked in the two stages of PDSDBSCAN, beside the wall time of both and the pairs
 * between threads; null where no cell says.
 */
export function threadTable(section: DbscanSection): Table | null {
  const many = section.runs.length > 1;
  const rows = section.runs.flatMap((run) =>
    measuredCells(run)
      .filter((cell) => threadTimes(cell, 'local').length > 0)
      .map((cell) => [
        plain(`${formatCount(cell.n)} points, ${subjectName(cell)}${many ? ` · ${run.letter}` : ''}`),
        plain(formatCount(cell.counters['crossPairs'] ?? 0)),
        plain(formatMs(cell.counters['localMs'] ?? 0)),
        plain(formatMs(cell.counters['mergeMs'] ?? 0)),
        plain(threadTimes(cell, 'local').map(formatMs).join(', ')),
        plain(threadTimes(cell, 'merge').map(formatMs).join(', ')),
      ]),
  );
  if (rows.length === 0) return null;
  const columns = [
    textColumn('what'),
    numberColumn('pairs left to merging'),
    numberColumn('local computation'),
    numberColumn('merging'),
    textColumn('local computation by thread'),
    textColumn('merging by thread'),
  ];
  return {columns, rows};
}

/** Milliseconds of each thread in a stage. */
export function threadTimes({counters}: MeasuredDbscanCell, stage: keyof typeof OF_THREAD): number[] {
  return Object.entries(counters)
    .map(([name, ms]) => ({thread: Number(OF_THREAD[stage].exec(name)?.[1] ?? 0), ms}))
    .filter(({thread}) => thread > 0)
    .sort((a, b) => a.thread - b.thread)
    .map(({ms}) => ms);
}
