import type {MeasuredDbscanCell} from '@epsball/benchmarks';
import {formatCount, formatMs, formatPercent} from '@epsball/cli/command';
import {faint, numberColumn, plain, textColumn, type Table, type TableCell} from '../table.ts';
import {AXES} from './axis.ts';
import {measuredCells, subjectName, type DbscanSection} from './section.ts';

/** The two stages of G-DBSCAN, and the phases that they are made of. */
export const STAGES = [
  {title: 'graph construction', phases: ['index', 'core']},
  {title: 'BFS', phases: ['clusters', 'borders']},
] as const;

/**
 * G-DBSCAN's execution breakdown: graph construction and BFS, by the device's clock if it has timestamps, else by the
 * host's; null if no cell ran it.
 */
export function graphTable(section: DbscanSection): Table | null {
  const many = section.runs.length > 1;
  const rows = section.runs.flatMap((run) =>
    measuredCells(run)
      .filter(({row}) => row === 'gdbscan')
      .map((cell): TableCell[] => [
        plain(`${AXES[section.suite.axis].describe(cell)}, ${subjectName(cell)}${many ? ` · ${run.letter}` : ''}`),
        countOf(cell, 'edges'),
        countOf(cell, 'levels'),
        ...stagesOf(cell),
        plain(cell.devicePhaseMs === null ? 'host' : 'device'),
      ]),
  );
  if (rows.length === 0) return null;
  const columns = [
    textColumn('what'),
    numberColumn('edges'),
    numberColumn('levels'),
    ...STAGES.map(({title}) => numberColumn(title)),
    textColumn('clock'),
  ];
  return {columns, rows};
}

function stagesOf(cell: MeasuredDbscanCell): TableCell[] {
  const stages = stageMs(cell);
  const whole = stages.reduce((sum, ms) => sum + ms, 0);
  return stages.map((ms) => plain(formatMs(ms), formatPercent(whole === 0 ? 0 : ms / whole)));
}

/** Milliseconds of each stage, by the device's clock where it has one. */
export function stageMs({phaseMs, devicePhaseMs}: MeasuredDbscanCell): number[] {
  const times = devicePhaseMs ?? phaseMs;
  return STAGES.map(({phases}) => phases.reduce((sum, phase) => sum + (times[phase] ?? 0), 0));
}

function countOf({counters}: MeasuredDbscanCell, name: string): TableCell {
  return counters[name] === undefined ? faint('–') : plain(formatCount(counters[name]));
}
