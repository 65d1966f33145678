import {MessageChannel, receiveMessageOnPort, Worker, type MessagePort} from 'node:worker_threads';
import type {ThreadLink, WaveOrder, WaveReply} from './task.ts';
import {taskModule} from './taskModule.ts';
import type * as thread from './thread.ts';

const THREAD = new URL(taskModule<typeof thread>(import.meta.url, 'thread').url);

/** From sources, packages of the workspace resolve to their sources on the threads as well. */
const EXEC_ARGV: {execArgv?: string[]} = THREAD.pathname.endsWith('.ts')
  ? {execArgv: ['--conditions=@epsball/source', '--disable-warning=ExperimentalWarning']}
  : {};

/**
 * Limits of a thread's own heap, in megabytes: bulk is in shared memory. By default V8 lets short-lived objects grow to tens, and a
 * thread that has run PDSDBSCAN takes 25 MB. Where there is a limit for the others, of up to a gigabyte, Node takes 10 MB for a
 * thread that does nothing, not 12.
 */
const HEAP_LIMITS = {maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 1024};

/** What a pool's threads have in common. */
export interface PoolLink extends Pick<ThreadLink, 'channel' | 'calls'> {
  /** Hears what a thread answers. */
  onReply(reply: WaveReply<unknown>): void;
  /** Hears that an answer could not be read; whose, nobody knows. */
  onLostReply(cause: unknown): void;
  /** Hears of a thread that has ended, after its last answers. */
  onDeath(thread: number, cause: Error): void;
}

/** The calling side of one worker thread of a pool. The thread starts when it is told to; one that has died may start anew. */
export class PoolThread {
  readonly #thread: number;
  readonly #pool: PoolLink;
  #worker: Worker | undefined;
  #port: MessagePort | undefined;
  #listening: Int32Array<SharedArrayBuffer> | undefined;
  #lastError: Error | undefined;
  #firstWave = 0;

  /** @param thread  its number in the pool */
  constructor(thread: number, pool: PoolLink) {
    this.#thread = thread;
    this.#pool = pool;
  }

  /** Whether there is a thread. */
  get isAlive(): boolean {
    return this.#worker !== undefined;
  }

  /** Whether the thread is there, and has been since before that wave was posted: it hears of it. */
  hears(wave: number): boolean {
    return this.#worker !== undefined && this.#firstWave <= wave;
  }

  /**
   * Starts the thread, if it is not there. Idle or not, it does not keep the process alive.
   *
   * @param firstWave  number of the next wave to be posted
   */
  start(firstWave: number): void {
    if (this.#worker !== undefined) return;
    const {channel, calls} = this.#pool;
    const {port1, port2} = new MessageChannel();
    const listening = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const link: ThreadLink = {thread: this.#thread, channel, port: port2, calls, listening};
    const options = {trackUnmanagedFds: false, resourceLimits: HEAP_LIMITS, ...EXEC_ARGV};
    let worker: Worker;
    try {
      worker = new Worker(THREAD, {workerData: link, transferList: [port2], ...options});
    } catch (error) {
      port1.close();
      throw error;
    }
    worker.unref();
    this.#lastError = undefined;
    this.#firstWave = firstWave;
    // Without a listener an error of a thread would end the process.
    worker.on('error', (error) => (this.#lastError = error instanceof Error ? error : new Error(String(error))));
    worker.on('exit', (code) => this.#forget(worker, code));
    this.#worker = worker;
    this.#port = port1;
    this.#listening = listening;
  }

  /** Whether the thread hears what goes out on the channel, for certain. */
  get isListening(): boolean {
    return this.#listening !== undefined && Atomics.load(this.#listening, 0) === 1;
  }

  /**
   * Sends an order to this thread alone.
   *
   * @throws DataCloneError  if its input cannot be copied
   */
  send(order: WaveOrder): void {
    this.#port?.postMessage(order);
  }

  /** Passes on the answers that have come. */
  takeReplies(): void {
    if (this.#port === undefined) return;
    for (;;) {
      try {
        const read = receiveMessageOnPort(this.#port);
        if (read === undefined) return;
        this.#pool.onReply(read.message);
      } catch (error) {
        // It is gone from the port.
        this.#pool.onLostReply(error);
      }
    }
  }

  /** Ends the thread. */
  terminate(): void {
    void this.#worker?.terminate();
  }

  #forget(worker: Worker, code: number): void {
    if (worker !== this.#worker) return;
    this.takeReplies();
    this.#worker = undefined;
    this.#port?.close();
    this.#port = undefined;
    this.#listening = undefined;
    this.#pool.onDeath(this.#thread, this.#lastError ?? new Error(`a thread ended with code ${code}`));
  }
}
