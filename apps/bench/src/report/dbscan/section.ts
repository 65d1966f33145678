import {
  describeChoices,
  isSameSubject,
  REFERENCE,
  type DbscanCell,
  type DbscanResultFile,
  type MeasuredDbscanCell,
  type PublishedFigure,
  type Subject,
} from '@epsball/benchmarks';
import type {Run, SectionOf} from '../run.ts';
import type {Place} from './axis.ts';

export type DbscanRun = Run<DbscanResultFile>;
export type DbscanSection = SectionOf<'dbscan'>;

/** A quotient of two times of one run: never of two machines. */
export interface SpeedUp {
  readonly run: DbscanRun;
  /** What is divided. */
  readonly baseline: Subject;
  readonly subject: Subject;
  /** The subject's cell. */
  readonly cell: MeasuredDbscanCell;
  readonly factor: number;
}

/** The subjects of a section in the order in which they ran, the reference first. */
export function subjectsOf(section: DbscanSection): Subject[] {
  const subjects: Subject[] = [];
  for (const cell of section.runs.flatMap(({result}) => result.cells)) {
    const subject = columnOf(section, cell);
    if (!subjects.some((known) => isSameSubject(known, subject))) subjects.push(subject);
  }
  return subjects;
}

/** The column and line of a cell: its subject, but without the thread count where threads are the axis. */
export function columnOf({suite}: DbscanSection, {row, backend, threads, options}: Subject): Subject {
  return suite.axis === 'threads' ? {row, backend, options} : {row, backend, threads, options};
}

/**
 * The places of a section: one for each data set and parameters (and threads, where they are the axis), in running
 * order.
 */
export function placesOf(section: DbscanSection): Place[] {
  const places: Place[] = [];
  for (const {dataset, n, dim, eps, minPts, threads} of section.runs.flatMap(({result}) => result.cells)) {
    const place = {dataset, n, dim, eps, minPts, threads};
    if (!places.some((known) => isAt(section, known, place))) places.push(place);
  }
  return places;
}

/** Whether a cell belongs to a place. */
export function isAt({suite}: DbscanSection, place: Place, cell: Place): boolean {
  return isSameWorkload(place, cell) && (suite.axis !== 'threads' || place.threads === cell.threads);
}

/** The cell of a run, or undefined where the run has none. */
export function findCell(
  section: DbscanSection,
  run: DbscanRun,
  place: Place,
  subject: Subject,
): DbscanCell | undefined {
  return run.result.cells.find(
    (cell) => isAt(section, place, cell) && isSameSubject(columnOf(section, cell), columnOf(section, subject)),
  );
}

export function measuredCells(run: DbscanRun): MeasuredDbscanCell[] {
  return run.result.cells.filter((cell) => cell.status === 'measured');
}

/** Whether a document's figure is of a cell's data and parameters; what it leaves open fits. */
export function isFigureOf({n, dim, minPts}: PublishedFigure, cell: Place): boolean {
  return cell.n === n && (dim ?? cell.dim) === cell.dim && (minPts ?? cell.minPts) === cell.minPts;
}

/** Milliseconds of a whole run but for the construction of its index. */
export function timeWithoutIndex({wall, phaseMs}: MeasuredDbscanCell): number {
  return wall.medianMs - (phaseMs['index'] ?? 0);
}

/**
 * Every speed-up of a section. If the suite names baselines: every other subject over each baseline. Otherwise: a
 * parallel backend over the serial one of the same variant, and over the suite's reference, which is usually the
 * fastest code on one thread; and over both with the same options, if they ran.
 */
export function speedUpsOf(section: DbscanSection): SpeedUp[] {
  const speedUps: SpeedUp[] = [];
  for (const run of section.runs) {
    const cells = measuredCells(run);
    for (const cell of cells) {
      for (const baseline of baselinesOf(section, cell)) {
        const over = cells.find((one) => isSameWorkload(one, cell) && isSameSubject(one, baseline));
        if (over === undefined) continue;
        const factor = over.wall.medianMs / cell.wall.medianMs;
        speedUps.push({run, baseline, subject: columnOf(section, cell), cell, factor});
      }
    }
  }
  return speedUps;
}

function baselinesOf({suite}: DbscanSection, cell: MeasuredDbscanCell): Subject[] {
  if (suite.baselines !== undefined) return suite.baselines.filter((baseline) => !isSameSubject(baseline, cell));
  const {row, backend, options} = cell;
  if (backend === REFERENCE.backend) return [];
  const rows = [...new Set([row, REFERENCE.row])];
  const plain = rows.map((one): Subject => ({...REFERENCE, row: one}));
  const wanted = Object.keys(options).length === 0 ? plain : [...plain, ...plain.map((one) => ({...one, options}))];
  const {reference = REFERENCE} = suite;
  return wanted.some((one) => isSameSubject(one, reference)) ? wanted : [...wanted, reference];
}

function isSameWorkload(a: Place, b: Place): boolean {
  return a.dataset === b.dataset && a.eps === b.eps && a.minPts === b.minPts;
}

/** `grid-bfs gpu`, `pds workers ×4`, `sequential (index none)`, and plain `sequential` for the reference. */
export function subjectName(subject: Subject): string {
  const {row, backend} = subject;
  return (row === backend ? row : `${row} ${backend}`) + describeChoices(subject);
}

/** The processor or adapter that a cell's time belongs to. */
export function machineOf(run: DbscanRun, backend: string): string {
  const {adapter, machine} = run.result;
  if (backend !== 'gpu') return machine.cpu;
  return adapter === null ? 'no adapter' : adapter.name;
}
