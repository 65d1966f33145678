import type {ProfileName} from '../suiteFacts.ts';
import type {DbscanKey} from './result.ts';
import type {DbscanSuite, Subject, Workload} from './suite.ts';

/** The variant whose labels every other cell is compared with, unless its suite or workload says otherwise. */
export const REFERENCE = {row: 'sequential', backend: 'sequential'} as const;

/** What the plan reads of a catalogue row. */
export interface PlannableRow {
  readonly id: string;
  /** Most dimensions by backend. */
  readonly maxDims: Readonly<Partial<Record<string, number>>>;
  readonly backends: readonly string[];
  /** Those of its backends that start worker threads. */
  readonly threadedBackends: readonly string[];
}

/** The subject whose labels every other cell of a workload must have. */
export function referenceOf(suite: DbscanSuite, workload: Workload): Subject {
  return workload.reference ?? suite.reference ?? REFERENCE;
}

/** One workload with one subject. */
export interface PlannedCell {
  readonly workload: Workload;
  /** Place of the workload in its profile. */
  readonly index: number;
  readonly subject: Subject;
}

/** What is known about the machine and the run so far when a cell is about to start. */
export interface CellContext {
  /** Processors that the system gives the run. */
  readonly threads: number;
  /** The adapter is a software one. */
  readonly softwareGpu: boolean;
  /** Why no adapter can be had, or null. */
  readonly adapterError: string | null;
  readonly elapsedSeconds: number;
  /** Seconds that one run of this subject took on the workload before this one, and that workload's n. */
  readonly previous: {readonly n: number; readonly runSeconds: number} | null;
  /** A workload on which this subject took longer than the profile's `slowest` allows. Default: none. */
  readonly slowAt?: {readonly n: number; readonly factor: number} | undefined;
}

/**
 * The cells of a suite: every workload with every subject that takes its dimensions, in running order. The reference of
 * a workload comes before its other subjects; where it has one of its own, that of the suite is not run.
 *
 * @param rows     the catalogue; a new row appears in every `catalogue` suite by itself
 * @param threads  worker threads of the rows with workers in a `catalogue` suite; elsewhere each subject says its own
 */
export function planSuite(
  suite: DbscanSuite,
  profile: ProfileName,
  rows: readonly PlannableRow[],
  threads: number,
): PlannedCell[] {
  const {subjects: usual = suite.subjects} = suite.profiles[profile];
  return suite.profiles[profile].workloads.flatMap((workload, index): PlannedCell[] => {
    const {subjects = usual} = workload;
    const wanted = subjects === 'catalogue' ? rows.flatMap((row) => subjectsOfRow(row, threads)) : subjects;
    const references = [referenceOf(suite, workload), suite.reference ?? REFERENCE];
    const others = wanted.filter(
      (subject) =>
        !references.some((one) => isSameSubject(one, subject)) &&
        rows.some(({id, maxDims}) => id === subject.row && (maxDims[subject.backend] ?? 0) >= workload.dim),
    );
    return [references[0], ...others].map((subject) => ({workload, index, subject}));
  });
}

function subjectsOfRow({id, backends, threadedBackends}: PlannableRow, threads: number): Subject[] {
  return backends.map((backend) => ({row: id, backend, threads: threadedBackends.includes(backend) ? threads : 1}));
}

/**
 * The profile's rule: why a cell is left out, or null where it runs. Where the reference is left out, so is the rest of
 * its workload, because nothing else can be verified.
 */
export function whyLeftOut(
  suite: DbscanSuite,
  profile: ProfileName,
  workload: Workload,
  subject: Subject,
  context: CellContext,
): string | null {
  const {softwareGpuMaxN, cellSeconds, suiteSeconds} = suite.profiles[profile];
  if (subject.backend === 'gpu') {
    if (context.adapterError !== null) return context.adapterError;
    if (context.softwareGpu && workload.n > softwareGpuMaxN) {
      return `software GPU adapter: at most ${softwareGpuMaxN.toLocaleString('en-US')} points in the ${profile} profile`;
    }
  }
  if (workload.hardwareOnly === true && (context.softwareGpu || context.adapterError !== null)) {
    return `the ${profile} profile has these data only with a hardware GPU`;
  }
  if (threadsOf(subject) > context.threads) return `this machine has ${context.threads} threads`;
  if (context.elapsedSeconds > suiteSeconds)
    return `the ${profile} profile’s ${suiteSeconds} s for this suite are used up`;
  if (context.previous !== null && context.previous.n > 0) {
    // The box stays and n grows, so neighbours grow with n and work with n².
    const runSeconds = context.previous.runSeconds * (workload.n / context.previous.n) ** 2;
    if (runSeconds > cellSeconds) {
      return `expected to take more than the ${cellSeconds} s that the ${profile} profile gives a cell`;
    }
  }
  const {slowAt} = context;
  if (slowAt !== undefined && workload.n >= slowAt.n) {
    return `more than ${slowAt.factor} times as long as the fastest on ${slowAt.n.toLocaleString('en-US')} points`;
  }
  return null;
}

/** The same workloads, for machines with a hardware GPU only. */
export function onHardware(workloads: readonly Workload[]): Workload[] {
  return workloads.map((workload) => ({...workload, hardwareOnly: true}));
}

/** Two thread counts are two subjects, and so are two choices of options. */
export function isSameSubject(a: Subject, b: Subject): boolean {
  return (
    a.row === b.row &&
    a.backend === b.backend &&
    threadsOf(a) === threadsOf(b) &&
    optionWords(a).join() === optionWords(b).join()
  );
}

/** The key of the cell that measures a subject on a workload. */
export function cellKeyOf({dataset, n, dim, params}: Workload, subject: Subject): DbscanKey {
  const {row, backend, options = {}} = subject;
  const {eps, minPts} = params;
  return {dataset, n, dim, eps, minPts, row, backend, threads: threadsOf(subject), options: {...options}};
}

/** `grid-bfs/gpu`, `pds/workers ×4`, `sequential/sequential (index none)`: for lines of progress and errors. */
export function nameSubject(subject: Subject): string {
  const {row, backend} = subject;
  return `${row}/${backend}${describeChoices(subject)}`;
}

/** What a subject has beside row and backend, to stand behind its name: ` ×4 (index none, union lock)`, or nothing. */
export function describeChoices(subject: Subject): string {
  const threads = threadsOf(subject);
  const words = optionWords(subject);
  return (threads === 1 ? '' : ` ×${threads}`) + (words.length === 0 ? '' : ` (${words.join(', ')})`);
}

/** `index none`, sorted by name: the order in which options are written does not matter. */
function optionWords({options = {}}: Subject): string[] {
  return Object.entries(options)
    .map(([name, value]) => `${name} ${value}`)
    .sort();
}

function threadsOf({threads}: Subject): number {
  return threads ?? 1;
}
