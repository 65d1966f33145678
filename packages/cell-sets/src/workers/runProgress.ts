import {ProgressMeter, type DbscanPhase, type ProgressListener} from '@epsball/clustering';

/** Reports the progress of a run, in points of each phase, while waves run. */
export class RunProgress {
  readonly #total: number;
  readonly #listener: ProgressListener<DbscanPhase> | undefined;
  readonly #meter: ProgressMeter<DbscanPhase>;
  #phase: DbscanPhase | undefined;

  constructor(total: number, listener: ProgressListener<DbscanPhase> | undefined) {
    this.#total = total;
    this.#listener = listener;
    this.#meter = new ProgressMeter(total, listener);
  }

  /** Begins a phase and ends the one before. Has no effect if the phase has begun. */
  enter(phase: DbscanPhase): void {
    if (phase === this.#phase) return;
    this.end();
    this.#phase = phase;
    this.reach(0);
  }

  end(): void {
    this.reach(1);
    this.#phase = undefined;
  }

  readonly reach = (part: number): void => {
    if (this.#phase !== undefined) this.#meter.report(this.#phase, Math.floor(part * this.#total));
  };

  /**
   * A listener for the finished chunks of a wave whose steps are phases, the first of which has begun. It takes phase
   * and number of chunks of each step; an undefined phase is not reported.
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
}
