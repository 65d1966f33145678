import {taskModule, type WorkerPool} from '../src/index.ts';
import type * as sumTasks from './sumTasks.ts';
import {evenBounds} from './waveInputs.ts';

const tasks = taskModule<typeof sumTasks>(import.meta.url, 'sumTasks');

/** Ids of all threads of a pool. Runs waves until each thread has worked. */
export async function threadsOf(pool: WorkerPool): Promise<number[]> {
  const seen = new Set<number>();
  while (seen.size < pool.threads) {
    const wave = {phase: 'threads', input: {ms: 5}, bounds: evenBounds(4 * pool.threads, 1)};
    for (const id of (await pool.wave(tasks, 'spin', wave)).results) seen.add(id);
  }
  return [...seen];
}
