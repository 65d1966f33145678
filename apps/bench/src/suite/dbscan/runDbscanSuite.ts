import {availableParallelism} from 'node:os';
import {basename, join} from 'node:path';
import {
  cellKeyOf,
  isSameSubject,
  nameSubject,
  planSuite,
  referenceOf,
  whyLeftOut,
  type DbscanCell,
  type DbscanKey,
  type DbscanSuite,
  type MeasuredDbscanCell,
  type PlannedCell,
} from '@epsball/benchmarks';
import {catalogue} from '@epsball/dbscan';
import {runInChild} from '../childProcess.ts';
import type {CellReply, MeasureJob} from '../job.ts';
import type {RunSuiteOptions} from '../runOptions.ts';
import {describeCellLine} from './cellLine.ts';

/** A cell is killed after this many times its profile's seconds, which leaves time for start-up and data. */
const TIMEOUT_FACTOR = 3;
const STARTUP_MS = 60_000;
/** On a software GPU adapter a slow cell is expected, so data and start-up get less time. */
const SLOW_STARTUP_MS = 8000;

/**
 * Runs every cell of a suite, one after the other, each in a process of its own.
 *
 * @throws the signal's reason  if `signal` fires
 */
export async function runDbscanSuite(suite: DbscanSuite, options: RunSuiteOptions): Promise<DbscanCell[]> {
  const suiteRun = new SuiteRun(suite, options);
  const cells: DbscanCell[] = [];
  for (const planned of planSuite(suite, options.profile, catalogue, availableParallelism())) {
    const cell = await suiteRun.runCell(planned);
    cells.push(cell);
    options.log(`  ${describeCellLine(cell)}`);
  }
  return cells;
}

class SuiteRun {
  readonly #suite: DbscanSuite;
  readonly #options: RunSuiteOptions;
  readonly #startedAt = performance.now();
  /** The reference cells so far, by workload. */
  readonly #references = new Map<number, DbscanCell>();
  /** The last measured run of each subject, by `row/backend`, and threads where there are several. */
  readonly #previous = new Map<string, {n: number; runSeconds: number}>();

  constructor(suite: DbscanSuite, options: RunSuiteOptions) {
    this.#suite = suite;
    this.#options = options;
  }

  async runCell(planned: PlannedCell): Promise<DbscanCell> {
    const {workload, subject, index} = planned;
    const key = cellKeyOf(workload, subject);
    const isReference = isSameSubject(subject, referenceOf(this.#suite, workload));
    const reference = this.#references.get(index);
    const cell: DbscanCell = await this.#tryCell(planned, key, reference);
    if (isReference) this.#references.set(index, cell);
    if (cell.status === 'measured') this.#remember(key, cell.wall.medianMs / 1000);
    return cell;
  }

  async #tryCell(planned: PlannedCell, key: DbscanKey, reference: DbscanCell | undefined): Promise<DbscanCell> {
    const {profile, found, signal} = this.#options;
    const softwareGpu = found.adapter !== null && found.adapter.kind !== 'hardware';
    const reason = whyLeftOut(this.#suite, profile, planned.workload, planned.subject, {
      threads: availableParallelism(),
      softwareGpu,
      adapterError: found.adapterError,
      elapsedSeconds: (performance.now() - this.#startedAt) / 1000,
      previous: this.#previous.get(nameSubject(key)) ?? null,
    });
    const earlier = this.#options.earlierLabels?.(planned.workload);
    const compared = referenceOf(this.#suite, planned.workload);
    if (earlier !== undefined && isSameSubject(planned.subject, compared)) {
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
    const reply = await runInChild(job, {timeoutMs, signal});
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

  #remember(key: DbscanKey, runSeconds: number): void {
    this.#previous.set(nameSubject(key), {n: key.n, runSeconds});
  }

  #jobFor({workload, subject, index}: PlannedCell, isSlow: boolean, referenceHash: string | null): MeasureJob {
    const {profile, adapter, resultsDir, stem} = this.#options;
    const {warmups, repeats, repeatsMax, settleSeconds, warmSeconds, cellSeconds} = this.#suite.profiles[profile];
    const reference = referenceOf(this.#suite, workload);
    const drawn = isSameSubject(subject, reference) && workload.picture;
    return {
      kind: 'measure',
      workload,
      subject,
      adapter,
      ...(isSlow
        ? {warmups: Math.min(1, warmups), repeats: 1, settleSeconds: 0}
        : {warmups, repeats, repeatsMax, settleSeconds, warmSeconds}),
      cellSeconds,
      reference,
      referenceHash,
      pictureFile: drawn ? join(resultsDir, `${stem}-${index}.png`) : null,
    };
  }
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
