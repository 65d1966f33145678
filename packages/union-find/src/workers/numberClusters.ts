import {taskModule, type Wave, type WorkerPool} from '@epsball/workers';
import {markFirstsOf, rankFirsts} from '../clusterNumbers.ts';
import type * as numberingTasks from './numberingTasks.ts';
import type {Numbering} from './numberingTasks.ts';

const tasks = taskModule<typeof numberingTasks>(import.meta.url, 'numberingTasks');

/**
 * Numbers the clusters by their smallest core point, in one wave or two. Afterwards the forest is flat, and
 * `clusterNumber` returns the number of every root.
 *
 * @param pool  borrowed
 * @param wave  input on shared memory; bounds are ranges of positions
 * @returns     the number of clusters
 * @throws as `WorkerPool.wave`
 * @complexity  O(n) over all threads, and O(n / 32) on the calling thread
 */
export async function numberClusters(pool: WorkerPool, wave: Wave<Numbering>): Promise<number> {
  const {firsts} = wave.input;
  const {results} = await pool.wave(tasks, 'findFirsts', wave);
  const roots = results.filter((ofRange) => ofRange !== undefined);
  // A wave costs more than marking few clusters here.
  if (roots.length === results.length) for (const ofRange of roots) markFirstsOf(ofRange, firsts);
  else await pool.wave(tasks, 'markFirsts', wave);
  return rankFirsts(firsts);
}
