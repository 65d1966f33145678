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
      .filter((cell) => partsOf(cell).length > 0)
      .map((cell): TableCell[] => [
        plain(`${AXES[section.suite.axis].describe(cell)}, ${subjectName(cell)}${many ? ` · ${run.letter}` : ''}`),
        ...shares(cell),
      ]),
  );
  if (rows.length === 0) return null;
  return {columns: [textColumn('what'), ...PARTS.map(({title}) => numberColumn(title))], rows};
}

/** Time of each part; none where the kernels were not timed by themselves. */
export function partsOf({counters}: MeasuredDbscanCell): {readonly title: string; readonly ms: number}[] {
  if (counters['expansionMs'] === undefined) return [];
  return PARTS.map(({title, counter}) => ({title, ms: counters[counter] ?? 0}));
}

function shares(cell: MeasuredDbscanCell): TableCell[] {
  const parts = partsOf(cell);
  const sum = parts.reduce((total, {ms}) => total + ms, 0);
  return parts.map(({ms}) => plain(formatMs(ms), formatPercent(sum === 0 ? 0 : ms / sum)));
}
