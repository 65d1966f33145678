import type {ProfileName, Subject, Suite, Workload} from './suite.ts';

/** The variant whose labels every other cell is compared with. */
export const REFERENCE: Subject = {row: 'sequential', backend: 'sequential'};

/** What the plan reads of a catalogue row. */
export interface PlannableRow {
  readonly id: string;
  readonly maxDim: number;
  readonly backends: readonly string[];
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
  /** The adapter is a software one. */
  readonly softwareGpu: boolean;
  /** Why no adapter can be had, or null. */
  readonly adapterError: string | null;
  readonly elapsedSeconds: number;
  /** Seconds that one run of this subject took on the workload before this one, and that workload's n. */
  readonly previous: {readonly n: number; readonly runSeconds: number} | null;
}

/**
 * The cells of a suite: every workload with every subject that takes its dimensions, in running order. The reference of
 * a workload comes before its other subjects.
 *
 * @param rows  the catalogue; a new row appears in every `catalogue` suite by itself
 */
export function planSuite(suite: Suite, profile: ProfileName, rows: readonly PlannableRow[]): PlannedCell[] {
  return suite.profiles[profile].workloads.flatMap((workload, index): PlannedCell[] => {
    const able = rows.filter((row) => row.maxDim >= workload.dim);
    const all = able.flatMap((row) => row.backends.map((backend) => ({row: row.id, backend})));
    const {subjects} = suite;
    const wanted = subjects === 'catalogue' ? all : all.filter((one) => subjects.some((s) => isSameSubject(s, one)));
    const rest = wanted.filter((one) => !isSameSubject(one, REFERENCE));
    return [REFERENCE, ...rest].map((subject) => ({workload, index, subject}));
  });
}

/**
 * The profile's rule: why a cell is left out, or null where it runs. Where the reference is left out, so is the rest of
 * its workload, because nothing else can be verified.
 */
export function whyLeftOut(
  suite: Suite,
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
  if (context.elapsedSeconds > suiteSeconds)
    return `the ${profile} profile’s ${suiteSeconds} s for this suite are used up`;
  if (context.previous !== null && context.previous.n > 0) {
    // The box stays and n grows, so neighbours grow with n and work with n².
    const runSeconds = context.previous.runSeconds * (workload.n / context.previous.n) ** 2;
    if (runSeconds > cellSeconds) {
      return `expected to take more than the ${cellSeconds} s that the ${profile} profile gives a cell`;
    }
  }
  return null;
}

export function isSameSubject(a: Subject, b: Subject): boolean {
  return a.row === b.row && a.backend === b.backend;
}
