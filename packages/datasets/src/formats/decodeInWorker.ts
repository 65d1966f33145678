import {Worker} from 'node:worker_threads';
import {EXTENSION, refusedByNode, SOURCE_OPTIONS} from '@epsball/clustering/node';
import type {ContainerFormat, DecodeOptions, Decoding} from './containers.ts';
import {DatasetFormatError} from './errors.ts';
import type {LoadedColumns} from './numbers.ts';
import {readBytes, type OpenFile} from './openFile.ts';
import {hasStalled} from './threadGuard.ts';

/** The entry of the thread lies beside this file. */
const THREAD = new URL(EXTENSION === 'ts' ? './decodeThread.ts' : './decodeThread.js', import.meta.url);

/** CPU time of the thread without a decoded block after which a file counts as damaged. */
const STALL_MS = 20_000;
/** JavaScript heap of the thread, by the size of the file. Coordinates and HDF5's memory lie outside it. */
const HEAP_MB = {least: 512, most: 2048, perFileMb: 32};

/** A thread that has decoded a Parquet file waits this long for the next one: its code is loaded and compiled. */
const IDLE_MS = 10_000;

/** What the thread receives. */
export interface DecodeOrder {
  readonly format: ContainerFormat;
  readonly path: string;
  readonly size: number;
  readonly options: DecodeOptions;
  /** One word over shared memory. The thread increments it after every block. */
  readonly progress: Int32Array;
}

/** What the thread sends: the result, or the bytes that it needs. */
export type DecodeReply =
  | {readonly points: LoadedColumns}
  | {readonly reason: string}
  | {readonly id: number; readonly start: number; readonly end: number};

/**
 * Decodes a file on a thread of its own. A library that never returns, leaks or runs out of memory on a damaged file
 * then does not take the process with it, and Ctrl-C still works. It opens HDF5 by its path; the bytes of Parquet and
 * Arrow come from here. The thread ends with the file; after a whole Parquet file it waits ten seconds for another one.
 */
export async function decodeInWorker(
  format: DecodeOrder['format'],
  file: OpenFile,
  options: DecodeOptions,
  {signal, stallMs = STALL_MS}: Decoding,
): Promise<LoadedColumns> {
  signal?.throwIfAborted();
  const {path, size} = file;
  const refused = refusedByNode('worker', 'the thread that decodes it');
  if (refused !== undefined) throw new DatasetFormatError(path, `cannot be decoded (${refused})`);
  const progress = new Int32Array(new SharedArrayBuffer(4));
  const heapMb = Math.min(HEAP_MB.most, HEAP_MB.least + Math.ceil((HEAP_MB.perFileMb * size) / 2 ** 20));
  const worker = (format === 'parquet' && takeIdle(heapMb)) || startThread(heapMb);
  const watching = new AbortController();
  let isWhole = false;
  try {
    const points = await new Promise<LoadedColumns>((resolve, reject) => {
      worker.postMessage({format, path, size, options, progress} satisfies DecodeOrder, []);
      const refuse = (reason: string): void => reject(new DatasetFormatError(path, reason));
      const fail = (why: string): void => refuse(`cannot be decoded (${why})`);
      worker.on('message', (reply: DecodeReply) => {
        if ('points' in reply) resolve(reply.points);
        else if ('reason' in reply) refuse(reply.reason);
        else sendBytes(worker, file, reply).catch(reject);
      });
      worker.on('error', (error) => fail(error.message));
      worker.on('exit', () => fail('its thread ended'));
      const stalled = (): void => fail(`no progress in ${stallMs / 1000} s of CPU time`);
      hasStalled(worker, progress, stallMs, watching.signal).then((isStalled) => isStalled && stalled(), reject);
      signal?.addEventListener('abort', () => reject(signal.reason), {signal: watching.signal});
    });
    isWhole = format === 'parquet';
    return points;
  } finally {
    watching.abort();
    forget(worker);
    if (isWhole) keepIdle(worker, heapMb);
    // Also closes the descriptors that a library left open.
    else await worker.terminate();
  }
}

function startThread(heapMb: number): Worker {
  return new Worker(THREAD, {
    ...SOURCE_OPTIONS,
    resourceLimits: {maxOldGenerationSizeMb: heapMb},
    // The libraries print to both.
    stdout: true,
    stderr: true,
  });
}

/** Removes the listeners of a file. Node needs its own, which are of other events. */
function forget(worker: Worker): void {
  for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event);
}

/** A thread between two files. It keeps no process alive. */
interface IdleThread {
  readonly worker: Worker;
  readonly heapMb: number;
  readonly timer: NodeJS.Timeout;
}

const idleThreads: IdleThread[] = [];

function keepIdle(worker: Worker, heapMb: number): void {
  const end = (): void => {
    takeIdle(heapMb, worker);
    void worker.terminate();
  };
  worker.unref();
  worker.once('error', end);
  idleThreads.push({worker, heapMb, timer: setTimeout(end, IDLE_MS).unref()});
}

/** A thread with at least this heap, or the given one. The caller has it alone. */
function takeIdle(heapMb: number, wanted?: Worker): Worker | undefined {
  const at = idleThreads.findIndex((idle) => (wanted === undefined ? idle.heapMb >= heapMb : idle.worker === wanted));
  if (at < 0) return undefined;
  const [{worker, timer}] = idleThreads.splice(at, 1);
  clearTimeout(timer);
  forget(worker);
  worker.ref();
  return worker;
}

async function sendBytes(
  worker: Worker,
  file: OpenFile,
  {id, start, end}: {readonly id: number; readonly start: number; readonly end: number},
): Promise<void> {
  const bytes = new Uint8Array(end - start);
  await readBytes(file, bytes, start);
  worker.postMessage({id, bytes: bytes.buffer}, [bytes.buffer]);
}
