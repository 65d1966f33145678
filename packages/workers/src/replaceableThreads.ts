import type {WaveOrder} from './task.ts';
import type {ThreadEvents, Threads} from './threads.ts';

/** Codes of an error for a module that is not there: of `require`, and of `import`. */
const NO_MODULE: readonly unknown[] = ['MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND'];

/** Threads that can be kept from all work, if they have not begun any. */
export interface Withdrawable extends Threads {
  /** Returns false if a thread has begun to work, or may have. */
  withdraw(): boolean;
}

/** Makes threads that report to a pool. */
export type Create<Made extends Threads> = (events: ThreadEvents) => Made;

/**
 * Threads that others replace if their own module cannot be found, as in a bundle without the files that its threads
 * load. That is found only when a thread starts. Running waves then go on.
 */
export class ReplaceableThreads implements Threads {
  readonly #events: ThreadEvents;
  readonly #createOthers: Create<Threads>;
  #threads: Threads;
  /** Threads that were to be started. */
  #count = 0;
  #isReplaced = false;
  #isDestroyed = false;

  constructor(events: ThreadEvents, create: Create<Withdrawable>, createOthers: Create<Threads>) {
    this.#events = events;
    this.#createOthers = createOthers;
    const first = create({
      ...events,
      onDeath: (thread, cause) => {
        // The deaths of the others of a pool that has been replaced.
        if (this.#isReplaced) return;
        if (!this.#isDestroyed && isMissingModule(cause) && first.withdraw()) this.#replace();
        else events.onDeath(thread, cause);
      },
    });
    this.#threads = first;
  }

  get hasPending(): boolean {
    return this.#threads.hasPending;
  }

  submit(count: number): ErrorOptions | undefined {
    this.#count = Math.max(this.#count, count);
    return this.#threads.submit(count);
  }

  post(order: WaveOrder, chunks: number, count: number): void {
    this.#count = Math.max(this.#count, count);
    this.#threads.post(order, chunks, count);
  }

  takeReplies(): void {
    this.#threads.takeReplies();
  }

  rest(): void {
    this.#threads.rest();
  }

  destroy(): void {
    this.#isDestroyed = true;
    this.#threads.destroy();
  }

  #replace(): void {
    this.#isReplaced = true;
    this.#threads.destroy();
    this.#threads = this.#createOthers(this.#events);
    // They get the orders of the waves that run.
    const failure = this.#threads.submit(this.#count);
    if (failure !== undefined && !this.hasPending) this.#events.onDeath(0, failure.cause);
  }
}

function isMissingModule(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && NO_MODULE.includes(cause.code);
}
