import type {PrimitiveOperation} from '@epsball/benchmarks';
import {formatElements, formatRate} from '../../primitives/text.ts';
import {formatMs, formatPercent} from '@epsball/cli/command';
import {bad, faint, fromDocument, numberColumn, plain, textColumn, type Table, type TableCell} from '../table.ts';
import {
  countsOf,
  findCell,
  findFigure,
  findMeasured,
  librariesOf,
  operationName,
  rateOf,
  shareOfCopy,
  type Family,
  type PrimitiveRun,
  type PrimitiveSection,
} from './section.ts';

/** One row an operation and count: ours by run, then what other libraries did on their machine. */
export function familyTable(section: PrimitiveSection, family: Family): Table {
  const suffix = (run: PrimitiveRun): string => (section.runs.length > 1 ? ` · ${run.letter}` : '');
  const libraries = librariesOf(section, family);
  const machines = new Map(section.suite.published.map(({library, machine}) => [library, machine]));
  const columns = [
    textColumn('operation'),
    numberColumn('elements'),
    ...section.runs.flatMap((run) =>
      ['device', 'GB/s', 'of a copy', 'with transfers', 'JavaScript'].map((title) => numberColumn(title + suffix(run))),
    ),
    ...libraries.map((library) => numberColumn(`${library}, ${machines.get(library) ?? ''}`)),
  ];
  const rows = family.operations.flatMap((operation) =>
    countsOf(section, operation).map((count, k) => [
      k === 0 ? plain(operationName(operation), operation.traffic) : plain(''),
      plain(formatElements(count)),
      ...section.runs.flatMap((run) => ourCells(run, operation, count)),
      ...libraries.map((library) => figureCell(section, operation, count, library)),
    ]),
  );
  return {columns, rows};
}

/** Device time, GB/s, share of the copy, time with transfers, and JavaScript's time. */
function ourCells(run: PrimitiveRun, operation: PrimitiveOperation, count: number): TableCell[] {
  const cell = findMeasured(run, operation, count, 'gpu');
  const script = findCell(run, operation, count, 'javascript');
  const scriptTime = script?.status === 'measured' ? script.wall : null;
  const wall = cell?.wall ?? null;
  const rate = rateOf(cell);
  return [
    cell === undefined ? gapCell(findCell(run, operation, count, 'gpu')?.status) : timeCell(cell.device),
    rate === null ? faint('–') : plain(formatRate(rate)),
    shareCell(run, operation, count),
    timeCell(wall),
    scriptTime === null ? gapCell(script?.status) : timeCell(scriptTime),
  ];
}

function timeCell(
  timing: {readonly medianMs: number; readonly spread: number; readonly allMs: readonly number[]} | null,
): TableCell {
  if (timing === null) return faint('–');
  const note = timing.allMs.length > 1 ? `±${formatPercent(timing.spread / 2)}` : undefined;
  return plain(formatMs(timing.medianMs), note);
}

function gapCell(status: 'measured' | 'failed' | 'leftOut' | undefined): TableCell {
  if (status === 'failed') return bad('failed');
  return faint(status === 'leftOut' ? 'left out' : '–');
}

function shareCell(run: PrimitiveRun, operation: PrimitiveOperation, count: number): TableCell {
  const share = shareOfCopy(run, operation, count);
  const copy = rateOf(findMeasured(run, operation, count, 'copy'));
  if (share === null || copy === null) return faint('–');
  return {text: formatPercent(share), note: `copy ${formatRate(copy)}`, tone: 'plain', share: Math.min(1, share)};
}

function figureCell(
  section: PrimitiveSection,
  operation: PrimitiveOperation,
  count: number,
  library: string,
): TableCell {
  const figure = findFigure(section, operation, count, library);
  if (figure === undefined) return faint('–');
  return fromDocument(typeof figure.outcome === 'number' ? formatMs(figure.outcome) : figure.outcome);
}
