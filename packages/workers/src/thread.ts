// What runs on a worker thread. Loaded by path, never imported. It sleeps until an order comes, and the event loop of the thread
// turns only where a module is loaded or something was printed.
import {BroadcastChannel, receiveMessageOnPort, workerData} from 'node:worker_threads';
import {awaitCall, callsSoFar} from './calls.ts';
import {runChunks, type NamedTasks} from './runChunks.ts';
import type {ThreadLink, WaveOrder, WaveReply} from './task.ts';
import {enterWave, hasChunks, leaveWave, REPLIES, stopWave} from './waveMemory.ts';

declare module 'worker_threads' {
  /** Node takes a channel as well, as its documentation says; `@types/node` 24 leaves that out. */
  // oxlint-disable-next-line no-shadow -- an overload of what is imported
  function receiveMessageOnPort(port: BroadcastChannel): {message: WaveOrder} | undefined;
}

type Tasks = NamedTasks<unknown, string>;

const {thread, channel, port, calls, listening}: ThreadLink = workerData;
const modules = new Map<string, Tasks>();
const orders = new BroadcastChannel(channel);
/** Orders that came while the event loop turned: then a channel hands over what has come, to whoever listens. */
const heard: WaveOrder[] = [];
// oxlint-disable-next-line unicorn/prefer-add-event-listener -- its type here knows no data
orders.onmessage = ({data}: {readonly data: WaveOrder}) => heard.push(data);
// An order that nobody can read would be lost; so its thread ends, as it does where `nextOrder` cannot read one.
orders.addEventListener('messageerror', () => {
  throw new Error('the input of a wave could not be copied to a thread');
});
Atomics.store(listening, 0, 1);

for (;;) {
  // Read first: of an order that comes meanwhile the word is another, and nobody sleeps.
  const before = callsSoFar(calls);
  for (let order = nextOrder(); order !== undefined; order = nextOrder()) {
    enterWave(order.memory, thread);
    if (hasChunks(order.memory)) await takeChunks(order);
    leaveWave(order.memory, thread);
    // This wave does not wait for it. Where it cannot be loaded, a wave with chunks left says so.
    if (!modules.has(order.module)) await load(order.module).catch(() => undefined);
  }
  awaitCall(calls, before);
}

/** One may come both ways: the second time no chunk is left of it. */
function nextOrder(): WaveOrder | undefined {
  return heard.shift() ?? (receiveMessageOnPort(port) ?? receiveMessageOnPort(orders))?.message;
}

/** Where the module cannot be loaded, the wave fails. */
async function takeChunks(order: WaveOrder): Promise<void> {
  try {
    // A module that is there is not waited for: a turn of the event loop costs more than waking up.
    const tasks = modules.get(order.module) ?? (await load(order.module));
    const answer = runChunks(order, tasks, thread);
    if (answer.failure !== undefined || answer.results.some((result) => result !== undefined)) reply(order, answer);
  } catch (error) {
    stopWave(order.memory);
    reply(order, {chunks: [], results: [], failure: {chunk: -1, error}});
  }
  if (process.stdout.writableLength + process.stderr.writableLength > 0) await printed();
}

async function load(url: string): Promise<Tasks> {
  const tasks: Tasks = await import(url);
  modules.set(url, tasks);
  return tasks;
}

/** What tasks have printed goes out while the event loop turns. */
async function printed(): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) {
    await new Promise<void>((resolve) => stream.write('', () => resolve()));
  }
}

function reply({wave, memory}: WaveOrder, answer: Omit<WaveReply<unknown>, 'wave'>): void {
  try {
    port.postMessage({wave, ...answer});
  } catch (error) {
    // A result or an error that cannot be copied.
    const chunk = answer.failure?.chunk ?? answer.chunks[0] ?? -1;
    const reason = answer.failure === undefined ? error : new Error(String(answer.failure.error));
    port.postMessage({wave, chunks: [], results: [], failure: {chunk, error: reason}});
  }
  Atomics.add(memory.words, REPLIES, 1);
}
