/**
 * Runs that use the same memory, one after another; a failed one does not stop the next. What a run returns belongs to its
 * caller alone: the queue does not keep it alive.
 */
export class RunQueue {
  /** Settles when the last run that was asked for has ended. */
  #last: Promise<void> = Promise.resolve();

  /** Starts `run` when all earlier ones have ended; passes on what it returns or throws. */
  add<Result>(run: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(run);
    this.#last = result.then(ignore, ignore);
    return result;
  }
}

function ignore(): void {}
