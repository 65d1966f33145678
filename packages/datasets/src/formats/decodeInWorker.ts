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
 * Decodes a file on a thread of its own, which ends with the file. A library that never returns, leaks or runs out of
 * memory on a damaged file then does not take the process with it, and Ctrl-C still works. It opens HDF5 by its path;
 * the bytes of Parquet and Arrow come from here.
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
  const worker = new Worker(THREAD, {
    ...SOURCE_OPTIONS,
    workerData: {format, path, size, options, progress} satisfies DecodeOrder,
    resourceLimits: {maxOldGenerationSizeMb: heapMb},
    // The libraries print to both.
    stdout: true,
    stderr: true,
  });
  const watching = new AbortController();
  try {
    return await new Promise<LoadedColumns>((resolve, reject) => {
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
  } finally {
    watching.abort();
    // Also closes the descriptors that a library left open.
    await worker.terminate();
  }
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
