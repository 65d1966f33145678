import {availableParallelism} from 'node:os';
import {basename, join} from 'node:path';
import {
  cellKeyOf,
  isSameSubject,
  measuredDbscanCellSchema,
  mergeTimings,
  nameSubject,
  planSuite,
  referenceOf,
  whyLeftOut,
  type DbscanCell,
  type DbscanKey,
  type DbscanSuite,
  type MeasuredDbscanCell,
  type PlannedCell,
  type Subject,
  type Workload,
} from '@epsball/benchmarks';
import {catalogue} from '@epsball/dbscan';
import {runInChild, type ChildOptions} from '../childProcess.ts';
import type {CellReply, MeasureJob} from '../job.ts';
import type {CellFacts} from '../onlyFilter.ts';
import type {RunSuiteOptions} from '../runOptions.ts';
import {describeCellLine} from './cellLine.ts';
import {Pace} from './pace.ts';
import {suiteVerdict} from './suiteVerdict.ts';

/** A cell is killed after this many times its profile's seconds, which leaves time for start-up and data. */
const TIMEOUT_FACTOR = 3;
const STARTUP_MS = 60_000;
/** On a software GPU adapter a slow cell is expected. The bundled one compiles the kernels of a variant in 16 s. */
const SLOW_STARTUP_MS = 30_000;

/**
 * Runs every cell of a suite, one after the other, each in a process of its own.
 *
 * @throws the signal's reason  if `signal` fires
 */
export async function runDbscanSuite(suite: DbscanSuite, options: RunSuiteOptions): Promise<DbscanCell[]> {
  const suiteRun = new SuiteRun(suite, options);
  const earlier = new Map(earlierMeasured(options.earlierCells ?? []).map((cell) => [keyText(cell), cell]));
  const cells: DbscanCell[] = [];
  for (const planned of planDbscan(suite, options)) {
    const key = cellKeyOf(planned.workload, planned.subject);
    const kept = earlier.get(keyText(key));
    options.onStart?.(`${suite.id}: ${nameSubject(key)} on ${key.dataset}`);
    const cell = kept ?? (await suiteRun.runCell(planned));
    if (kept !== undefined) suiteRun.keep(planned, kept);
    cells.push(cell);
    options.onCell?.(cell, kept === undefined && cell.status !== 'leftOut');
    if (cell.status !== 'leftOut') options.log(`  ${describeCellLine(cell, suiteRun.referenceAt(planned))}`);
  }
  const verdict = suiteVerdict(suite, cells);
  if (verdict !== null) options.log(`  ${verdict}`);
  return cells;
}

/** The cells that run: those that `only` selects, and the references that verify them. */
export function planDbscan(
  suite: DbscanSuite,
  {profile, only}: Pick<RunSuiteOptions, 'profile' | 'only'>,
): PlannedCell[] {
  const all = planSuite(suite, profile, catalogue, availableParallelism());
  if (only === undefined) return all;
  const wanted = all.filter(({workload, subject}) => only(factsOf(workload, subject)));
  const verified = new Set(wanted.map(({index}) => index));
  return all.filter(
    (cell) =>
      wanted.includes(cell) ||
      (verified.has(cell.index) && isSameSubject(cell.subject, referenceOf(suite, cell.workload))),
  );
}

function factsOf({dataset, n}: Workload, {row, backend}: Subject): CellFacts {
  const [generator] = dataset.split(':', 1);
  return {names: [row, `${row}/${backend}`, generator], backend, n};
}

function earlierMeasured(cells: readonly unknown[]): DbscanCell[] {
  return cells.flatMap((cell) => {
    const parsed = measuredDbscanCellSchema.safeParse(cell);
    return parsed.success ? [parsed.data] : [];
  });
}

/** A cell's key as text. */
function keyText(key: DbscanKey): string {
  const {dataset, eps, minPts} = key;
  return `${nameSubject(key)} ${dataset} ${eps} ${minPts}`;
}

