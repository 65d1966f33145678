import {join} from 'node:path';
import {
  isSameSubject,
  planSuite,
  REFERENCE,
  whyLeftOut,
  type Adapter,
  type Cell,
  type CellKey,
  type MeasuredCell,
  type PlannedWorkload,
  type ProfileName,
  type ResultFile,
  type Subject,
  type Suite,
} from '@epsball/benchmarks';
import {catalogue} from '@epsball/dbscan';
import type {AdapterChoice} from '@epsball/gpu';
import {runInChild} from './childProcess.ts';
import {describeCellLine} from './cellLine.ts';

/** A cell may take this many times what its profile gives it, for start-up and data, before it is killed. */
const TIMEOUT_FACTOR = 3;
const STARTUP_MS = 60_000;

/** What the probe of the adapter found. */
export interface FoundAdapter {
  readonly adapter: Adapter | null;
  /** Why there is no adapter. */
  readonly adapterError: string | null;
}

export interface RunSuiteOptions {
  readonly profile: ProfileName;
  readonly adapter: AdapterChoice;
  readonly found: FoundAdapter;
  readonly resultsDir: string;
  /** Start of the names of all files of this run. */
  readonly stem: string;
  readonly signal?: AbortSignal | undefined;
  readonly log: (line: string) => void;
}

/**
 * Runs every cell of a suite, one after the other, each in a process of its own.
 *
 * @throws the signal's reason  if `signal` fires
 */
export async function runSuite(suite: Suite, options: RunSuiteOptions): Promise<Cell[]> {
  const suiteRun = new SuiteRun(suite, options);
  const cells: Cell[] = [];
  for (const [index, planned] of planSuite(suite, options.profile, catalogue).entries()) {
    cells.push(...(await suiteRun.runWorkload(planned, index)));
  }
  return cells;
}

/**
 * What a suite promised and a run broke: failed cells, and memory beyond the suite's limits. One sentence each.
 */
export function brokenPromises(suite: Suite, result: ResultFile): string[] {
  const broken: string[] = [];
  for (const cell of result.cells) {
    const name = `${suite.id}: ${cell.row}/${cell.backend} on ${cell.dataset}, eps = ${cell.eps}`;
    if (cell.status === 'failed') broken.push(`${name}: ${cell.error}`);
    if (cell.status !== 'measured' || suite.memoryLimits?.rows.includes(cell.row) !== true) continue;
    const {hostBytesPerPoint, deviceBytesPerPoint} = cell.memory;
    const limits = suite.memoryLimits;
    // A software adapter keeps device memory in the process, so the host figure says nothing there.
    const hostCounts = cell.backend !== 'gpu' || result.adapter?.kind === 'hardware';
    if (hostCounts && hostBytesPerPoint !== null && hostBytesPerPoint > limits.hostBytesPerPoint) {
      broken.push(`${name}: ${hostBytesPerPoint.toFixed(1)} host bytes a point; allowed ${limits.hostBytesPerPoint}`);
    }
    if (deviceBytesPerPoint !== null && deviceBytesPerPoint > limits.deviceBytesPerPoint) {
      broken.push(
        `${name}: ${deviceBytesPerPoint.toFixed(1)} device bytes a point; allowed ${limits.deviceBytesPerPoint}`,
      );
    }
  }
  return broken;
}

class SuiteRun {
  readonly #suite: Suite;
  readonly #options: RunSuiteOptions;
  readonly #startedAt = performance.now();
  /** The last measured run of each subject, by `row/backend`. */
  readonly #previous = new Map<string, {n: number; runSeconds: number}>();

  constructor(suite: Suite, options: RunSuiteOptions) {
    this.#suite = suite;
    this.#options = options;
  }

  async runWorkload(planned: PlannedWorkload, index: number): Promise<Cell[]> {
    const cells: Cell[] = [];
    let reference: Cell | undefined;
    for (const subject of planned.subjects) {
      const cell = await this.#runCell(planned, subject, index, reference);
      reference ??= cell;
      cells.push(cell);
      this.#options.log(`  ${describeCellLine(cell)}`);
      if (cell.status === 'measured') {
        this.#previous.set(subjectName(subject), {n: cell.n, runSeconds: cell.wall.medianMs / 1000});
      }
    }
    return cells;
  }

  async #runCell(
    {workload}: PlannedWorkload,
    subject: Subject,
    index: number,
    reference: Cell | undefined,
  ): Promise<Cell> {
    const {profile, adapter, found, resultsDir, stem, signal} = this.#options;
    const {dataset, n, dim, params} = workload;
    const key: CellKey = {dataset, n, dim, ...params, ...subject};
    const {warmups, repeats, settleSeconds, cellSeconds} = this.#suite.profiles[profile];
    const reason = whyLeftOut(this.#suite, profile, workload, subject, {
      softwareGpu: found.adapter !== null && found.adapter.kind !== 'hardware',
      adapterError: found.adapterError,
      elapsedSeconds: (performance.now() - this.#startedAt) / 1000,
      previous: this.#previous.get(subjectName(subject)) ?? null,
    });
    if (reason !== null) return {status: 'leftOut', ...key, reason};
    const isReference = isSameSubject(subject, REFERENCE);
    if (!isReference && reference?.status !== 'measured') {
      return {status: 'failed', ...key, error: 'not verifiable: the sequential variant gave no labels'};
    }
    const picture = isReference && workload.picture ? `${stem}-${index}.png` : null;
    const reply = await runInChild(
      {
        kind: 'measure',
        workload,
        subject,
        adapter,
        warmups,
        repeats,
        settleSeconds,
        cellSeconds,
        referenceHash: !isReference && reference?.status === 'measured' ? reference.labelsHash : null,
        pictureFile: picture === null ? null : join(resultsDir, picture),
      },
      {timeoutMs: cellSeconds * 1000 * TIMEOUT_FACTOR + STARTUP_MS, signal},
    );
    if (reply.status === 'measured')
      return {...reply.cell, picture, verifiedAgainst: verifiedAgainst(reply.cell, reference)};
    return {
      status: 'failed',
      ...key,
      error: reply.status === 'failed' ? reply.error : 'the child answered another question',
    };
  }
}

/** Labels equal to a reference that is equal to the definition are equal to the definition. */
function verifiedAgainst(cell: MeasuredCell, reference: Cell | undefined): MeasuredCell['verifiedAgainst'] {
  const byReference = reference?.status === 'measured' && reference.verifiedAgainst.includes('definition');
  return byReference ? [...cell.verifiedAgainst, 'definition'] : cell.verifiedAgainst;
}

function subjectName({row, backend}: Subject): string {
  return `${row}/${backend}`;
}
