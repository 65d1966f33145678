import {isSameSubject, type PublishedFigure, type Quantity} from '@epsball/benchmarks';
import {formatCount} from '@epsball/cli/command';
import {
  isFigureOf,
  machineOf,
  measuredCells,
  speedUpsOf,
  subjectName,
  timeWithoutIndex,
  type DbscanRun,
  type DbscanSection,
} from './section.ts';
import {faint, fromDocument, numberColumn, plain, type Table, type TableCell, textColumn} from '../table.ts';
import {formatQuantity} from './quantity.ts';

const QUANTITIES: Readonly<Record<Quantity, string>> = {
  time: 'time',
  speedUp: 'speed-up',
  timeWithoutIndex: 'time without its index',
  indexTime: 'index construction',
  indexShare: 'index over the rest',
};

/**
 * The source document's numbers and ours, each with its machine; null if the document has none. The table never divides
 * one by the other.
 */
export function documentTable(section: DbscanSection): Table | null {
  const {published} = section.suite;
  if (published.length === 0) return null;
  const many = section.runs.length > 1;
  const hasDims = published.some(({dim}) => dim !== undefined);
  const hasMinPts = published.some(({minPts}) => minPts !== undefined);
  const columns = [
    textColumn('what'),
    numberColumn('points'),
    ...(hasDims ? [numberColumn('dimensions')] : []),
    ...(hasMinPts ? [numberColumn('minPts')] : []),
    numberColumn('document'),
    textColumn('its machine'),
    ...section.runs.flatMap((run) => [
      numberColumn(many ? `ours · ${run.letter}` : 'ours'),
      textColumn(many ? `machine · ${run.letter}` : 'our machine'),
    ]),
    textColumn('where the document says so'),
  ];
  const rows = published.map((figure) => [
    plain(whatOf(figure)),
    plain(formatCount(figure.n)),
    ...(hasDims ? [optionalCount(figure.dim)] : []),
    ...(hasMinPts ? [optionalCount(figure.minPts)] : []),
    fromDocument(figure.printed),
    fromDocument(figure.machine),
    ...section.runs.flatMap((run) => oursBeside(section, run, figure)),
    faint(`${figure.reading}: ${figure.where}`),
  ]);
  return {columns, rows};
}

/** `speed-up, hybrid gpu ×8 over sequential` */
function whatOf({quantity, subject, over}: PublishedFigure): string {
  const baseline = over === undefined ? '' : ` over ${subjectName(over)}`;
  return `${QUANTITIES[quantity]}, ${subjectName(subject)}${baseline}`;
}

function optionalCount(count: number | undefined): TableCell {
  return count === undefined ? faint('–') : plain(formatCount(count));
}

function oursBeside(section: DbscanSection, run: DbscanRun, figure: PublishedFigure): TableCell[] {
  const ours = figure.quantity === 'speedUp' ? ourSpeedUp(section, run, figure) : ourValue(run, figure);
  if (ours === undefined) return [faint('not run'), faint('–')];
  const machine = machineOf(run, figure.subject.backend);
  const value = formatQuantity(figure.quantity, ours);
  return [plain(value), plain(figure.quantity === 'speedUp' ? `${machine} over ${run.result.machine.cpu}` : machine)];
}

/** A time of ours or a share, of the figure's subject on the figure's data. */
function ourValue(run: DbscanRun, figure: PublishedFigure): number | undefined {
  const cell = measuredCells(run).find((one) => isFigureOf(figure, one) && isSameSubject(one, figure.subject));
  if (cell === undefined) return undefined;
  const {index} = cell.phaseMs;
  switch (figure.quantity) {
    case 'timeWithoutIndex':
      return timeWithoutIndex(cell);
    case 'indexTime':
      return index;
    case 'indexShare':
      return index === undefined ? undefined : index / timeWithoutIndex(cell);
    default:
      return cell.wall.medianMs;
  }
}

/**
 * Our speed-up that corresponds to the document's: over the subject that the figure names, else over the serial backend
 * of the same variant, with the same options if that subject ran.
 */
function ourSpeedUp(section: DbscanSection, run: DbscanRun, figure: PublishedFigure): number | undefined {
  const all = speedUpsOf(section).filter(
    (one) => one.run === run && isFigureOf(figure, one.cell) && isSameSubject(one.cell, figure.subject),
  );
  const {over} = figure;
  if (over !== undefined) return all.find(({baseline}) => isSameSubject(baseline, over))?.factor;
  const ofVariant = all.filter(({baseline}) => baseline.row === figure.subject.row);
  const candidates = ofVariant.length > 0 ? ofVariant : all;
  const alike = candidates.find(({baseline}) =>
    isSameSubject({...baseline, options: figure.subject.options}, baseline),
  );
  return (alike ?? candidates[0])?.factor;
}
