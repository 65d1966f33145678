import {availableParallelism} from 'node:os';
import {basename, join} from 'node:path';
import {
  cellSchema,
  keyOf,
  keyText,
  mergeTimings,
  nameSubject,
  nameWorkload,
  timeOf,
  whyLeftOut,
  type Adapter,
  type Cell,
  type CellKey,
  type MeasuredCell,
  type PlannedCell,
  type ProfileName,
  type Subject,
  type Suite,
} from '@epsball/benchmarks';
import type {AdapterChoice} from '@epsball/gpu';
import {versionOfR} from '../measure/r.ts';
import {runInChild} from './childProcess.ts';
import type {FindLabels} from './earlierLabels.ts';
import {withEstimates} from './estimates.ts';
import type {CellJob, Reply} from './job.ts';
import type {OnlyFilter} from './only.ts';
import {planCells} from './plan.ts';

/** A cell is killed after this many times its profile's seconds, which leaves time for start-up and data. */
const TIMEOUT_FACTOR = 3;
const STARTUP_MS = 60_000;
/** On a software GPU adapter a slow cell is expected. The bundled one compiles the kernels of a variant in 16 s. */
const SLOW_STARTUP_MS = 30_000;

export interface RunSuiteOptions {
  readonly profile: ProfileName;
  readonly adapter: AdapterChoice;
  /** The adapter that the choice opens, or why there is none. */
  readonly found: {readonly adapter: Adapter | null; readonly adapterError: string | null};
  readonly resultsDir: string;
  /** Start of the names of all files of this run. */
  readonly stem: string;
  /** Labels that replace a run of the reference. Default: none. */
  readonly earlierLabels?: FindLabels | undefined;
  /** Which cells run. Default: all. */
  readonly only?: OnlyFilter | undefined;
  /** Child processes of a cell, whose runs count together. Default: 1. */
  readonly processes?: number | undefined;
  /** Cells that an interrupted run has measured. They do not run again. Default: none. */
  readonly earlierCells?: readonly unknown[] | undefined;
  /** References with earlier labels run for their times, but those that took longer there. Seconds. Default: none. */
  readonly timeReference?: number | undefined;
  /** Whether cluster pictures are drawn. Default: true. */
  readonly pictures?: boolean | undefined;
  /** Seconds after which no further cell starts. Default: those of the profile. */
  readonly seconds?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called when a cell begins, with its name. */
  readonly onStart?: ((name: string) => void) | undefined;
  /** Called with each finished cell and the one of its reference; `ran`: no earlier run had it, nor was it left out. */
  readonly onCell?: ((cell: Cell, ran: boolean, reference: Cell | undefined) => void) | undefined;
}

/**
 * Runs every cell of a suite, one after the other, each in a process of its own.
 *
 * @throws the signal's reason  if `signal` fires
 */
export async function runSuite(suite: Suite, options: RunSuiteOptions): Promise<Cell[]> {
  const run = new SuiteRun(suite, options);
  const earlier = new Map(earlierMeasured(options.earlierCells ?? []).map((cell) => [keyText(cell), cell]));
  const cells: Cell[] = [];
  const slow = new Set<Cell>();
  for (const planned of planCells(suite, options)) {
    const key = keyOf(planned);
    options.onStart?.(`${suite.id}: ${nameSubject(key)} on ${nameWorkload(key)}`);
    const kept = earlier.get(keyText(key));
    const {cell, isSlow = false} = kept === undefined ? await run.tryCell(planned) : {cell: kept};
    run.remember(planned, cell);
    cells.push(cell);
    if (isSlow) slow.add(cell);
    options.onCell?.(cell, kept === undefined && cell.status !== 'leftOut', run.referenceOf(planned));
  }
  return suite.kind === 'mean-shift' ? withEstimates(cells, slow) : cells;
}

function earlierMeasured(cells: readonly unknown[]): MeasuredCell[] {
  return cells.flatMap((cell) => {
    const {data} = cellSchema.safeParse(cell);
    return data?.status === 'measured' ? [data] : [];
  });
}

