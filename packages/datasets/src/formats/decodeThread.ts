// Entry of the thread that decodes files, one after another. Loaded by its path, never imported.
import {parentPort} from 'node:worker_threads';
import type {DecodeOrder, DecodeReply} from './decodeInWorker.ts';
import {because, DatasetFormatError} from './errors.ts';
import type {LoadedColumns} from './numbers.ts';

const waiting: ((bytes: ArrayBuffer) => void)[] = [];
let tick = (): void => undefined;

function reply(message: DecodeReply): void {
  const buffer = 'points' in message ? message.points.coords.buffer : undefined;
  parentPort?.postMessage(message, buffer instanceof ArrayBuffer ? [buffer] : []);
}

/** Bytes of the file, which the other thread reads. */
function slice(start: number, end: number): Promise<ArrayBuffer> {
  return new Promise((resolve) => reply({id: waiting.push(resolve) - 1, start, end}));
}

async function decode({format, path, size, options}: DecodeOrder): Promise<LoadedColumns> {
  if (format === 'hdf5') return (await import('./hdf5Reader.ts')).decodeHdf5(path, size, options, tick);
  if (format === 'arrow') {
    const {decodeArrow} = await import('./arrowReader.ts');
    return decodeArrow(path, new Uint8Array(await slice(0, size)), options, tick);
  }
  return (await import('./parquetReader.ts')).decodeParquet(path, {byteLength: size, slice}, options, tick);
}

async function answer(order: DecodeOrder): Promise<void> {
  waiting.length = 0;
  tick = () => void Atomics.add(order.progress, 0, 1);
  try {
    tick();
    reply({points: await decode(order)});
  } catch (error) {
    // Messages keep no class of an error.
    const isFormat = error instanceof DatasetFormatError;
    reply({reason: isFormat ? error.reason : `cannot be decoded${because(error)}`});
  }
}

parentPort?.on('message', (message: DecodeOrder | {readonly id: number; readonly bytes: ArrayBuffer}) => {
  if ('format' in message) {
    void answer(message);
    return;
  }
  tick();
  waiting[message.id](message.bytes);
});
