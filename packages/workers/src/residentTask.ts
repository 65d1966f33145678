import {MessageChannel, receiveMessageOnPort, type MessagePort} from 'node:worker_threads';
import type {Piscina} from 'piscina';
import {listens, markEnding, markSubmitted} from './calls.ts';
import type {PoolLink, Residence} from './residence.ts';
import type {WaveOrder, WaveReply} from './task.ts';
import {moduleUrl} from './taskModule.ts';

/** The module that loads the resident task: `.cts` in sources, `.cjs` in a build. */
export const MODULE: string = moduleUrl(import.meta.url, 'loadServeWaves').replace(/(?=[jt]s$)/, 'c');

/** When the sources run, packages of the workspace resolve to their sources on the threads as well. */
const EXEC_ARGV: {execArgv?: string[]} = MODULE.endsWith('.cts')
  ? {execArgv: ['--conditions=@epsball/source', '--disable-warning=ExperimentalWarning']}
  : {};

/**
 * Limits of a thread's own heap, in megabytes; bulk lies in shared memory. By default V8 lets the young generation
 * grow to tens of megabytes, and a thread that has run PDSDBSCAN takes 25 MB. With a limit of up to a gigabyte for
 * the old generation, Node takes 10 MB for an idle thread instead of 12.
 */
const HEAP_LIMITS = {maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 1024};

/** What the resident tasks of a pool have in common, and what they report. */
export interface ResidentPool {
  readonly link: PoolLink;
  /** A reply of a thread has come. */
  onReply(thread: number, reply: WaveReply<unknown>): void;
  /** A reply of a thread failed to deserialize. Its wave is unknown. */
  onLostReply(thread: number, cause: unknown): void;
  /** The task has ended as it was told to. */
  onEnd(thread: number): void;
  /** The task has failed, or its thread has died. Replies that it sent before have been reported. */
  onDeath(thread: number, cause: unknown): void;
}

/**
 * One thread of a pool: a piscina of one thread, and the resident task on it. Piscina starts the thread with the
 * first task, and another one with the next task after a death. A piscina for each thread, not one for all: the
 * thread's number is then fixed, submitting costs no search among the other threads, and if the system refuses a
 * thread, the error is thrown here and not in an event handler of piscina.
 */
export class ResidentTask {
  readonly #thread: number;
  readonly #pool: ResidentPool;
  readonly #Piscina: typeof Piscina;
  #piscina: Piscina | undefined;
  /** Exists while the task is pending. */
  #port: MessagePort | undefined;
  #lastError: unknown;
  #destroyed: Promise<void> | undefined;

  /**
   * @param thread   its number in the pool
   * @param PiscinaClass  the class of piscina, loaded on demand because it does not survive bundling
   */
  constructor(thread: number, pool: ResidentPool, PiscinaClass: typeof Piscina) {
    this.#thread = thread;
    this.#Piscina = PiscinaClass;
    this.#pool = pool;
  }

  /** Whether the task is submitted and has not ended. It then receives all orders, and keeps the process alive. */
  get isPending(): boolean {
    return this.#port !== undefined;
  }

  /** Whether the task receives what goes out on the channel. */
  get isListening(): boolean {
    return this.isPending && listens(this.#pool.link.calls, this.#thread);
  }

  /**
   * Submits the task, unless it is pending.
   *
   * @param orders  of the waves that run
   * @throws DataCloneError  if an input cannot be copied; or the error of a thread that cannot be created
   */
  submit(orders: Iterable<WaveOrder>): void {
    if (this.isPending || this.#destroyed !== undefined) return;
    const {port1, port2} = new MessageChannel();
    try {
      for (const order of orders) port1.postMessage(order);
      this.#run({thread: this.#thread, port: port2});
    } catch (error) {
      port1.close();
      throw error;
    }
    this.#port = port1;
  }

  /**
   * Sends an order to this thread alone.
   *
   * @throws DataCloneError  if its input cannot be copied
   */
  send(order: WaveOrder): void {
    this.#port?.postMessage(order);
  }

  /** Reports the replies that have come. */
  takeReplies(): void {
    if (this.#port === undefined) return;
    for (;;) {
      try {
        const read = receiveMessageOnPort(this.#port);
        if (read === undefined) return;
        this.#pool.onReply(this.#thread, read.message);
      } catch (error) {
        // The reply has left the port.
        this.#pool.onLostReply(this.#thread, error);
      }
    }
  }

  /** Tells the task to end; it looks after the next call. Until it has, it stays pending. */
  end(): void {
    if (this.isPending) markEnding(this.#pool.link.calls, this.#thread);
  }

  /** Ends the thread. */
  destroy(): void {
    this.#destroyed = this.#piscina?.destroy() ?? Promise.resolve();
  }

  #run(task: Residence): void {
    this.#lastError = undefined;
    markSubmitted(this.#pool.link.calls, this.#thread);
    try {
      this.#piscina ??= this.#createPiscina();
      this.#piscina.run(task, {transferList: [task.port]}).then(
        () => this.#finish(),
        (error) => this.#fail(error),
      );
    } catch (error) {
      // The thread was not created, but the task lies in the queue: that piscina is not used again.
      this.#piscina = undefined;
      throw error;
    }
  }

  #createPiscina(): Piscina {
    const piscina = new this.#Piscina({
      filename: MODULE,
      name: 'serveWaves',
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: Infinity,
      recordTiming: false,
      trackUnmanagedFds: false,
      resourceLimits: HEAP_LIMITS,
      workerData: this.#pool.link,
      ...EXEC_ARGV,
    });
    // Without a listener, the error of a thread without a task would end the process.
    piscina.on('error', (error) => (this.#lastError = error));
    // Piscina leaves a task in its queue if the thread dies before it is ready. `destroy` rejects such a task.
    const rejectQueued = (): void => {
      if (piscina.threads.length === 0 && piscina.queueSize > 0) void piscina.destroy();
    };
    // Piscina forgets the thread just after the event.
    piscina.on('workerDestroy', () => queueMicrotask(rejectQueued));
    return piscina;
  }

  async #finish(): Promise<void> {
    if (this.#destroyed !== undefined) return this.#fail(new Error('the pool is destroyed'));
    this.#close();
    this.#pool.onEnd(this.#thread);
  }

  async #fail(error: unknown): Promise<void> {
    // The task of a destroyed piscina is rejected before its thread has stopped.
    await this.#destroyed;
    this.#close();
    this.#pool.onDeath(this.#thread, this.#lastError ?? error);
  }

  #close(): void {
    this.takeReplies();
    this.#port?.close();
    this.#port = undefined;
  }
}