class SuiteRun {
  readonly #suite: Suite;
  readonly #options: RunSuiteOptions;
  readonly #startedAt = performance.now();
  /** Reference cells so far, by workload. */
  readonly #references = new Map<number, Cell>();
  /** The last measured run of each subject on each kind of data. */
  readonly #previous = new Map<string, {n: number; eps: number | undefined; runSeconds: number}>();
  /** Milliseconds of each subject on each workload. */
  readonly #paces = new Map<number, {n: number; ms: Map<string, number>}>();

  constructor(suite: Suite, options: RunSuiteOptions) {
    this.#suite = suite;
    this.#options = options;
  }

  referenceOf({index}: PlannedCell): Cell | undefined {
    return this.#references.get(index);
  }

  /** Takes a cell into account for those that follow. */
  remember({index, isReference}: PlannedCell, cell: Cell): void {
    if (isReference) this.#references.set(index, cell);
    if (cell.status !== 'measured') return;
    this.#previous.set(kindOf(cell), {n: cell.n, eps: cell.params['eps'], runSeconds: timeOf(cell) / 1000});
    const pace = this.#paces.get(index) ?? {n: cell.n, ms: new Map<string, number>()};
    pace.ms.set(nameSubject(cell), timeOf(cell));
    this.#paces.set(index, pace);
  }

  async tryCell(planned: PlannedCell): Promise<{cell: Cell; isSlow?: boolean}> {
    const {found, signal, timeReference} = this.#options;
    const {workload, subject, index, isReference} = planned;
    const key = keyOf(planned);
    const compared = workload.reference ?? this.#suite.reference;
    const leftOut = (reason: string, isSlow = false): {cell: Cell; isSlow: boolean} => ({
      cell: {...key, status: 'leftOut', reason},
      isSlow,
    });
    const failed = (reason: string): {cell: Cell} => ({cell: {...key, status: 'failed', reason}});
    const why = this.#whyLeftOut(planned, key);
    const earlier = compared === null ? undefined : this.#options.earlierLabels?.(workload, compared);
    const isTimed = timeReference !== undefined && (earlier?.seconds ?? 0) <= timeReference;
    if (earlier !== undefined && !isTimed && isReference) return leftOut(`its labels are those of ${earlier.file}`);
    if (why !== null) return leftOut(why.reason, why.isSlow);
    const reference = this.#references.get(index);
    if (earlier === undefined && reference?.status === 'leftOut') {
      return leftOut(`not verifiable: the ${compared?.row} variant was left out`);
    }
    if (reference?.status === 'failed') return failed(`not verifiable: the ${compared?.row} variant gave no labels`);
    const isSoftware = found.adapter?.kind !== 'hardware' && subject.backend === 'gpu';
    const referenceHash = reference?.status === 'measured' ? reference.labels : (earlier?.labels ?? null);
    const job = this.#jobFor(planned, isSoftware, isReference ? (earlier?.labels ?? null) : referenceHash);
    const cellMs = job.profile.cellSeconds * 1000;
    const timeoutMs = isSoftware ? cellMs + SLOW_STARTUP_MS : cellMs * TIMEOUT_FACTOR + STARTUP_MS;
    const reply = await this.#runProcesses(job, {timeoutMs, signal});
    if (reply.status === 'stopped' && isSoftware)
      return leftOut(`software GPU adapter: stopped after ${reply.seconds} s`);
    if (reply.status !== 'cell') return failed(textOf(reply));
    if (reply.cell.status !== 'measured') return {cell: reply.cell};
    if (earlier !== undefined && reply.cell.points !== earlier.points) {
      return failed(`not verifiable: the points are not those of ${earlier.file}`);
    }
    // Labels equal to a reference that is equal to the definition are equal to the definition.
    const isDefined = !isReference && reference?.status === 'measured' && reference.verified.includes('definition');
    const verified = isDefined ? [...reply.cell.verified, 'definition'] : reply.cell.verified;
    return {cell: {...reply.cell, verified, picture: job.pictureFile === null ? null : basename(job.pictureFile)}};
  }

