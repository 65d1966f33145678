import type {MeasuredDbscanCell} from '@epsball/benchmarks';
import {formatMs} from '@epsball/cli/command';
import {numberColumn, plain, textColumn, type Table} from '../table.ts';
import {AXES} from './axis.ts';
import {measuredCells, subjectName, timeWithoutIndex, type DbscanRun, type DbscanSection} from './section.ts';
import {formatQuantity} from './quantity.ts';

/**
 * Time of the construction of an index and of the rest of the run, for suites whose document states it; null for
 * others.
 */
export function indexTable(section: DbscanSection): Table | null {
  if (!section.suite.published.some(({quantity}) => quantity === 'indexTime')) return null;
  const rows = section.runs.flatMap((run) =>
    measuredCells(run)
      .filter(buildsIndex)
      .map((cell) => rowOf(section, run, cell)),
  );
  if (rows.length === 0) return null;
  const columns = [
    textColumn('what'),
    numberColumn('index'),
    numberColumn('the rest'),
    numberColumn('index over the rest'),
  ];
  return {columns, rows};
}

/** Without an index the phase still has its microseconds. */
function buildsIndex({options, phaseMs}: MeasuredDbscanCell): boolean {
  return options['index'] !== 'none' && (phaseMs['index'] ?? 0) > 0;
}

function rowOf({suite, runs}: DbscanSection, run: DbscanRun, cell: MeasuredDbscanCell): Table['rows'][number] {
  const index = cell.phaseMs['index'] ?? 0;
  const rest = timeWithoutIndex(cell);
  const letter = runs.length > 1 ? ` · ${run.letter}` : '';
  return [
    plain(`${AXES[suite.axis].describe(cell)}, ${subjectName(cell)}${letter}`),
    plain(formatMs(index)),
    plain(formatMs(rest)),
    plain(formatQuantity('indexShare', index / rest)),
  ];
}