class SuiteRun {
  readonly #suite: DbscanSuite;
  readonly #options: RunSuiteOptions;
  readonly #startedAt = performance.now();
  /** The reference cells so far, by workload. */
  readonly #references = new Map<number, DbscanCell>();
  /** The last measured run of each subject on each kind of data, by `subjectOnKind`. */
  readonly #previous = new Map<string, {n: number; runSeconds: number}>();
  readonly #pace: Pace;

  constructor(suite: DbscanSuite, options: RunSuiteOptions) {
    this.#suite = suite;
    this.#options = options;
    this.#pace = new Pace(suite.profiles[options.profile].slowest);
  }

  /** Takes a cell of an earlier run as if it had run now. */
  keep({workload, subject, index}: PlannedCell, cell: DbscanCell): void {
    if (isSameSubject(subject, referenceOf(this.#suite, workload))) this.#references.set(index, cell);
    if (cell.status === 'measured') this.#rememberTime(index, cell);
  }

  /** The reference of a cell's workload, once it has run. */
  referenceAt({index}: PlannedCell): DbscanCell | undefined {
    return this.#references.get(index);
  }

  async runCell(planned: PlannedCell): Promise<DbscanCell> {
    const {workload, subject, index} = planned;
    const key = cellKeyOf(workload, subject);
    const isReference = isSameSubject(subject, referenceOf(this.#suite, workload));
    const reference = this.#references.get(index);
    const cell: DbscanCell = await this.#tryCell(planned, key, reference);
    if (isReference) this.#references.set(index, cell);
    if (cell.status === 'measured') this.#rememberTime(index, cell);
    return cell;
  }

  async #tryCell(planned: PlannedCell, key: DbscanKey, reference: DbscanCell | undefined): Promise<DbscanCell> {
    const {profile, found, signal} = this.#options;
    const compared = referenceOf(this.#suite, planned.workload);
    const isReference = isSameSubject(planned.subject, compared);
    const softwareGpu = found.adapter !== null && found.adapter.kind !== 'hardware';
    const reason = whyLeftOut(this.#suite, profile, planned.workload, planned.subject, {
      threads: availableParallelism(),
      softwareGpu,
      adapterError: found.adapterError,
      elapsedSeconds: (performance.now() - this.#startedAt) / 1000,
      previous: this.#previous.get(subjectOnKind(key)) ?? null,
      slowAt: isReference ? undefined : this.#pace.slowAt(planned.index, nameSubject(key)),
    });
    const earlier = this.#options.earlierLabels?.(planned.workload, compared);
    const {timeReference} = this.#options;
    const isTimed = timeReference !== undefined && (earlier?.seconds ?? 0) <= timeReference;
    if (earlier !== undefined && !isTimed && isReference) {
      return {status: 'leftOut', ...key, reason: `its labels are those of ${earlier.file}`};
    }
    if (reason !== null) return {status: 'leftOut', ...key, reason};
    if (earlier === undefined && reference?.status === 'leftOut') {
      return {status: 'leftOut', ...key, reason: `not verifiable: the ${compared.row} variant was left out`};
    }
    if (reference?.status === 'failed') {
      return {status: 'failed', ...key, error: `not verifiable: the ${compared.row} variant gave no labels`};
    }
    const isSlow = softwareGpu && planned.subject.backend === 'gpu';
    const job = this.#jobFor(planned, isSlow, labelsHashOf(reference) ?? earlier?.labelsHash ?? null);
    const timeoutMs = isSlow
      ? job.cellSeconds * 1000 + SLOW_STARTUP_MS
      : job.cellSeconds * 1000 * TIMEOUT_FACTOR + STARTUP_MS;
    const reply = await this.#runProcesses(job, {timeoutMs, signal});
    if (reply.status === 'measured' && earlier !== undefined && reply.cell.datasetHash !== earlier.datasetHash) {
      return {status: 'failed', ...key, error: `not verifiable: the points are not those of ${earlier.file}`};
    }
    if (reply.status === 'measured') {
      const picture = job.pictureFile === null ? null : basename(job.pictureFile);
      return {...reply.cell, picture, verifiedAgainst: verifiedAgainst(reply.cell, reference)};
    }
    if (reply.status === 'stopped' && isSlow) {
      this.#remember(key, reply.seconds);
      return {status: 'leftOut', ...key, reason: `software GPU adapter: stopped after ${reply.seconds} s`};
    }
    return {status: 'failed', ...key, error: describeReply(reply)};
  }

  /** Runs the job in each process of the cell; their times count together. */
  async #runProcesses(job: MeasureJob, child: ChildOptions): Promise<CellReply> {
    const {processes = 1} = this.#options;
    const first = await runInChild(job, child);
    if (first.status !== 'measured' || processes === 1) return first;
    const {cell} = first;
    const [walls, devices] = [[cell.wall], [cell.device]];
    for (let done = 1; done < processes; done++) {
      const reply = await runInChild({...job, referenceHash: cell.labelsHash, pictureFile: null}, child);
      if (reply.status !== 'measured') return reply;
      walls.push(reply.cell.wall);
      devices.push(reply.cell.device);
    }
    const timed = devices.filter((one) => one !== null);
    const device = timed.length === processes ? mergeTimings(timed) : null;
    return {...first, cell: {...cell, wall: mergeTimings(walls), device}};
  }

  #rememberTime(index: number, cell: MeasuredDbscanCell): void {
    this.#remember(cell, cell.wall.medianMs / 1000);
    this.#pace.add(index, cell);
  }

  #remember(key: DbscanKey, runSeconds: number): void {
    this.#previous.set(subjectOnKind(key), {n: key.n, runSeconds});
  }

  #jobFor({workload, subject, index}: PlannedCell, isSlow: boolean, referenceHash: string | null): MeasureJob {
    const {profile, adapter, resultsDir, stem, pictures = true} = this.#options;
    const {warmups, repeats, repeatsMax, settleSeconds, warmSeconds, cellSeconds, repeatSeconds} =
      this.#suite.profiles[profile];
    const reference = referenceOf(this.#suite, workload);
    const drawn = pictures && isSameSubject(subject, reference) && workload.picture;
    return {
      kind: 'measure',
      workload,
      subject,
      adapter,
      ...(isSlow
        ? {warmups: Math.min(1, warmups), repeats: 1, settleSeconds: 0}
        : {warmups, repeats, repeatsMax, settleSeconds, warmSeconds}),
      cellSeconds,
      repeatSeconds,
      reference,
      referenceHash,
      pictureFile: drawn ? join(resultsDir, `${stem}-${index}.png`) : null,
    };
  }
}

/** A subject and a kind of data: the work on points of another kind says nothing about it. */
function subjectOnKind(key: DbscanKey): string {
  return `${nameSubject(key)} ${key.dataset.replace(/\bn=\d+/, '')}`;
}

function labelsHashOf(reference: DbscanCell | undefined): string | undefined {
  return reference?.status === 'measured' ? reference.labelsHash : undefined;
}

function describeReply(reply: CellReply): string {
  if (reply.status === 'failed') return reply.error;
  return reply.status === 'stopped' ? `stopped after ${reply.seconds} s` : 'the child answered another question';
}

/** Labels equal to a reference that is equal to the definition are equal to the definition. */
function verifiedAgainst(
  cell: MeasuredDbscanCell,
  reference: DbscanCell | undefined,
): MeasuredDbscanCell['verifiedAgainst'] {
  const byReference = reference?.status === 'measured' && reference.verifiedAgainst.includes('definition');
  return byReference ? [...cell.verifiedAgainst, 'definition'] : cell.verifiedAgainst;
}
