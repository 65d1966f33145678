import {evenBounds, taskModule, type WorkerPool} from '@epsball/workers';
import {laySort, orderKeys, SORT_DIGITS, type SortMemory} from '../hierarchy/radixSort.ts';
import {compareWeights, sortEdges} from '../hierarchy/sortEdges.ts';
import type {TreeEdges} from '../hierarchy/treeEdges.ts';
import type * as boruvkaTasks from './boruvkaTasks.ts';

const tasks = taskModule<typeof boruvkaTasks>(import.meta.url, 'boruvkaTasks');

/** Fewer edges a thread are sorted sooner on the calling thread: a step takes some 50 µs. */
const EDGES_PER_THREAD = 2 ** 14;

/**
 * `sortEdges` on threads.
 *
 * @param edges  in shared memory, as `memory`
 */
export async function sortOnThreads(
  pool: WorkerPool,
  edges: TreeEdges,
  memory: SortMemory,
  signal: AbortSignal | undefined,
): Promise<TreeEdges> {
  const {length} = edges.squared;
  const threads = Math.min(pool.threads, Math.floor(length / EDGES_PER_THREAD));
  if (threads < 2) return sortEdges(edges, memory);
  const input = laySort(edges, threads, memory);
  const bounds = evenBounds(length, threads);
  const over = <Name extends string>(name: Name, of = bounds) => ({phase: 'hierarchy', name, bounds: of});
  const digit = [over('countDigits'), over('placeDigits', [0, 1]), over('moveEdges')];
  const digits = Array.from({length: SORT_DIGITS}, () => digit).flat();
  await pool.steps(tasks, {input, steps: [over('readEdges'), ...digits, over('writeSorted')], signal}).ended;
  return orderKeys(input, compareWeights);
}
