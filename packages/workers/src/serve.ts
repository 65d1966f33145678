// A thread of a pool, however it was started. Loaded by path or as text, never imported.
import type {MessagePort} from 'node:worker_threads';
import type {ThreadMessage, ThreadStart, WaveOrder} from './order.ts';
import {load, loaded, takeChunks} from './runChunks.ts';
import {enterWave, hasChunks, leaveWave} from './waveMemory.ts';

/**
 * Milliseconds for which a thread of Node sleeps for the next order before its event loop turns: waking up from a sleep
 * takes half as long. The event loop of a page must turn.
 */
const SLEEP_MS = 50;

const isNode = typeof process !== 'undefined' && process.versions?.node !== undefined;
const receive = isNode ? process.getBuiltinModule('node:worker_threads').receiveMessageOnPort : undefined;

/** Serves the waves of a pool, one after another, as long as the thread lives. Returns at once. */
export function serve({thread, calls, port}: ThreadStart & {readonly port: MessagePort}): void {
  /** Orders that came while the event loop turned. */
  const heard: WaveOrder[] = [];
  const next = (): WaveOrder | undefined => heard.shift() ?? receive?.(port)?.message;
  const isCalled = (seen: number): boolean => isNode && Atomics.wait(calls, 0, seen, SLEEP_MS) !== 'timed-out';
  let isServing = false;

  const serveAll = async (): Promise<void> => {
    isServing = true;
    let seen: number;
    do {
      // Read first: an order that comes later changes the counter, and the thread does not sleep.
      seen = Atomics.load(calls, 0);
      for (let order = next(); order !== undefined; order = next()) await serveOne(order);
    } while (isCalled(seen));
    isServing = false;
  };

  const serveOne = async (order: WaveOrder): Promise<void> => {
    enterWave(order.memory, thread);
    if (hasChunks(order.memory)) {
      await takeChunks(order, thread, port);
      if (isPrinting()) await printed();
    }
    const message: ThreadMessage = {ended: order.wave};
    if (leaveWave(order.memory, thread)) port.postMessage(message);
    // The wave does not wait for this. If the module cannot be loaded, a wave that still has chunks reports it.
    if (!loaded(order.module)) await load(order.module).catch(() => undefined);
  };

  // An order is lost, so the thread ends.
  port.addEventListener('messageerror', () => {
    throw new Error('the input of a wave could not be copied to a thread');
  });
  port.addEventListener('message', ({data}: Event & {readonly data?: WaveOrder}) => {
    if (data !== undefined) heard.push(data);
    if (!isServing) void serveAll();
  });
  port.start();
}

/** Whether this thread has printed text that is not written out: a thread of Node hands it to the calling thread. */
function isPrinting(): boolean {
  return streams().some(({writableLength}) => writableLength > 0);
}

async function printed(): Promise<void> {
  for (const stream of streams()) await new Promise<void>((resolve) => stream.write('', () => resolve()));
}

function streams(): readonly NodeJS.WriteStream[] {
  return isNode ? [process.stdout, process.stderr] : [];
}
