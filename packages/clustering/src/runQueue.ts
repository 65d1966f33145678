import {RunAbortedError} from './errors.ts';
import {throwIfAborted} from './progress.ts';

/** Executes runs that use the same memory one after another. A failed run does not stop the next. */
export class RunQueue {
  #last: Promise<void> = Promise.resolve();

  /**
   * Starts `run` after all earlier runs have ended. A signal takes a run that waits out of the queue.
   *
   * @throws RunAbortedError        if the signal has fired before the run starts
   * @throws InvalidParameterError  if it is no signal
   */
  add<Result>(run: () => Promise<Result>, signal?: AbortSignal | null): Promise<Result> {
    if (signal === undefined || signal === null) return this.#add(run);
    return new Promise((resolve, reject) => {
      throwIfAborted(signal, 'start');
      let hasLeft = false;
      const abort = (): void => {
        hasLeft = true;
        reject(new RunAbortedError('start', signal.reason));
      };
      signal.addEventListener('abort', abort);
      const start = async (): Promise<void> => {
        signal.removeEventListener('abort', abort);
        if (hasLeft) return;
        try {
          resolve(await run());
        } catch (error) {
          reject(error);
        }
      };
      void this.#add(start);
    });
  }

  #add<Result>(run: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(run);
    this.#last = result.then(ignore, ignore);
    return result;
  }
}

function ignore(): void {}
