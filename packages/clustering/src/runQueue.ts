/**
 * Executes runs that use the same memory one after another. A failed run does not stop the next. The queue keeps no
 * reference to results.
 */
export class RunQueue {
  /** Settles when the last queued run has ended. */
  #last: Promise<void> = Promise.resolve();

  /** Starts `run` after all earlier runs have ended. Returns or throws what it returns or throws. */
  add<Result>(run: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(run);
    this.#last = result.then(ignore, ignore);
    return result;
  }
}

function ignore(): void {}
