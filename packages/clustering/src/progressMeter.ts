import type {ProgressListener} from './progress.ts';

/** Reports of a phase that takes no longer than `REPORT_MS` each. */
const REPORTS = 100;

/** A slower phase reports this often, in milliseconds: also the time that a listener waits before it can abort. */
const REPORT_MS = 500;

/** Limits the reports of a run, so that a listener costs nothing. */
export class ProgressMeter<Phase extends string = string> {
  readonly #total: number;
  readonly #onProgress: ProgressListener<Phase> | undefined;
  #phase: Phase | undefined;
  #reportAt = 0;
  #reportedAt = 0;
  #reported = 0;

  constructor(total: number, onProgress: ProgressListener<Phase> | undefined) {
    this.#total = total;
    this.#onProgress = onProgress;
  }

  /** Reports a step of a hundredth of the total, anything after half a second, and the end of a phase. */
  report(phase: Phase, done: number): void {
    if (phase !== this.#phase) {
      this.#phase = phase;
      this.#reportAt = 0;
      this.#reported = 0;
    }
    const now = performance.now();
    const isDue = done >= this.#reportAt || now - this.#reportedAt >= REPORT_MS;
    const isLast = done >= this.#total && this.#reported < this.#total;
    if (!isDue && !isLast) return;
    this.#reportAt = done + this.#total / REPORTS;
    this.#reportedAt = now;
    this.#reported = done;
    this.#onProgress?.({phase, done: Math.min(done, this.#total), total: this.#total});
  }
}

/** Hears of the part of some work that is done, from 0 to 1. */
export type PartListener = (part: number) => void;

/** Reports a part of work as `total` items of a phase; undefined without a listener. */
export function reportParts<Phase extends string>(
  phase: Phase,
  total: number,
  onProgress: ProgressListener<Phase> | undefined,
): PartListener | undefined {
  if (onProgress === undefined) return undefined;
  const meter = new ProgressMeter(total, onProgress);
  return (part) => meter.report(phase, Math.floor(part * total));
}

/** The part of a run whose phases are unknown before: each is half of what is left. */
export function partOfPhases(report: PartListener): ProgressListener {
  let before = 0;
  let last: string | undefined;
  return ({phase, done, total}) => {
    if (last !== undefined && phase !== last) before = (1 + before) / 2;
    last = phase;
    report(before + ((1 - before) / 2) * (total === 0 ? 0 : done / total));
  };
}
