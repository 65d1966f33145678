import {taskModule, type Wave, type WorkerPool} from '@epsball/workers';
import {markFirstsOf, rankFirsts} from '../clusterNumbers.ts';
import type * as numberingTasks from './numberingTasks.ts';
import type {Numbering} from './numberingTasks.ts';

const tasks = taskModule<typeof numberingTasks>(import.meta.url, 'numberingTasks');

/**
 * Numbers the clusters by their smallest core point, in one wave or two. Afterwards the forest is flat, and `clusterNumber` knows the
 * number of every root.
 *
 * @param pool  borrowed
 * @param wave  its input on shared memory; its bounds are ranges of positions
 * @returns     the number of clusters
 * @throws as `WorkerPool.wave`
 * @complexity  O(n) over all threads, and O(n / 32) on the calling one
 */
export async function numberClusters(pool: WorkerPool, wave: Wave<Numbering>): Promise<number> {
  const {firsts} = wave.input;
  const {results} = await pool.wave(tasks, 'findFirsts', wave);
  const roots = results.filter((some) => some !== undefined);
  // Few clusters are not worth a wave.
  if (roots.length === results.length) for (const some of roots) markFirstsOf(some, firsts);
  else await pool.wave(tasks, 'markFirsts', wave);
  return rankFirsts(firsts);
}
