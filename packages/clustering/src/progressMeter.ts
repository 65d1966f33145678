import type {ProgressListener} from './progress.ts';

/** Maximum progress reports a phase. */
const REPORTS = 100;

/** Limits the reports of a run to 100 a phase, so that a listener costs nothing. */
export class ProgressMeter<Phase extends string = string> {
  readonly #total: number;
  readonly #onProgress: ProgressListener<Phase> | undefined;
  #phase: Phase | undefined;
  #reportAt = 0;

  /**
   * @param total       value of `done` at the end of a phase
   * @param onProgress  called on the calling thread
   */
  constructor(total: number, onProgress: ProgressListener<Phase> | undefined) {
    this.#total = total;
    this.#onProgress = onProgress;
  }

  /** Reports `done` if it has grown by a hundredth of the total since the last report of this phase. */
  report(phase: Phase, done: number): void {
    if (phase !== this.#phase) {
      this.#phase = phase;
      this.#reportAt = 0;
    }
    if (done < this.#reportAt) return;
    this.#reportAt = done + this.#total / REPORTS;
    this.#onProgress?.({phase, done: Math.min(done, this.#total), total: this.#total});
  }
}
