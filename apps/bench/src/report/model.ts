import {
  isSameSubject,
  REFERENCE,
  suites,
  type Cell,
  type MeasuredCell,
  type ResultFile,
  type Subject,
  type Suite,
} from '@epsball/benchmarks';
import type {Place} from './axis.ts';

/** One result file in a report. */
export interface Run {
  /** Machine and commit in words. */
  readonly label: string;
  /** `A`, `B` …: names the run in a comparison. Runs of different suites on one machine and commit share it. */
  readonly letter: string;
  /** Where the result file is; pictures lie beside it. */
  readonly folder: string;
  readonly result: ResultFile;
}

/** One suite in a report: a single run, or several side by side. */
export interface Section {
  readonly suite: Suite;
  readonly runs: readonly [Run, ...Run[]];
}

export interface Report {
  readonly createdAt: string;
  readonly compare: boolean;
  readonly runs: readonly Run[];
  readonly sections: readonly Section[];
}

/** A quotient of two times of one run: never of two machines. */
export interface SpeedUp {
  readonly run: Run;
  /** What is divided. */
  readonly baseline: Subject;
  readonly subject: Subject;
  /** The subject's cell. */
  readonly cell: MeasuredCell;
  readonly factor: number;
}

/**
 * Groups results into sections, in the order of the suites.
 *
 * @param compare  one section a suite with all its runs side by side, instead of one section a result
 * @throws Error   if a result names a suite that does not exist
 */
export function buildReport(
  files: readonly {readonly folder: string; readonly result: ResultFile}[],
  compare: boolean,
  createdAt: string,
): Report {
  const runs = labelRuns(files);
  const unknown = runs.find(({result}) => !suites.some(({id}) => id === result.suite));
  if (unknown !== undefined) {
    throw new Error(`suite = "${unknown.result.suite}"; expected one of ${suites.map(({id}) => id).join(', ')}`);
  }
  const sections = suites.flatMap((suite): Section[] => {
    const [first, ...rest] = runs.filter(({result}) => result.suite === suite.id);
    if (first === undefined) return [];
    return compare ? [{suite, runs: [first, ...rest]}] : [first, ...rest].map((run) => ({suite, runs: [run]}));
  });
  return {createdAt, compare, runs, sections};
}

/** The subjects of a section in the order in which they ran, the reference first. */
export function subjectsOf(section: Section): Subject[] {
  const subjects: Subject[] = [];
  for (const cell of section.runs.flatMap(({result}) => result.cells)) {
    const subject = columnOf(section, cell);
    if (!subjects.some((known) => isSameSubject(known, subject))) subjects.push(subject);
  }
  return subjects;
}

/** The column and line of a cell: its subject, but without the thread count where threads are the axis. */
export function columnOf({suite}: Section, {row, backend, threads}: Subject): Subject {
  return suite.axis === 'threads' ? {row, backend} : {row, backend, threads};
}

/** The places of a section: one for each data set and parameters (and threads, where they are the axis), in running order. */
export function placesOf(section: Section): Place[] {
  const places: Place[] = [];
  for (const {dataset, n, dim, eps, minPts, threads} of section.runs.flatMap(({result}) => result.cells)) {
    const place = {dataset, n, dim, eps, minPts, threads};
    if (!places.some((known) => isAt(section, known, place))) places.push(place);
  }
  return places;
}

/** Whether a cell belongs to a place. */
export function isAt({suite}: Section, place: Place, cell: Place): boolean {
  return isSameWorkload(place, cell) && (suite.axis !== 'threads' || place.threads === cell.threads);
}

/** The cell of a run, or undefined where the run has none. */
export function findCell(section: Section, run: Run, place: Place, subject: Subject): Cell | undefined {
  return run.result.cells.find(
    (cell) => isAt(section, place, cell) && isSameSubject(columnOf(section, cell), columnOf(section, subject)),
  );
}

export function measuredCells(run: Run): MeasuredCell[] {
  return run.result.cells.filter((cell) => cell.status === 'measured');
}

/**
 * Every speed-up of a section: a parallel backend over the serial one of the same variant, and over the
 * reference, which is the fastest one-thread code there is here.
 */
export function speedUpsOf(section: Section): SpeedUp[] {
  const speedUps: SpeedUp[] = [];
  for (const run of section.runs) {
    const cells = measuredCells(run);
    for (const cell of cells) {
      if (cell.backend === REFERENCE.backend) continue;
      for (const row of new Set([cell.row, REFERENCE.row])) {
        const baseline = {...REFERENCE, row};
        const over = cells.find((one) => isSameWorkload(one, cell) && isSameSubject(one, baseline));
        if (over === undefined) continue;
        const factor = over.wall.medianMs / cell.wall.medianMs;
        speedUps.push({run, baseline, subject: columnOf(section, cell), cell, factor});
      }
    }
  }
  return speedUps;
}

function isSameWorkload(a: Place, b: Place): boolean {
  return a.dataset === b.dataset && a.eps === b.eps && a.minPts === b.minPts;
}

/** `grid-bfs gpu`, `pds workers ×4`, and plain `sequential` for the reference. */
export function subjectName({row, backend, threads = 1}: Subject): string {
  const name = row === backend ? row : `${row} ${backend}`;
  return threads === 1 ? name : `${name} ×${threads}`;
}

/** The processor or adapter that a cell's time belongs to. */
export function machineOf(run: Run, backend: string): string {
  const {adapter, machine} = run.result;
  if (backend !== 'gpu') return machine.cpu;
  return adapter === null ? 'no adapter' : adapter.name;
}

function labelRuns(files: readonly {readonly folder: string; readonly result: ResultFile}[]): Run[] {
  const runs: Run[] = [];
  let letters = 0;
  for (const {folder, result} of files) {
    const label = describeOrigin(result);
    const sibling = runs.find(
      (run) => run.label === label && !runs.some((o) => o.letter === run.letter && o.result.suite === result.suite),
    );
    const letter = sibling?.letter ?? letterOf(letters++);
    runs.push({label, letter, folder, result});
  }
  return runs;
}

function describeOrigin({adapter, machine, commit}: ResultFile): string {
  const gpu = adapter === null ? 'no GPU' : adapter.name;
  const hash = commit.hash.slice(0, 7) + (commit.dirty ? ' with local changes' : '');
  return `${machine.cpu}, ${machine.threads} threads, ${gpu}, commit ${hash}`;
}

/** A … Z, then A1 … */
function letterOf(index: number): string {
  const letter = String.fromCodePoint(65 + (index % 26));
  return index < 26 ? letter : `${letter}${Math.floor(index / 26)}`;
}
