import type {MeasuredDbscanCell} from '@epsball/benchmarks';
import {formatCount, formatFactor, formatMs} from '@epsball/cli/command';
import {faint, numberColumn, plain, textColumn, type Table, type TableCell} from '../table.ts';
import {AXES} from './axis.ts';
import {measuredCells, subjectName, type DbscanSection} from './section.ts';

const COLUMNS = [
  textColumn('what'),
  numberColumn('edges'),
  numberColumn('travelled'),
  numberColumn('device'),
  numberColumn('copying'),
  numberColumn('threads'),
  numberColumn('whole run'),
  numberColumn('at the same time'),
];

/**
 * Overlap of the hybrid's work: the summed times of device, copying and threads, over the wall time; null if no cell
 * ran it.
 */
export function flowTable(section: DbscanSection): Table | null {
  const many = section.runs.length > 1;
  const rows = section.runs.flatMap((run) =>
    measuredCells(run)
      .filter(({counters}) => counters['travelledBytes'] !== undefined)
      .map((cell): TableCell[] => [
        plain(`${AXES[section.suite.axis].describe(cell)}, ${subjectName(cell)}${many ? ` · ${run.letter}` : ''}`),
        ...flowOf(cell),
      ]),
  );
  return rows.length === 0 ? null : {columns: COLUMNS, rows};
}

function flowOf({counters, wall, device}: MeasuredDbscanCell): TableCell[] {
  const {coreEdges = 0, borderEdges = 0, travelledBytes = 0, transferMs = 0, uniteMs = 0} = counters;
  const busyMs = (device?.medianMs ?? 0) + transferMs + uniteMs;
  return [
    plain(formatCount(coreEdges + borderEdges)),
    plain(`${(travelledBytes / 2 ** 20).toFixed(1)} MiB`),
    device === null ? faint('–') : plain(formatMs(device.medianMs)),
    plain(formatMs(transferMs)),
    plain(formatMs(uniteMs)),
    plain(formatMs(wall.medianMs)),
    device === null || wall.medianMs === 0 ? faint('–') : plain(formatFactor(busyMs / wall.medianMs)),
  ];
}
