// What a thread does with an order.
import type {ThreadMessage, WaveOrder, WaveReply} from './order.ts';
import type {Task} from './task.ts';
import {awaitStep, claimChunk, finishChunk, firstChunk, markReplying, stopWave} from './waveMemory.ts';

type Tasks = Readonly<Record<string, Task<unknown, unknown>>>;
type Answer = Omit<WaveReply<unknown>, 'wave'>;

interface ReplyPort {
  postMessage(message: ThreadMessage): void;
}

/** Modules by URL. Each thread loads one once. */
const modules = new Map<string, Tasks>();

export function loaded(url: string): boolean {
  return modules.has(url);
}

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

/** Claims and runs chunks, step by step, until no chunk is left. A task that throws stops the wave. */
function runChunks({names, input, memory}: WaveOrder, tasks: Tasks, thread: number): Answer {
  const {bounds, ms} = memory;
  const threads = ms.length / names.length;
  const chunks: number[] = [];
  const results: unknown[] = [];
  let chunk: number | undefined;
  try {
    for (let step = 0; step < names.length && awaitStep(memory, step); step++) {
      const task = tasks[names[step]];
      const first = firstChunk(memory, step);
      for (;;) {
        chunk = claimChunk(memory, step);
        if (chunk === undefined) break;
        const startedAt = performance.now();
        const result = task(input, asSmall(bounds[2 * chunk]), asSmall(bounds[2 * chunk + 1]), chunk - first);
        ms[step * threads + thread] += performance.now() - startedAt;
        chunks.push(chunk);
        results.push(result);
        finishChunk(memory, step);
      }
    }
  } catch (error) {
    stopWave(memory);
    return {chunks, results, failure: {chunk: chunk ?? -1, error}};
  }
  return {chunks, results};
}

/**
 * Returns a bound as a small integer where it is one. V8 keeps a number read from float64 memory as a float64, and a
 * loop that starts at one takes twice as long.
 */
function asSmall(bound: number): number {
  return bound <= 0x7fffffff ? bound | 0 : bound;
}

function reply({wave, memory}: WaveOrder, thread: number, port: ReplyPort, answer: Answer): void {
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
