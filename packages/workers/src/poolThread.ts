import {MessageChannel, receiveMessageOnPort, Worker, type MessagePort} from 'node:worker_threads';
import {endFork, NEXT, NO_MORE_CHUNKS, type WaveMemory, type WaveOrder, type WaveReply} from './task.ts';
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

/** One wave, from its start until all of its forks have ended. */
export interface RunningWave<Result> {
  readonly memory: WaveMemory;
  readonly replies: WaveReply<Result>[];
  /** Why a fork never worked, or died. */
  failure?: ErrorOptions;
}

/** An order that a thread has not ended yet. */
interface OpenOrder {
  readonly wave: RunningWave<unknown>;
  readonly fork: number;
}

/** The calling side of one worker thread of a pool. The thread starts with the first order, or before; one that has died starts anew. */
export class PoolThread {
  #worker: Worker | undefined;
  #port: MessagePort | undefined;
  #mail: Int32Array<SharedArrayBuffer> | undefined;
  /** By number of the wave. */
  readonly #open = new Map<number, OpenOrder>();
  #lastError: Error | undefined;

  /** Orders that it has not ended. */
  get openCount(): number {
    return this.#open.size;
  }

  /** Starts the thread, if it is not there. Idle or not, it does not keep the process alive. */
  start(): void {
    if (this.#worker !== undefined) return;
    const {port1, port2} = new MessageChannel();
    const mail = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const worker = new Worker(THREAD, {
      workerData: {port: port2, mail},
      transferList: [port2],
      trackUnmanagedFds: false,
      resourceLimits: HEAP_LIMITS,
      ...EXEC_ARGV,
    });
    worker.unref();
    this.#lastError = undefined;
    // Without a listener an error of a thread would end the process.
    worker.on('error', (error) => (this.#lastError = error instanceof Error ? error : new Error(String(error))));
    worker.on('exit', (code) => this.#forget(worker, code));
    this.#worker = worker;
    this.#port = port1;
    this.#mail = mail;
  }

  /** Sends an order. Where it cannot be sent, because its input cannot be copied or no thread started, the wave fails. */
  post(order: WaveOrder, wave: RunningWave<unknown>): void {
    const {fork} = order;
    try {
      this.start();
      this.#port?.postMessage(order);
    } catch (error) {
      failFork({wave, fork}, error);
      return;
    }
    if (this.#mail === undefined) return;
    this.#open.set(order.wave, {wave, fork});
    Atomics.add(this.#mail, 0, 1);
    Atomics.notify(this.#mail, 0);
  }

  /** Takes the replies that have come, to whatever waves, and closes the order of one that has ended. */
  close(waveNumber: number): void {
    this.#takeReplies();
    this.#open.delete(waveNumber);
  }

  /** Ends the thread, and with an error the waves that it works on. */
  terminate(): void {
    void this.#worker?.terminate();
  }

  #takeReplies(): void {
    if (this.#port === undefined) return;
    for (let read = receiveMessageOnPort(this.#port); read !== undefined; read = receiveMessageOnPort(this.#port)) {
      const reply: WaveReply<unknown> = read.message;
      this.#open.get(reply.wave)?.wave.replies.push(reply);
    }
  }

  #forget(worker: Worker, code: number): void {
    if (worker !== this.#worker) return;
    this.#takeReplies();
    this.#worker = undefined;
    this.#port?.close();
    this.#port = undefined;
    const death = this.#lastError ?? new Error(`a thread ended with code ${code}`);
    for (const order of this.#open.values()) failFork(order, death);
    this.#open.clear();
  }
}

/** Ends a fork whose thread does not: the others finish their chunks and take no more. A fork that has ended stays ended. */
function failFork({wave, fork}: OpenOrder, cause: unknown): void {
  const {memory} = wave;
  if (!endFork(memory, fork)) return;
  wave.failure ??= {cause};
  Atomics.store(memory.words, NEXT, NO_MORE_CHUNKS);
}
