// Entry of the thread that decodes one file. Loaded by its path, never imported.
import {parentPort, workerData} from 'node:worker_threads';
import type {DecodeOrder, DecodeReply} from './decodeInWorker.ts';
import {DatasetFormatError} from './errors.ts';

const {format, path, size, options, progress}: DecodeOrder = workerData;

function tick(): void {
  Atomics.add(progress, 0, 1);
}

function reply(message: DecodeReply): void {
  const buffer = 'points' in message ? message.points.coords.buffer : undefined;
  parentPort?.postMessage(message, buffer instanceof ArrayBuffer ? [buffer] : []);
}

try {
  const decode =
    format === 'hdf5'
      ? (await import('./hdf5Reader.ts')).decodeHdf5
      : (await import('./parquetReader.ts')).decodeParquet;
  tick();
  const points = await decode(path, size, options, tick);
  reply({points});
} catch (error) {
  // Messages keep no class of an error.
  if (error instanceof DatasetFormatError) reply({reason: error.reason});
  else
    reply({reason: `cannot be decoded (${error instanceof Error ? error.message.split('\n', 1)[0] : String(error)})`});
}
