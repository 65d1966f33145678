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

  /** Ends the phase before. */
  enter(phase: DbscanPhase): void {
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

  /** What a wave of so many chunks, which is all of the phase, tells of those that are done; nothing where nobody listens. */
  ofChunks(chunkCount: number): ((chunksDone: number) => void) | undefined {
    return this.#listener === undefined ? undefined : (done) => this.reach(done / chunkCount);
  }

  #report(done: number): void {
    this.#done = done;
    if (this.#phase !== undefined) this.#listener?.({phase: this.#phase, done, total: this.#total});
  }
}
