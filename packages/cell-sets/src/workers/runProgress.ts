import type {DbscanPhase, ProgressListener} from '@epsball/clustering';

/** Maximum of reports for each phase, beside its start and end. */
const REPORTS = 100;

/** Reports the progress of a run, in points of each phase, while waves run. */
export class RunProgress {
  readonly #total: number;
  readonly #listener: ProgressListener<DbscanPhase> | undefined;
  #phase: DbscanPhase | undefined;
  #done = 0;

  /** @param total  number of points */
  constructor(total: number, listener: ProgressListener<DbscanPhase> | undefined) {
    this.#total = total;
    this.#listener = listener;
  }

  /** Begins a phase and ends the one before. Has no effect if the phase has begun. */
  enter(phase: DbscanPhase): void {
    if (phase === this.#phase) return;
    this.end();
    this.#phase = phase;
    this.#report(0);
  }

  /** Ends the phase. */
  end(): void {
    if (this.#phase !== undefined && this.#done < this.#total) this.#report(this.#total);
    this.#phase = undefined;
  }

  /** Reports the finished share of the phase, from 0 to 1. Skips small steps. */
  readonly reach = (part: number): void => {
    const done = Math.floor(part * this.#total);
    if (done >= this.#done + this.#total / REPORTS) this.#report(done);
  };

  /**
   * Returns a listener for the finished chunks of a wave whose steps are phases; undefined without a listener of the
   * run. The first phase must have begun.
   *
   * @param phases  phase and number of chunks of each step; an undefined phase is not reported
   */
  ofSteps(phases: readonly (readonly [DbscanPhase | undefined, number])[]): ((chunksDone: number) => void) | undefined {
    if (this.#listener === undefined) return undefined;
    let step = 0;
    let first = 0;
    return (chunksDone) => {
      // Each step enters its phase once.
      for (; step + 1 < phases.length && chunksDone >= first + phases[step][1]; step++) {
        this.#enterOf(phases[step]);
        first += phases[step][1];
      }
      this.#enterOf(phases[step]);
      const [phase, chunks] = phases[step];
      if (phase !== undefined) this.reach(Math.min(1, (chunksDone - first) / chunks));
    };
  }

  #enterOf([phase]: readonly [DbscanPhase | undefined, number]): void {
    if (phase !== undefined) this.enter(phase);
  }

  #report(done: number): void {
    this.#done = done;
    if (this.#phase !== undefined) this.#listener?.({phase: this.#phase, done, total: this.#total});
  }
}
