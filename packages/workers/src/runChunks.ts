import type {Task, WaveOrder, WaveReply} from './task.ts';
import {awaitStage, claimChunk, finishChunk, firstChunk, stopWave} from './waveMemory.ts';

/** The names of the tasks of a wave, one a stage, and what they share. */
export interface NamedStages<Input, Name extends string> extends Pick<WaveOrder, 'memory'> {
  readonly names: readonly Name[];
  readonly input: Input;
}

export type NamedTasks<Input, Name extends string> = Readonly<Record<Name, Task<Input, unknown>>>;

/**
 * Claims and runs chunks, stage by stage, until no chunk is left. A task that throws stops the wave.
 *
 * @param member  number of this thread in the pool; the calling thread has the last number
 * @param until   time of `performance.now()` after which no chunk is begun; the thread then never sleeps. Default: no
 *                limit
 */
export function runChunks<Input, Name extends string>(
  {names, input, memory}: NamedStages<Input, Name>,
  tasks: NamedTasks<Input, Name>,
  member: number,
  until?: number,
): Omit<WaveReply<unknown>, 'wave'> {
  const {bounds, ms} = memory;
  const members = ms.length / names.length;
  const chunks: number[] = [];
  const results: unknown[] = [];
  let chunk: number | undefined;
  try {
    for (let stage = 0; stage < names.length && awaitStage(memory, stage, until); stage++) {
      const task = tasks[names[stage]];
      const first = firstChunk(memory, stage);
      for (;;) {
        if (isLate(until)) return {chunks, results};
        chunk = claimChunk(memory, stage);
        if (chunk === undefined) break;
        const startedAt = performance.now();
        const result = task(input, asSmall(bounds[2 * chunk]), asSmall(bounds[2 * chunk + 1]), chunk - first);
        ms[stage * members + member] += performance.now() - startedAt;
        chunks.push(chunk);
        results.push(result);
        finishChunk(memory, stage);
      }
    }
  } catch (error) {
    stopWave(memory);
    return {chunks, results, failure: {chunk: chunk ?? -1, error}};
  }
  return {chunks, results};
}

function isLate(until: number | undefined): boolean {
  return until !== undefined && performance.now() > until;
}

/**
 * Returns a bound as a small integer where it is one. V8 keeps a number read from float64 memory as a float64, and a
 * loop that starts at one takes twice as long.
 */
function asSmall(bound: number): number {
  return bound <= 0x7fffffff ? bound | 0 : bound;
}
