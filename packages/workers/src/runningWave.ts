import {throwIfAborted, WorkerFailedError} from '@epsball/clustering';
import type {WaveOrder, WaveReply} from './order.ts';
import type {Step, StepsOutcome, Wave} from './wave.ts';
import {
  chunkCount,
  createWaveMemory,
  DONE,
  ENDED,
  firstChunk,
  isInside,
  leaveWave,
  openChunks,
  replyingThreads,
  sharedNow,
  stopWave,
  writeBounds,
} from './waveMemory.ts';

const PROGRESS_MS = 100;

/** A wave on the calling thread, from its start to its end. Its chunks are numbered through all steps. */
export class RunningWave<Result> {
  readonly order: WaveOrder;
  readonly #threads: number;
  /** Phase of each step, for errors. */
  readonly #phases: readonly string[];
  /** The replies that have come, by number of the thread: it replies once, when no chunk is left. */
  readonly #replies = new Map<number, WaveReply<Result>>();
  readonly #postedAt = sharedNow();
  /** Why the wave was never sent or was stopped, or the thread that died. */
  #failure: ErrorOptions | undefined;
  #end: (() => void) | undefined;
  readonly #ended = new Promise<void>((resolve) => (this.#end = resolve));

  /** @param steps  those without bounds are closed, and come last */
  constructor(wave: number, module: string, input: unknown, steps: readonly Step<string>[], threads: number) {
    let chunks = 0;
    const ends = steps.map(({bounds}) => (chunks += typeof bounds === 'number' ? bounds : bounds.length - 1));
    const memory = createWaveMemory(ends, threads);
    steps.forEach(({bounds}, step) => {
      if (typeof bounds !== 'number') writeBounds(memory, firstChunk(memory, step), bounds);
    });
    const firstClosed = steps.findIndex(({bounds}) => typeof bounds === 'number');
    if (firstClosed >= 0) openChunks(memory, firstChunk(memory, firstClosed));
    this.order = {wave, module, names: steps.map(({name}) => name), input, memory};
    this.#threads = threads;
    this.#phases = steps.map(({phase}) => phase);
  }

  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  /** Whether no thread takes part any more. Replies may still be on their way. */
  get hasEnded(): boolean {
    return Atomics.load(this.order.memory.words, ENDED) === 1;
  }

  /** Stops the wave with a failure. The first failure stays. */
  fail(cause: unknown): void {
    this.#failure ??= {cause};
    this.stop();
  }

  /** Threads finish their chunks and begin no others. */
  stop(): void {
    stopWave(this.order.memory);
    this.look();
  }

  addReply(thread: number, reply: WaveReply<Result>): void {
    this.#replies.set(thread, reply);
    this.look();
  }

  /** Ends the wait if no thread takes part and all replies have come. A wave that has failed waits for no reply. */
  look(): void {
    if (!this.hasEnded) return;
    if (this.hasFailed || replyingThreads(this.order.memory).every((thread) => this.#replies.has(thread)))
      this.#end?.();
  }

  /** Fails if a thread owes a reply: one of its messages is lost. */
  loseMessage(thread: number, cause: unknown): void {
    if (!this.#replies.has(thread) && replyingThreads(this.order.memory).includes(thread)) this.fail(cause);
  }

  /** Fails if a thread took part or owes a reply when it died, or if no thread is left for the wave. */
  loseThread(thread: number, cause: unknown, isLast: boolean): void {
    const {memory} = this.order;
    const isLost = !this.hasEnded && (isLast || isInside(memory, thread));
    leaveWave(memory, thread);
    if (isLost) this.fail(cause);
    else this.loseMessage(thread, cause);
    this.look();
  }

  /**
   * Waits for the end.
   *
   * @returns  results by chunk
   * @throws   the error of `onProgress`, or the failure of the lowest chunk; RunAbortedError
   */
  async results({signal, onProgress}: Pick<Wave<unknown>, 'signal' | 'onProgress'>): Promise<Result[]> {
    const {memory} = this.order;
    const stop = (): void => this.stop();
    signal?.addEventListener('abort', stop);
    let thrown: {readonly error: unknown} | undefined;
    let before = 0;
    const report = (): void => {
      const done = Atomics.load(memory.words, DONE);
      try {
        if (done > before) onProgress?.(done);
      } catch (error) {
        thrown ??= {error};
        stop();
      }
      before = done;
    };
    const reports = onProgress && setInterval(report, PROGRESS_MS);
    await this.#ended;
    clearInterval(reports);
    signal?.removeEventListener('abort', stop);
    if (thrown !== undefined) throw thrown.error;
    const results = this.#join();
    throwIfAborted(signal, this.#phases[this.#stepOf(Atomics.load(memory.words, DONE))]);
    return results;
  }

  /** By step and thread: milliseconds in chunks. */
  threadMs(): number[][] {
    const {ms} = this.order.memory;
    return this.#phases.map((_, step) => [...ms.subarray(step * this.#threads, (step + 1) * this.#threads)]);
  }

  /** By step. @param results  by chunk */
  outcome(results: readonly unknown[]): StepsOutcome {
    const {memory} = this.order;
    const {doneAt, ends} = memory;
    return {
      results: Array.from(ends, (end, step) => results.slice(firstChunk(memory, step), end)),
      threadMs: this.threadMs(),
      wallMs: Array.from(doneAt, (ms, step) => ms - (step === 0 ? this.#postedAt : doneAt[step - 1])),
    };
  }

  #join(): Result[] {
    const {memory} = this.order;
    if (this.#failure !== undefined) throw this.#failureAt(-1, this.#failure);
    const results: Result[] = [];
    results.length = chunkCount(memory);
    let failure: WaveReply<Result>['failure'];
    for (const reply of this.#replies.values()) {
      if (reply.failure !== undefined && (failure === undefined || reply.failure.chunk < failure.chunk)) {
        failure = reply.failure;
      }
      reply.chunks.forEach((chunk, k) => (results[chunk] = reply.results[k]));
    }
    if (failure === undefined) return results;
    throw this.#failureAt(failure.chunk, {cause: failure.error});
  }

  /** The step of a chunk; the last step if all chunks are done. */
  #stepOf(chunk: number): number {
    const {ends} = this.order.memory;
    const step = ends.findIndex((end) => chunk < end);
    return step < 0 ? ends.length - 1 : step;
  }

  /** Names the range of the chunk that failed. If no chunk failed (−1), that of the step that the wave was at. */
  #failureAt(chunk: number, why: ErrorOptions): WorkerFailedError {
    const {memory} = this.order;
    const {bounds, ends, words} = memory;
    const step = this.#stepOf(chunk < 0 ? Atomics.load(words, DONE) : chunk);
    const [first, last] = chunk < 0 ? [firstChunk(memory, step), ends[step] - 1] : [chunk, chunk];
    return new WorkerFailedError(this.#phases[step], [bounds[2 * first], bounds[2 * last + 1]], why);
  }
}
