import {isSameSubject, type PublishedFigure} from '@epsball/benchmarks';
import {formatAbout, formatCount, formatFactor, formatMs} from '../../text.ts';
import {machineOf, measuredCells, speedUpsOf, subjectName, type DbscanRun, type DbscanSection} from './section.ts';
import {faint, fromDocument, numberColumn, plain, type Table, type TableCell, textColumn} from '../table.ts';

/**
 * The source document's own numbers, each with its machine, beside ours with ours; null where it has none.
 * The two are never divided by each other.
 */
export function documentTable(section: DbscanSection): Table | null {
  const {published} = section.suite;
  if (published.length === 0) return null;
  const many = section.runs.length > 1;
  const columns = [
    textColumn('what'),
    numberColumn('points'),
    numberColumn('document'),
    textColumn('its machine'),
    ...section.runs.flatMap((run) => [
      numberColumn(many ? `ours · ${run.letter}` : 'ours'),
      textColumn(many ? `machine · ${run.letter}` : 'our machine'),
    ]),
    textColumn('where the document says so'),
  ];
  const rows = published.map((figure) => [
    plain(`${figure.quantity === 'time' ? 'time' : 'speed-up'}, ${subjectName(figure.subject)}`),
    plain(formatCount(figure.n)),
    fromDocument(formatAbout(figure.quantity, figure.value)),
    fromDocument(figure.machine),
    ...section.runs.flatMap((run) => oursBeside(section, run, figure)),
    faint(`${figure.reading}: ${figure.where}`),
  ]);
  return {columns, rows};
}

function oursBeside(section: DbscanSection, run: DbscanRun, figure: PublishedFigure): TableCell[] {
  const ours = figure.quantity === 'time' ? ourTime(run, figure) : ourSpeedUp(section, run, figure);
  if (ours === null) return [faint('not run'), faint('–')];
  const machine = machineOf(run, figure.subject.backend);
  return [plain(ours), plain(figure.quantity === 'time' ? machine : `${machine} over ${run.result.machine.cpu}`)];
}

function ourTime(run: DbscanRun, figure: PublishedFigure): string | null {
  const cell = measuredCells(run).find((one) => one.n === figure.n && isSameSubject(one, figure.subject));
  return cell === undefined ? null : formatMs(cell.wall.medianMs);
}

/** Our parallel backend over our serial one of the same variant, as the document's factor is. */
function ourSpeedUp(section: DbscanSection, run: DbscanRun, figure: PublishedFigure): string | null {
  const ours = speedUpsOf(section).find(
    (one) =>
      one.run === run &&
      one.cell.n === figure.n &&
      one.baseline.row === figure.subject.row &&
      isSameSubject(one.cell, figure.subject),
  );
  return ours === undefined ? null : formatFactor(ours.factor);
}
