// Entry of the thread that decodes one file. Loaded by its path, never imported.
import {parentPort, workerData} from 'node:worker_threads';
import type {DecodeOrder, DecodeReply} from './decodeInWorker.ts';
import {because, DatasetFormatError} from './errors.ts';

const {format, path, size, options, progress}: DecodeOrder = workerData;
const waiting: ((bytes: ArrayBuffer) => void)[] = [];

function tick(): void {
  Atomics.add(progress, 0, 1);
}

function reply(message: DecodeReply): void {
  const buffer = 'points' in message ? message.points.coords.buffer : undefined;
  parentPort?.postMessage(message, buffer instanceof ArrayBuffer ? [buffer] : []);
}

/** Bytes of the file, which the other thread reads. */
function slice(start: number, end: number): Promise<ArrayBuffer> {
  return new Promise((resolve) => reply({id: waiting.push(resolve) - 1, start, end}));
}

parentPort?.on('message', ({id, bytes}: {id: number; bytes: ArrayBuffer}) => {
  tick();
  waiting[id](bytes);
});

try {
  tick();
  const points =
    format === 'hdf5'
      ? await (await import('./hdf5Reader.ts')).decodeHdf5(path, size, options, tick)
      : await (await import('./parquetReader.ts')).decodeParquet(path, {byteLength: size, slice}, options, tick);
  reply({points});
} catch (error) {
  // Messages keep no class of an error.
  const isFormat = error instanceof DatasetFormatError;
  reply({reason: isFormat ? error.reason : `cannot be decoded${because(error)}`});
}
