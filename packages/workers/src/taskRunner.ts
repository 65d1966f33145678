// What runs on a worker thread. Loaded by path, never imported.
import {threadId} from 'node:worker_threads';
import {NO_MORE_CHUNKS, type Task, type WaveOrder, type WaveReply} from './task.ts';

/** Claims chunk after chunk until none is left. */
export default async function runWave(order: WaveOrder): Promise<WaveReply<unknown>> {
  const exported: Record<string, Task<unknown, unknown>> = await import(order.module);
  const task = exported[order.name];
  const {bounds, next, input} = order;
  const chunkCount = bounds.length - 1;
  const chunks: number[] = [];
  const results: unknown[] = [];
  const startedAt = performance.now();
  let chunk = Atomics.add(next, 0, 1);
  try {
    for (; chunk < chunkCount; chunk = Atomics.add(next, 0, 1)) {
      const result = task(input, bounds[chunk], bounds[chunk + 1], chunk);
      chunks.push(chunk);
      results.push(result);
    }
  } catch (error) {
    // The others finish their chunks and take no more.
    Atomics.store(next, 0, NO_MORE_CHUNKS);
    return {threadId, ms: performance.now() - startedAt, chunks, results, failure: {chunk, error}};
  }
  return {threadId, ms: performance.now() - startedAt, chunks, results};
}
