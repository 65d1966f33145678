import type {ColumnChoice} from './columnChoice.ts';
import {Worker} from 'node:worker_threads';
import {refusedByNode} from '@epsball/clustering/node';
import {DatasetFormatError} from './errors.ts';
import type {LoadedPoints, ReadPrecision} from './numbers.ts';
import {hasStalled} from './threadGuard.ts';

const IS_SOURCE = new URL(import.meta.url).pathname.endsWith('.ts');
/** The entry of the thread lies beside this file. */
const THREAD = new URL(IS_SOURCE ? './decodeThread.ts' : './decodeThread.js', import.meta.url);

/** When the sources run, packages of the workspace resolve to their sources on the thread as well. */
const EXEC_ARGV: {execArgv?: string[]} = IS_SOURCE
  ? {execArgv: ['--conditions=@epsball/source', '--disable-warning=ExperimentalWarning']}
  : {};

/** CPU time of the thread without a decoded block after which a file counts as damaged. */
const STALL_MS = 20_000;
/** JavaScript heap of the thread, by the size of the file. Coordinates and HDF5's memory lie outside it. */
const HEAP_MB = {least: 512, most: 2048, perFileMb: 32};

export interface DecodeOptions extends ColumnChoice {
  readonly dataset?: string | undefined;
  readonly dim?: number | undefined;
  readonly precision: ReadPrecision;
}

/** What the thread receives. */
export interface DecodeOrder {
  readonly format: 'hdf5' | 'parquet';
  readonly path: string;
  /** Bytes in the file. */
  readonly size: number;
  readonly options: DecodeOptions;
  /** One word over shared memory. The thread increments it after every block. */
  readonly progress: Int32Array;
}

/** What the thread sends. */
export type DecodeReply = {readonly points: LoadedPoints} | {readonly reason: string};

/**
 * Decodes a file on a thread of its own, which ends with the file. A library that never returns, leaks or runs out of
 * memory on a damaged file then does not take the process with it, and Ctrl-C still works.
 *
 * @param stallMs  CPU time of the thread without a decoded block after which it is stopped. Default: 20 seconds. The
 *                 time in which the thread waits for a processor or a disk does not count
 * @throws DatasetFormatError   if the file cannot be decoded
 * @throws the signal's reason  if `signal` fires
 */
export async function decodeInWorker(
  order: Omit<DecodeOrder, 'progress'>,
  {signal, stallMs = STALL_MS}: {readonly signal?: AbortSignal | undefined; readonly stallMs?: number} = {},
): Promise<LoadedPoints> {
  signal?.throwIfAborted();
  const refused = refusedByNode('worker', 'the thread that decodes it');
  if (refused !== undefined) throw new DatasetFormatError(order.path, `cannot be decoded (${refused})`);
  const progress = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(THREAD, {
    ...EXEC_ARGV,
    workerData: {...order, progress} satisfies DecodeOrder,
    resourceLimits: {maxOldGenerationSizeMb: heapMb(order.size)},
    // The libraries print to both.
    stdout: true,
    stderr: true,
  });
  const watching = new AbortController();
  let abort: (() => void) | undefined;
  try {
    const reply = await new Promise<DecodeReply>((resolve, reject) => {
      const fail = (why: string): void => resolve({reason: `cannot be decoded (${why})`});
      worker.on('message', resolve);
      worker.on('error', (error) => fail(error.message));
      worker.on('exit', () => fail('its thread ended'));
      const stalled = (): void => fail(`no progress in ${stallMs / 1000} s of CPU time`);
      hasStalled(worker, progress, stallMs, watching.signal).then((isStalled) => isStalled && stalled(), reject);
      abort = () => reject(signal?.reason);
      signal?.addEventListener('abort', abort, {once: true});
    });
    if ('points' in reply) return reply.points;
    throw new DatasetFormatError(order.path, reply.reason);
  } finally {
    watching.abort();
    if (abort !== undefined) signal?.removeEventListener('abort', abort);
    // Also closes the descriptors that a library left open.
    await worker.terminate();
  }
}

function heapMb(size: number): number {
  return Math.min(HEAP_MB.most, HEAP_MB.least + Math.ceil((HEAP_MB.perFileMb * size) / 2 ** 20));
}
