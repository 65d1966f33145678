// What a thread does with an order, whatever way the order came.
import {runChunks, type Tasks} from './runChunks.ts';
import type {WaveOrder, WaveReply} from './task.ts';
import {markReplying, stopWave} from './waveMemory.ts';

/** Carries replies to the calling thread. */
export interface ReplyPort {
  postMessage(message: WaveReply<unknown>): void;
}

/** Modules by URL. Each thread loads one once. */
const modules = new Map<string, Tasks>();

/** Whether a module is loaded. */
export function loaded(url: string): boolean {
  return modules.has(url);
}

/** Loads a module of tasks. */
export async function load(url: string): Promise<Tasks> {
  const tasks: Tasks = await import(/* webpackIgnore: true */ /* @vite-ignore */ url);
  modules.set(url, tasks);
  return tasks;
}

/** Runs chunks and sends their results. If the module cannot be loaded, the wave fails. */
export async function takeChunks(order: WaveOrder, thread: number, port: ReplyPort): Promise<void> {
  try {
    // A loaded module is not awaited: a turn of the event loop costs more than waking up.
    const tasks = modules.get(order.module) ?? (await load(order.module));
    const answer = runChunks(order, tasks, thread);
    if (answer.failure !== undefined || answer.results.some((result) => result !== undefined)) {
      reply(order, thread, port, answer);
    }
  } catch (error) {
    stopWave(order.memory);
    reply(order, thread, port, {chunks: [], results: [], failure: {chunk: -1, error}});
  }
}

function reply(
  {wave, memory}: WaveOrder,
  thread: number,
  port: ReplyPort,
  answer: Omit<WaveReply<unknown>, 'wave'>,
): void {
  markReplying(memory, thread);
  try {
    port.postMessage({wave, ...answer});
  } catch (error) {
    // A result or an error that cannot be copied.
    const chunk = answer.failure?.chunk ?? answer.chunks[0] ?? -1;
    const reason = answer.failure === undefined ? error : new Error(String(answer.failure.error));
    port.postMessage({wave, chunks: [], results: [], failure: {chunk, error: reason}});
  }
}
