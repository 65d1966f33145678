// The resident task, which piscina runs on a worker thread. Loaded by path, never imported. It sleeps until an order
// comes. The thread's event loop turns only while a module is loaded or printed text is written out.
import {BroadcastChannel, receiveMessageOnPort, workerData} from 'node:worker_threads';
import {awaitCall, callsSoFar, isEnding, markListening} from './calls.ts';
import {isPrinting, printed} from './printed.ts';
import type {PoolLink, Residence} from './residence.ts';
import type {WaveOrder} from './task.ts';
import {load, loaded, takeChunks} from './takeChunks.ts';
import {enterWave, hasChunks, leaveWave} from './waveMemory.ts';

declare module 'worker_threads' {
  /** Node also accepts a channel, as its documentation says; `@types/node` 24 lacks that overload. */
  // oxlint-disable-next-line no-shadow -- an overload of what is imported
  function receiveMessageOnPort(port: BroadcastChannel): {message: WaveOrder} | undefined;
}

/** Serves waves until the pool ends the resident task. */
export async function serveWaves({thread, port}: Residence): Promise<void> {
  const {channel, calls}: PoolLink = workerData;
  const orders = new OrderQueue(channel, port);
  try {
    if (!markListening(calls, thread)) return;
    for (;;) {
      // Read first: an order that comes later changes the counter, and the thread does not sleep.
      const seen = callsSoFar(calls);
      for (let order = orders.next(); order !== undefined; order = orders.next()) {
        enterWave(order.memory, thread);
        if (hasChunks(order.memory)) {
          await takeChunks(order, thread, port);
          if (isPrinting()) await printed();
        }
        leaveWave(order.memory, thread);
        // The wave does not wait for this. If the module cannot be loaded, a wave that still has chunks reports it.
        if (!loaded(order.module)) await load(order.module).catch(() => undefined);
      }
      if (isEnding(calls, thread)) return;
      awaitCall(calls, seen);
    }
  } finally {
    orders.close();
  }
}

/** Orders from the channel and from the port. One may come both ways: the second time no chunk of it is left. */
class OrderQueue {
  readonly #channel: BroadcastChannel;
  readonly #port: Residence['port'];
  /** Orders that came while the event loop turned: the channel then hands messages to its listener. */
  readonly #heard: WaveOrder[] = [];

  constructor(channel: string, port: Residence['port']) {
    this.#port = port;
    this.#channel = new BroadcastChannel(channel);
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- its type here knows no data
    this.#channel.onmessage = ({data}: {readonly data: WaveOrder}) => this.#heard.push(data);
    // The order is lost, so the thread ends, as the resident task does if `next` throws.
    this.#channel.addEventListener('messageerror', () => {
      throw new Error('the input of a wave could not be copied to a thread');
    });
  }

  next(): WaveOrder | undefined {
    return this.#heard.shift() ?? (receiveMessageOnPort(this.#port) ?? receiveMessageOnPort(this.#channel))?.message;
  }

  close(): void {
    this.#channel.close();
    this.#port.close();
  }
}
