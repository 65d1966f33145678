import type {DbscanPhase, ProgressListener} from '@epsball/clustering';

/** Reports a phase, at most, beside its start and end. */
const REPORTS = 100;

/** Tells the caller of a run how far it is, in points of each phase, while waves run. */
export class RunProgress {
  readonly #total: number;
  readonly #listener: ProgressListener<DbscanPhase> | undefined;
  #phase: DbscanPhase | undefined;
  #done = 0;

  /** @param total  points */
  constructor(total: number, listener: ProgressListener<DbscanPhase> | undefined) {
    this.#total = total;
    this.#listener = listener;
  }

  /** Ends the phase before; does nothing in the phase itself. */
  enter(phase: DbscanPhase): void {
    if (phase === this.#phase) return;
    this.end();
    this.#phase = phase;
    this.#report(0);
  }

  end(): void {
    if (this.#phase !== undefined && this.#done < this.#total) this.#report(this.#total);
    this.#phase = undefined;
  }

  /** Says which part of the phase is done, from 0 to 1; small steps are not reported. */
  readonly reach = (part: number): void => {
    const done = Math.floor(part * this.#total);
    if (done >= this.#done + this.#total / REPORTS) this.#report(done);
  };

  /**
   * What a wave tells of chunks that are done, whose stages are phases, one after the other; the first one has begun. Nothing where nobody listens.
   *
   * @param phases  by stage, and how many chunks each has; undefined: not a phase's own, nor reported
   */
  ofStages(
    phases: readonly (readonly [DbscanPhase | undefined, number])[],
  ): ((chunksDone: number) => void) | undefined {
    if (this.#listener === undefined) return undefined;
    let stage = 0;
    let first = 0;
    return (chunksDone) => {
      // Stages that are over are left for good: each enters its phase once.
      for (; stage + 1 < phases.length && chunksDone >= first + phases[stage][1]; stage++) {
        this.#enterOf(phases[stage]);
        first += phases[stage][1];
      }
      this.#enterOf(phases[stage]);
      const [phase, chunks] = phases[stage];
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