  #whyLeftOut({workload, subject, index, isReference}: PlannedCell, key: CellKey): ReturnType<typeof whyLeftOut> {
    const {found, profile, seconds = Infinity} = this.#options;
    const elapsedSeconds = (performance.now() - this.#startedAt) / 1000;
    if (elapsedSeconds > seconds) return {reason: 'the suite’s share of the time is used up', isSlow: false};
    if (workload.dataset.startsWith('npy:') && process.env['EPSBALL_PEER_SETS'] === undefined) {
      return {reason: 'EPSBALL_PEER_SETS names no folder of make_sets.py', isSlow: false};
    }
    if (subject.row === 'R' && versionOfR() === undefined) {
      return {reason: 'R with the package dbscan is not installed', isSlow: false};
    }
    return whyLeftOut(this.#suite, profile, workload, subject, {
      threads: availableParallelism(),
      softwareGpu: found.adapter !== null && found.adapter.kind !== 'hardware',
      adapterError: found.adapterError,
      elapsedSeconds,
      previous: this.#previous.get(kindOf(key)) ?? null,
      slowAt: isReference ? undefined : this.#slowAt(index, subject),
    });
  }

  /** The smallest earlier workload on which a subject was too slow; undefined if there is none. */
  #slowAt(index: number, subject: Subject): {n: number; factor: number} | undefined {
    const rule = this.#suite.profiles[this.#options.profile].slowest;
    if (rule === undefined || rule.but.includes(subject.row)) return undefined;
    const name = nameSubject(subject);
    const slow = [...this.#paces]
      .filter(([earlier, {n}]) => earlier < index && n >= rule.fromPoints)
      .filter(([, {ms}]) => (ms.get(name) ?? 0) > rule.factor * Math.min(...ms.values()))
      .map(([, {n}]) => n);
    return slow.length === 0 ? undefined : {n: Math.min(...slow), factor: rule.factor};
  }

  #jobFor(
    {workload, subject, index, isReference}: PlannedCell,
    isSoftware: boolean,
    referenceHash: string | null,
  ): CellJob {
    const {profile, adapter, resultsDir, stem, pictures = true} = this.#options;
    const {warmups, repeats, repeatsMax, settleSeconds, warmSeconds, cellSeconds, repeatSeconds} =
      this.#suite.profiles[profile];
    const few = isSoftware ? {warmups: Math.min(1, warmups), repeats: 1, repeatsMax: 1, settleSeconds: 0} : {};
    const isDrawn = pictures && isReference && workload.picture === true;
    return {
      kind: this.#suite.kind,
      workload,
      subject,
      adapter,
      profile: {warmups, repeats, repeatsMax, settleSeconds, warmSeconds, cellSeconds, repeatSeconds, ...few},
      reference: workload.reference ?? this.#suite.reference,
      referenceHash,
      pictureFile: isDrawn ? join(resultsDir, `${stem}-${index}.png`) : null,
    };
  }

  /** Runs the job in each process of the cell; their times count together. */
  async #runProcesses(job: CellJob, child: Parameters<typeof runInChild>[1]): Promise<Reply> {
    const {processes = 1} = this.#options;
    const first = await runInChild(job, child);
    if (first.status !== 'cell' || first.cell.status !== 'measured' || processes === 1) return first;
    const cells = [first.cell];
    while (cells.length < processes) {
      const again = {...job, referenceHash: first.cell.labels ?? job.referenceHash, pictureFile: null};
      const reply = await runInChild(again, child);
      if (reply.status !== 'cell' || reply.cell.status !== 'measured') return reply;
      cells.push(reply.cell);
    }
    const [walls, devices] = [cells.flatMap(({wall}) => wall ?? []), cells.flatMap(({device}) => device ?? [])];
    const wall = walls.length === processes ? mergeTimings(walls) : null;
    const device = devices.length === processes ? mergeTimings(devices) : null;
    return {...first, cell: {...first.cell, wall, device}};
  }
}

/** A subject and a kind of data: the work on points of another kind says nothing about it. */
function kindOf(key: CellKey): string {
  return `${nameSubject(key)} ${key.dataset.replace(/\bn=\d+/, '')}`;
}

function textOf(reply: Reply): string {
  if (reply.status === 'failed') return reply.error;
  return reply.status === 'stopped' ? `stopped after ${reply.seconds} s` : 'the child answered another question';
}
