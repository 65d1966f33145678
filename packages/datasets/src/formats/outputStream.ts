import {constants, createReadStream, createWriteStream, fstatSync, openSync} from 'node:fs';
import {Socket} from 'node:net';
import {pipeline} from 'node:stream/promises';
import {setTimeout} from 'node:timers/promises';

/** Milliseconds between two looks for a reader of a pipe. */
const READER_MS = 20;

/** Copies a file into a named pipe, which waits for a reader, or into an open file of this process. */
export async function copyToStream(
  source: string,
  path: string,
  stream: 'pipe' | number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const content = createReadStream(source);
  try {
    if (stream === 1 || stream === 2) {
      // Their own streams keep the order of what the process prints.
      const own = stream === 1 ? process.stdout : process.stderr;
      await pipeline(content, own, {signal, end: false});
      return;
    }
    const descriptor = stream === 'pipe' ? await openPipe(path, signal) : stream;
    const status = fstatSync(descriptor);
    // A thread that writes to a full pipe would wait for its reader, and the process with it, also after Ctrl-C.
    const isPolled = status.isFIFO() || status.isSocket();
    const sink = isPolled
      ? new Socket({fd: descriptor, readable: false, writable: true})
      : createWriteStream('', {fd: descriptor});
    await pipeline(content, sink, {signal});
  } finally {
    content.destroy();
  }
}

/** Opens a named pipe for writing once it has a reader. Without `O_NONBLOCK` a thread would wait in the system. */
async function openPipe(path: string, signal: AbortSignal | undefined): Promise<number> {
  for (;;) {
    signal?.throwIfAborted();
    try {
      return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENXIO')) throw error;
    }
    await setTimeout(READER_MS, undefined, {signal});
  }
}
