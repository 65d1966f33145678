import type {Task, WaveOrder, WaveReply} from './task.ts';
import {awaitStep, claimChunk, finishChunk, firstChunk, stopWave} from './waveMemory.ts';

/** The tasks of a module, by name. */
export type Tasks = Readonly<Record<string, Task<unknown, unknown>>>;

/**
 * Claims and runs chunks, step by step, until no chunk is left. A task that throws stops the wave.
 *
 * @param thread  number of this thread in the pool
 */
export function runChunks(
  {names, input, memory}: WaveOrder,
  tasks: Tasks,
  thread: number,
): Omit<WaveReply<unknown>, 'wave'> {
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
