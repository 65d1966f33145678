import type {MeasuredDbscanCell} from '@epsball/benchmarks';
import {formatMs, formatPercent} from '@epsball/cli/command';
import {numberColumn, plain, textColumn, type Table, type TableCell} from '../table.ts';
import {AXES} from './axis.ts';
import {measuredCells, subjectName, type DbscanSection} from './section.ts';

/** The parts of Figure 8 of CUDA-DClust, and the counters that have their milliseconds. */
const PARTS = [
  {title: 'cluster expansion', counter: 'expansionMs'},
  {title: 'new seeds', counter: 'newSeedsMs'},
  {title: 'collision matrix', counter: 'collisionMs'},
  {title: 'seed refill', counter: 'seedRefillMs'},
] as const;

/** Time by kernel and its share in their sum; null where no cell was timed so. */
export function kernelTable(section: DbscanSection): Table | null {
  const many = section.runs.length > 1;
  const rows = section.runs.flatMap((run) =>
    measuredCells(run)
      .filter(({counters}) => counters['expansionMs'] !== undefined)
      .map((cell): TableCell[] => [
        plain(`${AXES[section.suite.axis].describe(cell)}, ${subjectName(cell)}${many ? ` · ${run.letter}` : ''}`),
        ...shares(cell),
      ]),
  );
  if (rows.length === 0) return null;
  return {columns: [textColumn('what'), ...PARTS.map(({title}) => numberColumn(title))], rows};
}

function shares({counters}: MeasuredDbscanCell): TableCell[] {
  const times = PARTS.map(({counter}) => counters[counter] ?? 0);
  const sum = times.reduce((total, ms) => total + ms, 0);
  return times.map((ms) => plain(formatMs(ms), formatPercent(sum === 0 ? 0 : ms / sum)));
}
