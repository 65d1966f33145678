// Entry of the thread that decodes one file. Loaded by its path, never imported.
import {parentPort, workerData} from 'node:worker_threads';
import type {DecodeOrder, DecodeReply} from './decodeInWorker.ts';
import {because, DatasetFormatError} from './errors.ts';
import type {LoadedColumns} from './numbers.ts';

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

async function decode(): Promise<LoadedColumns> {
  if (format === 'hdf5') return (await import('./hdf5Reader.ts')).decodeHdf5(path, size, options, tick);
  if (format === 'arrow') {
    const {decodeArrow} = await import('./arrowReader.ts');
    return decodeArrow(path, new Uint8Array(await slice(0, size)), options, tick);
  }
  return (await import('./parquetReader.ts')).decodeParquet(path, {byteLength: size, slice}, options, tick);
}

parentPort?.on('message', ({id, bytes}: {id: number; bytes: ArrayBuffer}) => {
  tick();
  waiting[id](bytes);
});

try {
  tick();
  reply({points: await decode()});
} catch (error) {
  // Messages keep no class of an error.
  const isFormat = error instanceof DatasetFormatError;
  reply({reason: isFormat ? error.reason : `cannot be decoded${because(error)}`});
}
