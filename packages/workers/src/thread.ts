// What runs on a worker thread. Loaded by path, never imported. It sleeps until an order comes, and the event loop of the thread
// turns only where a module is loaded.
import {receiveMessageOnPort, workerData} from 'node:worker_threads';
import {
  DONE,
  endFork,
  NEXT,
  NO_MORE_CHUNKS,
  type Task,
  type ThreadLink,
  type WaveOrder,
  type WaveReply,
} from './task.ts';

type Tasks = Record<string, Task<unknown, unknown>>;

const {port, mail}: ThreadLink = workerData;
const modules = new Map<string, Tasks>();

for (let read = 0; ; read++) {
  Atomics.wait(mail, 0, read);
  const order: WaveOrder | undefined = receiveMessageOnPort(port)?.message;
  if (order === undefined) continue;
  // A module that is there is not waited for: a turn of the event loop costs more than waking up.
  const tasks = modules.get(order.module) ?? (await load(order));
  if (tasks !== undefined) runWave(order, tasks);
  if (process.stdout.writableLength + process.stderr.writableLength > 0) await printed();
  endFork(order.memory, order.fork);
}

/** The module of an order; where it cannot be loaded, the wave fails. */
async function load({wave, module, memory}: WaveOrder): Promise<Tasks | undefined> {
  try {
    const tasks: Tasks = await import(module);
    modules.set(module, tasks);
    return tasks;
  } catch (error) {
    Atomics.store(memory.words, NEXT, NO_MORE_CHUNKS);
    reply({wave, chunks: [], results: [], failure: {chunk: -1, error}});
    return undefined;
  }
}

/** What tasks have printed goes out while the event loop turns. */
async function printed(): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) {
    await new Promise<void>((resolve) => stream.write('', () => resolve()));
  }
}

/** Claims chunk after chunk until none is left. */
function runWave({wave, name, input, memory, fork}: WaveOrder, tasks: Tasks): void {
  const {bounds, ms, words} = memory;
  const task = tasks[name];
  const chunks: number[] = [];
  const results: unknown[] = [];
  const startedAt = performance.now();
  let chunk = Atomics.add(words, NEXT, 1);
  let failure: WaveReply<unknown>['failure'];
  try {
    for (; chunk < bounds.length - 1; chunk = Atomics.add(words, NEXT, 1)) {
      const result = task(input, asSmall(bounds[chunk]), asSmall(bounds[chunk + 1]), chunk);
      chunks.push(chunk);
      results.push(result);
      Atomics.add(words, DONE, 1);
    }
  } catch (error) {
    // The others finish their chunks and take no more.
    Atomics.store(words, NEXT, NO_MORE_CHUNKS);
    failure = {chunk, error};
  }
  if (chunks.length > 0 || failure !== undefined) ms[fork] = performance.now() - startedAt;
  if (failure !== undefined) reply({wave, chunks, results, failure});
  else if (results.some((result) => result !== undefined)) reply({wave, chunks, results});
}

/** A number read from float64 memory stays a float64 to the engine, and loops that begin with one take twice as long. */
function asSmall(bound: number): number {
  return bound <= 0x7fffffff ? bound | 0 : bound;
}

function reply(message: WaveReply<unknown>): void {
  try {
    port.postMessage(message);
  } catch (error) {
    // A result or an error that cannot be copied.
    const chunk = message.failure?.chunk ?? message.chunks[0] ?? -1;
    const reason = message.failure === undefined ? error : new Error(String(message.failure.error));
    port.postMessage({wave: message.wave, chunks: [], results: [], failure: {chunk, error: reason}});
  }
}
