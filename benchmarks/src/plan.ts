import {isSameSubject, nameSubject, nameWorkload, type Cell, type MeasuredCell, type Subject} from './cell.ts';
import type {Adapter, ProfileName} from './result.ts';
import type {MemoryLimits, Suite, Workload} from './suite.ts';

/** What the plan reads of a catalogue row. */
export interface PlannableRow {
  readonly id: string;
  readonly backends: readonly string[];
  readonly on: Readonly<Partial<Record<string, {readonly maxDim: number}>>>;
  /** Those of its backends that start worker threads. */
  readonly threadedBackends: readonly string[];
}

/** One workload with one subject. */
export interface PlannedCell {
  readonly workload: Workload;
  /** Place of the workload in its profile. */
  readonly index: number;
  readonly subject: Subject;
  readonly isReference: boolean;
}

/**
 * The cells of a suite in running order: every workload with every subject that takes its dimensions, the reference of
 * a workload first.
 *
 * @param rows     the catalogue; a new row appears in every `catalogue` suite by itself
 * @param threads  worker threads of the rows with workers in a `catalogue` suite
 */
export function planSuite(
  suite: Suite,
  profile: ProfileName,
  rows: readonly PlannableRow[],
  threads: number,
): PlannedCell[] {
  const {workloads, subjects: usual = suite.subjects} = suite.profiles[profile];
  return workloads.flatMap((workload, index): PlannedCell[] => {
    const {subjects = usual} = workload;
    const wanted = subjects === 'catalogue' ? rows.flatMap((row) => subjectsOfRow(row, threads)) : subjects;
    const reference = suite.reference === null ? null : (workload.reference ?? suite.reference);
    const isOther = (subject: Subject): boolean =>
      ![reference, suite.reference].some((one) => one !== null && isSameSubject(one, subject)) &&
      (suite.kind !== 'dbscan' ||
        rows.some(({id, on}) => id === subject.row && (on[subject.backend]?.maxDim ?? 0) >= workload.dim));
    const others = wanted.filter(isOther).map((subject) => ({workload, index, subject, isReference: false}));
    return reference === null ? others : [{workload, index, subject: reference, isReference: true}, ...others];
  });
}

function subjectsOfRow({id, backends, threadedBackends}: PlannableRow, threads: number): Subject[] {
  return backends.map((backend) => ({row: id, backend, threads: threadedBackends.includes(backend) ? threads : 1}));
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
  /** Seconds that one run of this subject took on fewer points of this kind, and their number. */
  readonly previous: {readonly n: number; readonly eps?: number | undefined; readonly runSeconds: number} | null;
  /** A workload on which this subject took longer than the profile's `slowest` allows. Default: none. */
  readonly slowAt?: {readonly n: number; readonly factor: number} | undefined;
}

/** Why a cell is left out, or null where it runs. `isSlow`: only because it would take too long. */
export function whyLeftOut(
  suite: Suite,
  profile: ProfileName,
  {n, dim, params: {eps}, hardwareOnly}: Workload,
  {backend, threads = 1}: Subject,
  context: CellContext,
): {readonly reason: string; readonly isSlow: boolean} | null {
  const no = (reason: string, isSlow = false): {reason: string; isSlow: boolean} => ({reason, isSlow});
  const {softwareGpuMaxN, cellSeconds, suiteSeconds} = suite.profiles[profile];
  if (backend === 'gpu') {
    if (context.adapterError !== null) return no(context.adapterError);
    if (context.softwareGpu && n > softwareGpuMaxN) {
      return no(`software GPU adapter: at most ${softwareGpuMaxN.toLocaleString('en-US')} points`);
    }
  }
  if (hardwareOnly === true && (context.softwareGpu || context.adapterError !== null)) {
    return no(`the ${profile} profile has these data only with a hardware GPU`);
  }
  if (threads > context.threads) return no(`this machine has ${context.threads} threads`);
  if (context.elapsedSeconds > suiteSeconds) return no(`the ${suiteSeconds} s of this suite are used up`, true);
  if (context.previous !== null && context.previous.n > 0) {
    // In a box of one size neighbours grow with n and work with n², less where eps shrinks; a primitive's work with n.
    const more = n / context.previous.n;
    const near = Math.min(1, ((eps ?? 1) / (context.previous.eps ?? eps ?? 1)) ** dim);
    const growth = suite.kind === 'primitives' ? more : more * Math.max(1, more * near);
    if (context.previous.runSeconds * growth > cellSeconds) {
      return no(`expected to take more than the ${cellSeconds} s that the ${profile} profile gives a cell`, true);
    }
  }
  const {slowAt} = context;
  if (slowAt === undefined || n < slowAt.n) return null;
  return no(`more than ${slowAt.factor} times as long as the fastest on ${slowAt.n.toLocaleString('en-US')} points`);
}

/** The same workloads, for machines with a hardware GPU only. */
export function onHardware(workloads: readonly Workload[]): Workload[] {
  return workloads.map((workload) => ({...workload, hardwareOnly: true}));
}

/** Whether the host memory of a cell is held against the limit: a software adapter keeps device memory there. */
function isHostCounted({n, backend}: MeasuredCell, adapter: Adapter | null, limits: MemoryLimits): boolean {
  return n >= limits.hostFromPoints && (backend !== 'gpu' || adapter?.kind === 'hardware');
}

/** The limits that a suite has for a cell. */
export function limitsOf(
  {limits}: Suite,
  cell: MeasuredCell,
  adapter: Adapter | null,
): {host?: number; device?: number} {
  if (limits?.rows.includes(cell.row) !== true || cell.dim > (limits.maxDim ?? Infinity)) return {};
  return {
    ...(isHostCounted(cell, adapter, limits) ? {host: limits.hostBytesPerPoint} : {}),
    ...(cell.n >= (limits.deviceFromPoints ?? 0) ? {device: limits.deviceBytesPerPoint} : {}),
  };
}

/** Failed cells, and cells that exceed the suite's limits on memory, one sentence each. */
export function findFailures(suite: Suite, cells: readonly Cell[], adapter: Adapter | null): string[] {
  return cells.flatMap((cell): string[] => {
    const name = `${suite.id}: ${nameSubject(cell)} on ${nameWorkload(cell)}`;
    if (cell.status === 'failed') return [`${name}: ${cell.reason}`];
    if (cell.status !== 'measured') return [];
    const {host, device} = limitsOf(suite, cell, adapter);
    return [
      ...exceeded('host', cell.hostBytes, cell.n, host),
      ...exceeded('device', cell.deviceBytes, cell.n, device),
    ].map((what) => `${name}: ${what}`);
  });
}

function exceeded(what: string, bytes: number | null, n: number, allowed = Infinity): string[] {
  if (bytes === null || bytes / n <= allowed) return [];
  return [`${(bytes / n).toFixed(1)} ${what} bytes a point; allowed ${allowed}`];
}
